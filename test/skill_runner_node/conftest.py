"""A synthetic table: exact depth of upright boxes, seen by a camera straight above."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from openral.camera_model import CameraModel
from skill_runner_node.motion.limits import JointLimits, load_limits
from skill_runner_node.policy import Box, View

Array = npt.NDArray[np.float64]
Block = tuple[float, float, float, float, float, float]
"""x, y [m], yaw [rad], size along and across yaw, height [m]."""
Basket = tuple[float, float]
TOP = CameraModel(
    640, 480, 810.0, 810.0, 319.5, 239.5,
    # x right = -y of the world, y down = -x of the world, z forward = down
    np.array([[0, -1, 0, 0.44], [-1, 0, 0, 0.07], [0, 0, -1, 1.45], [0, 0, 0, 1.0]]),
)  # fmt: skip
INNER, RIM, WALL = 0.30, 0.18, 0.016


def basket_blocks(x: float, y: float) -> list[Block]:
    """Four walls and a floor."""
    middle, outer = (INNER + WALL) / 2, INNER + 2 * WALL
    return [
        (x + middle, y, 0.0, WALL, outer, RIM),
        (x - middle, y, 0.0, WALL, outer, RIM),
        (x, y + middle, 0.0, INNER, WALL, RIM),
        (x, y - middle, 0.0, INNER, WALL, RIM),
        (x, y, 0.0, INNER, INNER, 0.008),
    ]


def depth_of(blocks: Sequence[Block], camera: CameraModel = TOP) -> npt.NDArray[np.float32]:
    """Depth [m] along the optical axis: the nearest of the table and every block, per pixel."""
    columns, rows = np.meshgrid(np.arange(camera.width), np.arange(camera.height))
    pixels = np.stack([columns, rows], axis=-1).astype(float)
    eye = camera.pose[:3, 3]
    rays = camera.unproject(pixels, np.ones(columns.shape)) - eye
    depth = -eye[2] / rays[..., 2]
    for x, y, yaw, along, across, height in blocks:
        cos, sin = np.cos(yaw), np.sin(yaw)
        turn = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1.0]])
        origin = turn @ (eye - [x, y, 0.0])
        ways = rays @ turn.T
        low, high = (
            np.array([-along / 2, -across / 2, 0.0]),
            np.array([along / 2, across / 2, height]),
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            first, second = (low - origin) / ways, (high - origin) / ways
        enter = np.nanmax(np.minimum(first, second), axis=-1)
        leave = np.nanmin(np.maximum(first, second), axis=-1)
        hit = (enter <= leave) & (enter > 0)
        depth = np.where(hit & (enter < depth), enter, depth)
    return depth.astype(np.float32)


def box_of(label: str, block: Block, camera: CameraModel = TOP) -> Box:
    """The detection of a block: the frame around its corners."""
    x, y, yaw, along, across, height = block
    cos, sin = np.cos(yaw), np.sin(yaw)
    corners = np.array(
        [
            [x + a * cos - b * sin, y + a * sin + b * cos, z]
            for a in (-along / 2, along / 2)
            for b in (-across / 2, across / 2)
            for z in (0.0, height)
        ]
    )
    pixels = camera.project(corners)
    (left, upper), (right, lower) = pixels.min(axis=0), pixels.max(axis=0)
    return Box(label, 0.9, float(left), float(upper), float(right), float(lower))


class Table:
    """Named blocks, and maybe a basket."""

    def __init__(self, objects: dict[str, Block], basket: Basket | None = (0.42, 0.36)) -> None:
        self.objects = dict(objects)
        self.basket = basket

    def view(self, stamp: float = 0.0) -> View:
        """What the top camera and a perfect detector give."""
        boxes = [box_of(label, block) for label, block in self.objects.items()]
        blocks = list(self.objects.values())
        if self.basket is not None:
            x, y = self.basket
            outer = INNER + 2 * WALL
            boxes.append(box_of("basket", (x, y, 0.0, outer, outer, RIM)))
            blocks += basket_blocks(x, y)
        return View("top", stamp, TOP, tuple(boxes), depth_of(blocks))


@pytest.fixture(scope="session")
def make_table() -> Callable[..., Table]:
    """Makes synthetic tables."""
    return Table


@pytest.fixture(scope="session")
def limits() -> JointLimits:
    """The shipped robot's limits."""
    return load_limits(Path(__file__).parents[2] / "config" / "robots" / "panda.yaml")

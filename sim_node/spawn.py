"""Where the objects stand: seeded, reachable, graspable, seen.

Table frame: the robot's base at the origin, x forward, y left, table top at z = 0. [m]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from openral.camera_model import CameraModel
from openral.errors import ConfigError
from sim_node.groceries import Grocery

Pose2 = tuple[float, float, float]
"""x [m], y [m], yaw [rad] on the table."""


@dataclass(frozen=True)
class SpawnArea:
    """Where an object may stand.

    Attributes:
        x, y: ranges of the centre [m].
        radius: range of the distance from the robot's base [m]: what a top-down grasp reaches.
        clearance: free table between any two footprints [m]: an open finger and the hand beside
            it need about 6 cm.
        hidden: largest part of an object's outline in a fixed view that others may cover.
    """

    x: tuple[float, float] = (0.36, 0.64)
    y: tuple[float, float] = (-0.34, 0.05)
    radius: tuple[float, float] = (0.38, 0.65)
    clearance: float = 0.065
    hidden: float = 0.2


def spawn(
    groceries: Sequence[Grocery],
    seed: int,
    area: SpawnArea,
    views: Mapping[str, CameraModel],
) -> dict[str, Pose2]:
    """A pose for every object, by label; the same for the same seed and objects.

    Raises:
        ConfigError: the objects do not fit the area.
    """
    rng = np.random.default_rng(seed)
    for _ in range(20000):
        poses = {
            g.label: (
                float(rng.uniform(*area.x)),
                float(rng.uniform(*area.y)),
                float(rng.uniform(-math.pi, math.pi)),
            )
            for g in groceries
        }
        if (
            _reachable(poses, area)
            and _apart(groceries, poses, area)
            and _seen(groceries, poses, area, views)
        ):
            return poses
    raise ConfigError(
        f"seed {seed}: {len(groceries)} objects do not fit x {area.x}, y {area.y} [m] with "
        f"{area.clearance} m between them; spawn fewer"
    )


def _reachable(poses: Mapping[str, Pose2], area: SpawnArea) -> bool:
    low, high = area.radius
    return all(low <= math.hypot(x, y) <= high for x, y, _ in poses.values())


def _apart(groceries: Sequence[Grocery], poses: Mapping[str, Pose2], area: SpawnArea) -> bool:
    for i, a in enumerate(groceries):
        for b in groceries[i + 1 :]:
            gap = math.dist(poses[a.label][:2], poses[b.label][:2])
            if gap < a.footprint_radius + b.footprint_radius + area.clearance:
                return False
    return True


def _seen(
    groceries: Sequence[Grocery],
    poses: Mapping[str, Pose2],
    area: SpawnArea,
    views: Mapping[str, CameraModel],
) -> bool:
    """Whether every object is wholly in every view and at most `area.hidden` of it is covered."""
    for camera in views.values():
        outlines: list[tuple[float, np.ndarray]] = []
        for g in groceries:
            corners = _corners(g, poses[g.label])
            if not camera.sees(corners).all():
                return False
            px = camera.project(corners)
            outlines.append(
                (float(camera.depth(corners).min()), np.concatenate([px.min(0), px.max(0)]))
            )
        for depth, outline in outlines:
            covered = sum(_overlap(outline, other) for near, other in outlines if near < depth)
            if covered > area.hidden * _overlap(outline, outline):
                return False
    return True


def _corners(grocery: Grocery, pose: Pose2) -> np.ndarray:
    x, y, yaw = pose
    sx, sy, sz = grocery.size
    local = np.array(
        [(i * sx / 2, j * sy / 2, k * sz) for i in (-1, 1) for j in (-1, 1) for k in (0, 1)]
    )
    c, s = math.cos(yaw), math.sin(yaw)
    turned = local @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    corners: np.ndarray = turned + np.array([x, y, 0.0])
    return corners


def _overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Common area [px^2] of two boxes u0 v0 u1 v1."""
    size = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])
    return float(np.prod(np.maximum(size, 0.0)))

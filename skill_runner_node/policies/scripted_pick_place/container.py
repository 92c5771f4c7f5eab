"""The container that objects are put into: where its opening is, and what already lies inside."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from skill_runner_node.policies.scripted_pick_place.footprint import fit, rectangle
from skill_runner_node.policies.scripted_pick_place.height_map import (
    CELL,
    Body,
    HeightMap,
)

Array = npt.NDArray[np.float64]
RIM_BAND = 0.03
"""[m] below its highest point that still counts as rim."""
RIM_WIDTH = 0.018
"""[m] that the rim takes of the opening on every side; the walls inside of it are out of sight."""


@dataclass(frozen=True)
class Container:
    """An open box on the table.

    Attributes:
        centre: (2,) [m].
        yaw: [rad] of its first side.
        half: [m] half sides of the opening.
        rim: [m] height of the rim.
        floor: [m] height that objects stand at inside.
    """

    centre: Array
    yaw: float
    half: tuple[float, float]
    rim: float
    floor: float = 0.01

    def opening(self, margin: float = 0.0) -> Array:
        """(4, 2) corners of the opening, grown by `margin` [m] (shrunk where negative)."""
        return rectangle(self.centre, self.yaw, self.half[0] + margin, self.half[1] + margin)

    def local(self, xy: Array) -> Array:
        """Positions (n, 2) in the container's own axes, from its centre [m]."""
        cos, sin = np.cos(self.yaw), np.sin(self.yaw)
        offset = np.atleast_2d(xy) - self.centre
        local: Array = offset @ np.array([[cos, -sin], [sin, cos]])
        return local

    def contains(self, xy: Array, margin: float = 0.0) -> bool:
        """Whether a position (2,) lies in the opening, at least `margin` [m] from its edge."""
        local = np.abs(self.local(xy))[0]
        return bool((local <= np.array(self.half) - margin).all())


def measure(body: Body, heights: HeightMap) -> Container | None:
    """The container in a body: the largest hollow that its high parts enclose; None = none.

    What stands against its outside makes the body larger, but encloses nothing.
    """
    tops = heights.height[body.mask]
    tops = tops[np.isfinite(tops)]
    if not len(tops):
        return None
    with np.errstate(invalid="ignore"):
        walls = body.mask & (heights.height > float(np.percentile(tops, 95)) - RIM_BAND)
    closed = cv2.morphologyEx(walls.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    padded = np.pad(closed, 1)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(1 - padded, connectivity=4)
    outside = labels[0, 0]
    hollows = [label for label in range(1, count) if label != outside]
    if not hollows:
        return None
    largest = max(hollows, key=lambda label: int(stats[label, cv2.CC_STAT_AREA]))
    hollow = labels[1:-1, 1:-1] == largest
    cells = np.argwhere(hollow)
    if len(cells) < 3:
        return None
    # Each cell counts with its four corners, so that the opening is as wide as its cells.
    corners = np.concatenate([cells + offset for offset in ((0, 0), (0, 1), (1, 0), (1, 1))])
    flat = corners * CELL + heights.table.corner
    opening = fit(np.column_stack([flat, np.zeros(len(flat))]))
    around = cv2.dilate(hollow.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)
    rim = float(np.nanmedian(heights.height[around & walls]))
    return Container(opening.centre, opening.yaw, (opening.size[0] / 2, opening.size[1] / 2), rim)


def without(heights: HeightMap, container: Container) -> HeightMap:
    """The map without the container and what is in it; what stands against it stays."""
    return heights.without(heights.inside(container.opening(RIM_WIDTH + 2 * CELL)))

"""What an object covers of the table: a rectangle or a circle, and how high it is."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
ROUND_FILL = 0.88
"""A circle fills 0.785 of its bounding square and a rectangle 1; between them it is decided."""


@dataclass(frozen=True)
class Footprint:
    """An upright body on the table.

    Attributes:
        centre: (2,) x, y [m].
        yaw: [rad] of its first side from world x; without meaning where round.
        size: [m] along the first and the second side; equal where round.
        height: [m] of its top above the table.
        round: Whether it is a surface of revolution, as far as can be seen.
    """

    centre: Array
    yaw: float
    size: tuple[float, float]
    height: float
    round: bool

    def corners(self, margin: float = 0.0) -> Array:
        """(4, 2) corners of the rectangle, grown by `margin` [m] on every side."""
        return rectangle(
            self.centre, self.yaw, self.size[0] / 2 + margin, self.size[1] / 2 + margin
        )

    def radius(self) -> float:
        """[m] of the circle around it."""
        return self.size[0] / 2 if self.round else float(np.hypot(*self.size)) / 2

    def prism(self) -> Array:
        """(8, 3) corners of the body."""
        flat = self.corners()
        return np.concatenate([np.column_stack([flat, np.full(4, z)]) for z in (0.0, self.height)])


def rectangle(centre: Array, yaw: float, half_x: float, half_y: float) -> Array:
    """(4, 2) corners of a rectangle with half sides along and across `yaw`."""
    along = np.array([np.cos(yaw), np.sin(yaw)]) * half_x
    across = np.array([-np.sin(yaw), np.cos(yaw)]) * half_y
    return np.array(
        [
            centre + along + across,
            centre - along + across,
            centre - along - across,
            centre + along - across,
        ]
    )


def fit(points: Array) -> Footprint:
    """The footprint of an upright body from points (n, 3) on its surface, n ≥ 3 [m]."""
    flat = np.ascontiguousarray(points[:, :2], dtype=np.float32)
    hull = cv2.convexHull(flat)
    (x, y), (width, length), degrees = cv2.minAreaRect(hull)
    # Single points at an edge mix object and table; the top of the body is where many points are.
    height = float(np.percentile(points[:, 2], 98))
    area = float(cv2.contourArea(hull))
    fill = area / max(1e-9, width * length)
    if fill < ROUND_FILL and min(width, length) > 0.6 * max(width, length):
        side = float(2.0 * np.sqrt(area / np.pi))
        return Footprint(np.array([x, y]), 0.0, (side, side), height, True)
    yaw = float(np.deg2rad(degrees))
    return Footprint(np.array([x, y]), yaw, (float(width), float(length)), height, False)

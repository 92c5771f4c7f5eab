"""How high the table is covered, cell by cell, from depth images; and the bodies standing on it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from openral.camera_model import CameraModel

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
CELL = 0.005
"""[m]"""
X_RANGE = (0.15, 0.95)
Y_RANGE = (-0.75, 0.75)
"""[m] of the table in front of the robot, in the world frame."""
TALLEST = 0.30
"""[m]: what is higher belongs to the robot."""
ABOVE_TABLE = 0.012
"""[m] above which a point is on something; depth images resolve 1 mm, and the table is not flat."""
SMALLEST_CELLS = 12


@dataclass(frozen=True)
class HeightMap:
    """Highest point seen per cell.

    Attributes:
        height: (nx, ny) [m]; NaN where nothing was seen.
        points: (n, 3) [m] all points seen above the table.
    """

    height: Array
    points: Array

    def index(self, xy: Array) -> npt.NDArray[np.intp]:
        """Cells (n, 2) of positions (n, 2) [m], cut to the map."""
        cell = np.floor((np.atleast_2d(xy) - [X_RANGE[0], Y_RANGE[0]]) / CELL).astype(np.intp)
        return np.clip(cell, 0, np.array(self.height.shape) - 1)

    def inside(self, corners: Array) -> Mask:
        """Cells that a convex polygon (n, 2) [m] covers."""
        mask = np.zeros(self.height.shape, np.uint8)
        # OpenCV's x is the second index.
        polygon = np.round((corners - [X_RANGE[0], Y_RANGE[0]]) / CELL - 0.5).astype(np.int32)
        cv2.fillConvexPoly(mask, np.ascontiguousarray(polygon[:, ::-1]), 1)
        return mask.astype(bool)

    def top(self, corners: Array) -> float:
        """Highest point [m] over a convex polygon (n, 2); 0 = the table, also where unseen."""
        heights = self.height[self.inside(corners)]
        heights = heights[np.isfinite(heights)]
        return float(max(0.0, heights.max())) if len(heights) else 0.0

    def without(self, mask: Mask) -> HeightMap:
        """The map with the cells of `mask` cleared to the table."""
        height = self.height.copy()
        height[mask] = 0.0
        return HeightMap(height, self.points)


def shape() -> tuple[int, int]:
    """Cells along x and y."""
    return (
        round((X_RANGE[1] - X_RANGE[0]) / CELL),
        round((Y_RANGE[1] - Y_RANGE[0]) / CELL),
    )


def build(depth: npt.NDArray[np.float32], camera: CameraModel) -> HeightMap:
    """The map from one depth image (height, width) [m] along the optical axis, NaN = unknown."""
    rows, columns = np.nonzero(np.isfinite(depth) & (depth > 0.0))
    pixels = np.column_stack([columns, rows]).astype(float)
    points = camera.unproject(pixels, depth[rows, columns].astype(float))
    keep = (
        (points[:, 0] > X_RANGE[0])
        & (points[:, 0] < X_RANGE[1])
        & (points[:, 1] > Y_RANGE[0])
        & (points[:, 1] < Y_RANGE[1])
        & (points[:, 2] < TALLEST)
    )
    points = points[keep]
    height = np.full(shape(), -np.inf)
    cells = np.floor((points[:, :2] - [X_RANGE[0], Y_RANGE[0]]) / CELL).astype(np.intp)
    np.maximum.at(height, (cells[:, 0], cells[:, 1]), points[:, 2])
    height[np.isneginf(height)] = np.nan
    return HeightMap(height, points[points[:, 2] > ABOVE_TABLE])


@dataclass(frozen=True)
class Body:
    """Something that stands on the table.

    Attributes:
        mask: Cells that it covers.
        points: (n, 3) [m] seen of it.
    """

    mask: Mask
    points: Array


def bodies(heights: HeightMap) -> list[Body]:
    """The connected parts of the map that rise above the table."""
    with np.errstate(invalid="ignore"):
        above = (heights.height > ABOVE_TABLE).astype(np.uint8)
    # Closes the gaps of one cell that pixel spacing leaves.
    closed = cv2.morphologyEx(above, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels = cv2.connectedComponents(closed, connectivity=8)
    of_point = labels[tuple(heights.index(heights.points[:, :2]).T)]
    found = []
    for label in range(1, count):
        mask = labels == label
        points = heights.points[of_point == label]
        if mask.sum() >= SMALLEST_CELLS and len(points) >= 3:
            found.append(Body(mask, points))
    return found

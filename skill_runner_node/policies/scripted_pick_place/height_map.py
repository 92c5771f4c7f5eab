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
ABOVE_TABLE = 0.012
"""[m] above which a point is on something; depth images resolve 1 mm, and the table is not flat."""
SMALLEST_CELLS = 12


@dataclass(frozen=True)
class Table:
    """The part of the table that is looked at, in the world frame [m].

    Attributes:
        x_min, x_max, y_min, y_max: Its edges.
        tallest: What is higher belongs to the robot.
    """

    x_min: float = 0.15
    x_max: float = 0.95
    y_min: float = -0.75
    y_max: float = 0.75
    tallest: float = 0.30

    @property
    def corner(self) -> list[float]:
        """Where the first cell begins: x, y [m]."""
        return [self.x_min, self.y_min]

    @property
    def shape(self) -> tuple[int, int]:
        """Cells along x and y."""
        return round((self.x_max - self.x_min) / CELL), round((self.y_max - self.y_min) / CELL)


TABLE = Table()


@dataclass(frozen=True)
class HeightMap:
    """Highest point seen per cell.

    Attributes:
        height: (nx, ny) [m]; NaN where nothing was seen.
        points: (n, 3) [m] all points seen above the table.
        table: What the cells lie on.
    """

    height: Array
    points: Array
    table: Table = TABLE

    def index(self, xy: Array) -> npt.NDArray[np.intp]:
        """Cells (n, 2) of positions (n, 2) [m], cut to the map."""
        cell = np.floor((np.atleast_2d(xy) - self.table.corner) / CELL).astype(np.intp)
        return np.clip(cell, 0, np.array(self.height.shape) - 1)

    def inside(self, corners: Array) -> Mask:
        """Cells that a convex polygon (n, 2) [m] covers."""
        mask = np.zeros(self.height.shape, np.uint8)
        # OpenCV's x is the second index.
        polygon = np.round((corners - self.table.corner) / CELL - 0.5).astype(np.int32)
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
        return HeightMap(height, self.points, self.table)


def build(depth: npt.NDArray[np.float32], camera: CameraModel, table: Table = TABLE) -> HeightMap:
    """The map from one depth image (height, width) [m] along the optical axis, NaN = unknown."""
    rows, columns = np.nonzero(np.isfinite(depth) & (depth > 0.0))
    pixels = np.column_stack([columns, rows]).astype(float)
    points = camera.unproject(pixels, depth[rows, columns].astype(float))
    keep = (
        (points[:, 0] > table.x_min)
        & (points[:, 0] < table.x_max)
        & (points[:, 1] > table.y_min)
        & (points[:, 1] < table.y_max)
        & (points[:, 2] < table.tallest)
    )
    points = points[keep]
    height = np.full(table.shape, -np.inf)
    cells = np.floor((points[:, :2] - table.corner) / CELL).astype(np.intp)
    np.maximum.at(height, (cells[:, 0], cells[:, 1]), points[:, 2])
    height[np.isneginf(height)] = np.nan
    return HeightMap(height, points[points[:, 2] > ABOVE_TABLE], table)


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

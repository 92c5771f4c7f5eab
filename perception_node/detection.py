"""What a detector says about one object in an image, before and after checking and tracking."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """An axis-aligned rectangle [px]: x right, y down, (0, 0) the image's top left corner."""

    x_min: float
    y_min: float
    x_max: float
    y_max: float

    @property
    def width(self) -> float:
        """Extent in x [px]."""
        return self.x_max - self.x_min

    @property
    def height(self) -> float:
        """Extent in y [px]."""
        return self.y_max - self.y_min

    @property
    def area(self) -> float:
        """Area [px²]; 0 for an inverted box."""
        return max(0.0, self.width) * max(0.0, self.height)

    @property
    def centre(self) -> tuple[float, float]:
        """(x, y) [px]."""
        return (self.x_min + self.x_max) / 2.0, (self.y_min + self.y_max) / 2.0

    @property
    def diagonal(self) -> float:
        """Length of the diagonal [px]."""
        return math.hypot(self.width, self.height)

    def shifted(self, dx: float, dy: float) -> Box:
        """The box moved by (dx, dy) [px]."""
        return Box(self.x_min + dx, self.y_min + dy, self.x_max + dx, self.y_max + dy)


def intersection_over_union(first: Box, second: Box) -> float:
    """Overlap in [0, 1]: area shared by both boxes over the area covered by either."""
    width = min(first.x_max, second.x_max) - max(first.x_min, second.x_min)
    height = min(first.y_max, second.y_max) - max(first.y_min, second.y_min)
    if width <= 0.0 or height <= 0.0:
        return 0.0
    shared = width * height
    return shared / (first.area + second.area - shared)


def centre_distance(first: Box, second: Box) -> float:
    """Distance between the boxes' centres [px]."""
    (x1, y1), (x2, y2) = first.centre, second.centre
    return math.hypot(x1 - x2, y1 - y2)


@dataclass(frozen=True)
class RawDetection:
    """A detector's unchecked word; `box` is (x_min, y_min, x_max, y_max) in its own box space."""

    label: str
    score: float
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class Detection:
    """A checked detection: a name, a score in [0, 1], a box inside the image.

    Attributes:
        clipped: The box reached beyond the image and was cut.
    """

    label: str
    score: float
    box: Box
    clipped: bool = False


@dataclass(frozen=True)
class TrackedDetection:
    """A detection with its stable id; `label` is the track's, by vote over its frames."""

    det_id: int
    label: str
    score: float
    box: Box
    clipped: bool = False

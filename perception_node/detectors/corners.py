"""Boxes as four plain numbers, while a detector is still weighing thousands of them."""

from __future__ import annotations

Corners = tuple[float, float, float, float]
"""x_min, y_min, x_max, y_max [px]."""


def mostly_inside(inner: Corners, outer: Corners) -> bool:
    """Whether more than 70 % of `inner` lies in `outer`."""
    width = min(inner[2], outer[2]) - max(inner[0], outer[0])
    height = min(inner[3], outer[3]) - max(inner[1], outer[1])
    area = (inner[2] - inner[0]) * (inner[3] - inner[1])
    return width > 0.0 and height > 0.0 and width * height > 0.7 * area


def hull(first: Corners, second: Corners) -> Corners:
    """The smallest box around both."""
    return (
        min(first[0], second[0]),
        min(first[1], second[1]),
        max(first[2], second[2]),
        max(first[3], second[3]),
    )


def touch(first: Corners, second: Corners) -> bool:
    """Whether the gap between two boxes is below half the size of the smaller one."""
    around = hull(first, second)
    across = (around[2] - around[0]) - (first[2] - first[0]) - (second[2] - second[0])
    down = (around[3] - around[1]) - (first[3] - first[1]) - (second[3] - second[1])
    size = min(*(max(b[2] - b[0], b[3] - b[1]) for b in (first, second)))
    return max(across, down) < 0.5 * size

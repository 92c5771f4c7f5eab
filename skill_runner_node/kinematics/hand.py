"""What the hand and its fingers cover, seen from above, when the tool points down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skill_runner_node.kinematics.panda import (
    FINGER_HALF_DEPTH,
    FINGER_THICKNESS,
    HAND_HALF_DEPTH,
    HAND_HALF_LENGTH,
)

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Rectangle:
    """Centre (2,) [m], yaw [rad] of its first side, half sides [m]."""

    centre: Array
    yaw: float
    half_x: float
    half_y: float

    def corners(self) -> Array:
        """(4, 2) [m]."""
        along = np.array([np.cos(self.yaw), np.sin(self.yaw)]) * self.half_x
        across = np.array([-np.sin(self.yaw), np.cos(self.yaw)]) * self.half_y
        signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
        return np.array([self.centre + a * along + b * across for a, b in signs])


def fingers(xy: Array, yaw: float, opening: float, margin: float) -> tuple[Rectangle, Rectangle]:
    """Both fingers, each `opening` [m] from the middle, closing along `yaw`, grown by `margin`."""
    along = np.array([np.cos(yaw), np.sin(yaw)])
    offset = along * (opening + FINGER_THICKNESS / 2)
    half_x, half_y = FINGER_THICKNESS / 2 + margin, FINGER_HALF_DEPTH + margin
    return (
        Rectangle(xy + offset, yaw, half_x, half_y),
        Rectangle(xy - offset, yaw, half_x, half_y),
    )


def palm(xy: Array, yaw: float, margin: float) -> Rectangle:
    """The hand's body, grown by `margin` [m]."""
    return Rectangle(xy, yaw, HAND_HALF_LENGTH + margin, HAND_HALF_DEPTH + margin)

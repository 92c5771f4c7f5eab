"""How a goal's motions are sent and waited for, and what the robot's joints say meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skill_runner_node.watch import Bounds

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Joints:
    """A joint state.

    Attributes:
        received: [s] on the runner's steady clock.
        position: (joints,) [rad], fingers [m].
        velocity: (joints,) [rad/s], fingers [m/s].
    """

    received: float
    position: Array
    velocity: Array


@dataclass(frozen=True)
class RunSettings:
    """How motions are sent and waited for.

    Attributes:
        bounds: Longest silences.
        horizon, context, lead: See `Stream`.
        acceleration: (joints,) [rad/s²], fingers [m/s²] of a stop.
        settle_s: [s] that the arm must have been at rest before the next observation.
        settle_max_s: [s] after which it is taken as it is.
        rest_velocity: [rad/s] below which a joint is at rest.
        look_s: [s] that a look may take.
        stop_s: [s] that a canceled motion may take to come to rest.
        splice: [rad], fingers [m] that a motion's first row may be off the command in force.
    """

    bounds: Bounds
    horizon: int
    context: int
    lead: int
    acceleration: Array
    settle_s: float
    settle_max_s: float
    rest_velocity: float
    look_s: float
    stop_s: float
    splice: float

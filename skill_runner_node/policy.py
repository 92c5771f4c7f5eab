"""What a policy is: observations in, one decision out. No clock, thread or ROS behind it.

The runner calls `reset` once per goal and then `step` whenever the last decision has been carried
out: the look has come back, or the motion has ended and the arm is at rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from openral.camera_model import CameraModel

Array = npt.NDArray[np.float64]


class Outcome(Enum):
    """How a run ended; values are `openral.names.OutcomeName`."""

    COMPLETED = "completed"
    CANCELED = "canceled"
    DEADLINE = "deadline"
    SAFETY_STOP = "safety_stop"
    REFUSED = "refused"
    OBSERVATION = "observation"
    NOT_FOUND = "not_found"
    UNREACHABLE = "unreachable"
    POLICY_ERROR = "policy_error"
    GRASP_FAILED = "grasp_failed"


@dataclass(frozen=True)
class Box:
    """A detection [px]: x right, y down."""

    label: str
    score: float
    x_min: float
    y_min: float
    x_max: float
    y_max: float

    @property
    def centre(self) -> tuple[float, float]:
        """Middle of the box [px]."""
        return (self.x_min + self.x_max) / 2.0, (self.y_min + self.y_max) / 2.0


@dataclass(frozen=True)
class View:
    """What one camera and the detector gave for one look.

    Attributes:
        camera: Its name.
        stamp: [s] of the image that the boxes are from.
        model: Calibration.
        boxes: Detections of the query's nouns.
        depth: (height, width) [m] along the optical axis, NaN = unknown; None = no depth camera.
        image: (height, width, 3) uint8 rgb; None = not received.
        message: What the detector says it missed.
    """

    camera: str
    stamp: float
    model: CameraModel
    boxes: tuple[Box, ...]
    depth: npt.NDArray[np.float32] | None
    image: npt.NDArray[np.uint8] | None = None
    message: str = ""


@dataclass(frozen=True)
class Observation:
    """What the robot knows when a policy is asked.

    Attributes:
        q: (joints,) measured [rad], fingers [m].
        commanded: (joints,) command in force, where the next motion has to begin.
        views: Answer to the last `Look`, by camera; empty after a motion.
    """

    q: Array
    commanded: Array
    views: Mapping[str, View] = field(default_factory=dict)


@dataclass(frozen=True)
class Goal:
    """One run: its parameters as the manifest's schema has checked them, and the task in words."""

    params: Mapping[str, Any]
    prompt: str = ""


@dataclass(frozen=True)
class Blind:
    """Why a look has no answer.

    Attributes:
        reason: For a person.
        final: Waiting does not help.
    """

    reason: str
    final: bool = False


@dataclass(frozen=True)
class Look:
    """Wants every noun of `query` searched in each camera, and fresh images of them."""

    query: str
    cameras: tuple[str, ...]
    stage: str
    progress: float


@dataclass(frozen=True)
class Move:
    """Wants `rows` played, from the command in force (row 0) to rest, `dt` [s] apart."""

    rows: Array
    dt: float
    stage: str
    progress: float


@dataclass(frozen=True)
class Done:
    """The plan is at its end."""

    reason: str


@dataclass(frozen=True)
class Failed:
    """The plan cannot go on."""

    outcome: Outcome
    reason: str


Decision = Look | Move | Done | Failed


class Policy(Protocol):
    """What the runner runs."""

    def reset(self, goal: Goal) -> None:
        """Begins a goal."""

    def step(self, observation: Observation, now: float) -> Decision:
        """What to do next; `now` [s] on the observations' clock."""

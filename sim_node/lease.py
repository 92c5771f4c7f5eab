"""A motor command is obeyed for its lease and not longer.

Two clocks are handed in: the ROS clock judges whether a command came too late (`valid_until` was
stamped in another process), a steady clock counts the lease from receipt (a wall clock may jump).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from openral.errors import InputError
from sim_node.robot import JOINTS, POSITION_LIMITS
from sim_node.servo import JointCommand

JOINT_POSITION = 1
"""`ActionChunk.JOINT_POSITION`, the one control mode of this robot."""

# A kernel's own rounding may touch a limit; beyond this it is a wrong command.
_POSITION_TOLERANCE = 1e-3
_FINGER_RANGE = (0.0, 0.04)


class Refusal(str, Enum):
    """Why a motor command is not obeyed."""

    EXPIRED = "expired"
    MODE = "mode"
    JOINTS = "joints"
    WIDTH = "width"
    NOT_FINITE = "not_finite"
    POSITION_LIMIT = "position_limit"
    LEASE = "lease"


@dataclass(frozen=True)
class MotorCommand:
    """What the robot reads of a `MotorCommand` message.

    Attributes:
        valid_until: ROS time [s] after which it is not obeyed.
        lease: how long it is obeyed from receipt [s].
        epoch, sequence: the kernel's numbers.
        control_mode: `JOINT_POSITION`.
        joint_names: the columns.
        values: [rad], the finger [m].
        velocities: [rad/s], the finger [m/s]; empty stands for rest.
    """

    valid_until: float
    lease: float
    epoch: int
    sequence: int
    control_mode: int
    joint_names: Sequence[str]
    values: Sequence[float]
    velocities: Sequence[float]


@dataclass(frozen=True, eq=False)
class InForce:
    """The command that the robot obeys."""

    joints: JointCommand
    epoch: int
    sequence: int
    until: float


class Lease:
    """The command in force, and the count of commands that were not obeyed.

    `max_lease` [s] bounds what a command may ask for: three kernel ticks.
    """

    def __init__(self, max_lease: float) -> None:
        if not (math.isfinite(max_lease) and max_lease > 0.0):
            raise InputError(
                expected="max_lease > 0 s", got=str(max_lease), do="correct the parameter"
            )
        self._max_lease = max_lease
        self._in_force: InForce | None = None
        self.refusals: Counter[Refusal] = Counter()
        self.obeyed = 0
        self.lapses = 0

    def receive(self, command: MotorCommand, ros_now: float, steady_now: float) -> Refusal | None:
        """Take a command received now; a refusal is counted and leaves the one before in force."""
        refusal = self._check(command, ros_now)
        if refusal is not None:
            self.refusals[refusal] += 1
            return refusal
        velocities = command.velocities or [0.0] * len(JOINTS)
        self._in_force = InForce(
            JointCommand(np.array(command.values), np.array(velocities)),
            command.epoch,
            command.sequence,
            steady_now + min(command.lease, self._max_lease),
        )
        self.obeyed += 1
        return None

    def current(self, steady_now: float) -> InForce | None:
        """The command in force at a time; None: brake and hold. Time never runs backwards."""
        in_force = self._in_force
        if in_force is not None and steady_now > in_force.until:
            self._in_force = None
            self.lapses += 1
            return None
        return in_force

    def _check(self, command: MotorCommand, ros_now: float) -> Refusal | None:
        if command.control_mode != JOINT_POSITION:
            return Refusal.MODE
        if tuple(command.joint_names) != JOINTS:
            return Refusal.JOINTS
        if len(command.values) != len(JOINTS) or len(command.velocities) not in (0, len(JOINTS)):
            return Refusal.WIDTH
        if not all(map(math.isfinite, (*command.values, *command.velocities))):
            return Refusal.NOT_FINITE
        for value, (low, high) in zip(
            command.values, (*POSITION_LIMITS, _FINGER_RANGE), strict=True
        ):
            if not low - _POSITION_TOLERANCE <= value <= high + _POSITION_TOLERANCE:
                return Refusal.POSITION_LIMIT
        if not (math.isfinite(command.lease) and command.lease > 0.0):
            return Refusal.LEASE
        if not ros_now <= command.valid_until:
            return Refusal.EXPIRED
        return None

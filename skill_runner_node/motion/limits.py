"""The arm's joint limits, from the robot's configuration file (the one that the kernel reads)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from openral.errors import ConfigError

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class JointLimits:
    """Limits per joint of the robot, in the order of `names`.

    Attributes:
        robot: Its name.
        names: All joints, gripper last.
        gripper: Which of them are fingers.
        position_min, position_max: (n,) [rad], fingers [m].
        velocity: (n,) [rad/s], fingers [m/s].
        acceleration: (n,) [rad/s²], fingers [m/s²].
        home: (n,) where the arm is out of the cameras' way.
    """

    robot: str
    names: tuple[str, ...]
    gripper: tuple[str, ...]
    position_min: Array
    position_max: Array
    velocity: Array
    acceleration: Array
    home: Array


def load_limits(path: Path) -> JointLimits:
    """Reads ``/**: ros__parameters: robot`` from a robot's configuration file.

    Raises:
        ConfigError: Names file, field, value and what is valid.
    """
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        robot = document["/**"]["ros__parameters"]["robot"]
        joints = [str(name) for name in robot["joints"]]
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path}: expected a robot configuration, got {error}") from None
    except (KeyError, TypeError):
        raise ConfigError(
            f"{path}: expected '/**: ros__parameters: robot: joints: [...]'"
        ) from None
    fields = ("position_min", "position_max", "velocity_max", "acceleration_max")
    columns = [
        np.array([_number(path, robot, ("limits", joint, field)) for joint in joints])
        for field in fields
    ]
    low, high, velocity, acceleration = columns
    home = robot.get("home")
    if not isinstance(home, list) or len(home) != len(joints):
        raise ConfigError(f"{path}: field 'robot.home' = {home!r}: valid is {len(joints)} numbers")
    at_joint = list(enumerate(joints))
    for index, joint in at_joint:
        if low[index] >= high[index]:
            raise ConfigError(
                f"{path}: limits of '{joint}': position_min must be below position_max"
            )
        for field, column in (("velocity_max", velocity), ("acceleration_max", acceleration)):
            if column[index] <= 0.0:
                raise ConfigError(f"{path}: '{joint}.{field}' = {column[index]}: valid is > 0")
    gripper = tuple(str(name) for name in robot.get("gripper_joints", []))
    if not gripper or not set(gripper) <= set(joints):
        raise ConfigError(f"{path}: 'robot.gripper_joints' = {gripper}: valid are some of {joints}")
    resting = np.array([_home(path, joint, home[i], low[i], high[i]) for i, joint in at_joint])
    return JointLimits(
        str(robot.get("name", "")),
        tuple(joints),
        gripper,
        low,
        high,
        velocity,
        acceleration,
        resting,
    )


def _number(path: Path, robot: Any, keys: tuple[str, ...]) -> float:
    value = robot
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    name = ".".join(("robot", *keys))
    if not _finite(value):
        raise ConfigError(f"{path}: field '{name}' = {value!r}: valid is a finite number")
    return float(value)


def _home(path: Path, joint: str, value: Any, low: float, high: float) -> float:
    if not _finite(value) or not low <= value <= high:
        raise ConfigError(
            f"{path}: field 'robot.home', joint '{joint}' = {value!r}: valid is [{low}, {high}]"
        )
    return float(value)


def _finite(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and bool(np.isfinite(value))

"""The arm's joint limits, from the robot's configuration file (the one that the kernel reads)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from openral.errors import ConfigError
from openral.validation import validate
from skill_runner_node.robot_file import robot_section

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


_Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]


class _Section(BaseModel):
    # The file belongs to the kernel; what else it says does not matter here.
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Joint(_Section):
    position_min: _Number
    position_max: _Number
    velocity_max: _Number = Field(gt=0.0)
    acceleration_max: _Number = Field(gt=0.0)


class _Robot(_Section):
    name: str = ""
    joints: tuple[str, ...] = Field(min_length=1)
    gripper_joints: tuple[str, ...] = Field(min_length=1)
    home: tuple[_Number, ...]
    limits: dict[str, _Joint]


class _RobotFile(_Section):
    robot: _Robot


def load_limits(path: Path) -> JointLimits:
    """Reads the joints of a robot's configuration file.

    Raises:
        ConfigError: Names the file, and the line or each bad field with its value and what is
            valid.
    """
    robot = validate({"robot": robot_section(path)}, _RobotFile, str(path)).robot
    joints = robot.joints
    for joint in joints:
        if joint not in robot.limits:
            raise ConfigError(f"{path}: field 'robot.limits.{joint}' is missing")
        limits = robot.limits[joint]
        if limits.position_min >= limits.position_max:
            raise ConfigError(
                f"{path}: limits of '{joint}': position_min must be below position_max"
            )
    if len(robot.home) != len(joints):
        raise ConfigError(
            f"{path}: field 'robot.home' = {robot.home}: valid is {len(joints)} numbers"
        )
    for joint, value in zip(joints, robot.home, strict=True):
        low, high = robot.limits[joint].position_min, robot.limits[joint].position_max
        if not low <= value <= high:
            raise ConfigError(
                f"{path}: field 'robot.home', joint '{joint}' = {value}: valid is [{low}, {high}]"
            )
    if not set(robot.gripper_joints) <= set(joints):
        raise ConfigError(
            f"{path}: field 'robot.gripper_joints' = {robot.gripper_joints}: valid are some of"
            f" {joints}"
        )
    in_order = [robot.limits[joint] for joint in joints]
    return JointLimits(
        robot=robot.name,
        names=joints,
        gripper=robot.gripper_joints,
        position_min=np.array([one.position_min for one in in_order]),
        position_max=np.array([one.position_max for one in in_order]),
        velocity=np.array([one.velocity_max for one in in_order]),
        acceleration=np.array([one.acceleration_max for one in in_order]),
        home=np.array(robot.home),
    )

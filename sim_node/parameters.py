"""What can be set on the simulator; defaults and units also stand in `config/sim_node.yaml`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field

from openral.camera_model import CameraConfig
from openral.errors import ConfigError
from openral.ros.parameters import ParameterModel
from sim_node.groceries import GROCERIES
from sim_node.robot import GRIPPER_LIMITS, JOINTS, POSITION_LIMITS
from sim_node.scene import SceneOptions
from sim_node.spawn import Pose2

_MAX_RATE = 60.0
_MAX_PLACE = 10.0


class SimParameters(ParameterModel):
    """Parameters of the node."""

    seed: int = Field(0, ge=0, le=2**31 - 1, description="decides every random pose")
    objects: tuple[str, ...] = Field(
        tuple(GROCERIES), description=f"objects on the table, of {', '.join(GROCERIES)}"
    )
    basket: bool = Field(True, description="whether there is a basket")
    object_poses: str = Field(
        "{}",
        description="JSON object of label to [x, y, yaw] in m and rad: fixed instead of seeded",
    )
    timestep: float = Field(
        0.002, ge=0.0005, le=0.002, description="of the physics", json_schema_extra={"unit": "s"}
    )
    catch_up: float = Field(
        0.05,
        ge=0.002,
        le=1.0,
        description="a longer stall than this is dropped from simulated time and reported",
        json_schema_extra={"unit": "s"},
    )
    max_lease: float = Field(
        0.015,
        ge=0.002,
        le=0.1,
        description="longest time that a motor command is obeyed",
        json_schema_extra={"unit": "s"},
    )
    joint_state_rate: float = Field(
        100.0,
        ge=10.0,
        le=500.0,
        description="of joint_states and of the record",
        json_schema_extra={"unit": "Hz"},
    )
    cameras_file: str = Field(
        "cameras.yaml", min_length=1, description="camera poses, in the configuration folder"
    )
    camera_rates: str = Field(
        "{}", description="JSON object of camera name to rate in Hz, over the file's"
    )
    depth: bool = Field(True, description="whether cameras with depth publish it")
    realtime_priority: int = Field(
        20,
        ge=0,
        le=49,
        description="of the whole process under SCHED_RR, below the safety kernel's; 0: none; "
        "left out where the system does not allow it; the cameras' process has none",
    )
    camera_restarts: int = Field(
        3,
        ge=1,
        le=100,
        description="restarts of the cameras' process within camera_window; then the simulator"
        " ends",
    )
    camera_window: float = Field(
        60.0,
        ge=1.0,
        le=3600.0,
        description="time in which so many restarts are allowed",
        json_schema_extra={"unit": "s"},
    )
    camera_watch: float = Field(
        0.2,
        ge=0.05,
        le=5.0,
        description="time between two looks whether the cameras' process runs",
        json_schema_extra={"unit": "s"},
    )
    report_period: float = Field(
        1.0,
        ge=0.1,
        le=10.0,
        description="time between two diagnostics",
        json_schema_extra={"unit": "s"},
    )
    switch_interval: float = Field(
        0.0005,
        ge=0.0001,
        le=0.005,
        description="time after which Python's lock is handed to another thread",
        json_schema_extra={"unit": "s"},
    )
    record_path: str = Field("", description="file for the referee's record; empty: none")
    record_retry: float = Field(
        1.0,
        ge=0.1,
        le=60.0,
        description="time between two attempts to write a record that the disk does not take",
        json_schema_extra={"unit": "s"},
    )
    record_size_max_mb: float = Field(
        1000.0,
        ge=1.0,
        le=1e6,
        description="largest size of the record, where it ends unjudged; 1000: three hours",
        json_schema_extra={"unit": "MB"},
    )


def scene_options(parameters: SimParameters) -> SceneOptions:
    """The scene that the parameters describe.

    Raises:
        ConfigError: `object_poses` is no JSON object of label to three finite numbers.
    """
    raw = _json_object("object_poses", parameters.object_poses)
    poses: dict[str, Pose2] = {}
    for label, pose in raw.items():
        if label not in parameters.objects:
            raise ConfigError(
                f"parameter 'object_poses': {label!r} is not among the objects "
                f"({', '.join(parameters.objects)})"
            )
        if not (isinstance(pose, list) and len(pose) == 3 and all(_number(v) for v in pose)):
            raise ConfigError(
                f"parameter 'object_poses': {label!r}: expected [x, y, yaw], each within "
                f"±{_MAX_PLACE:g}, got {pose!r}"
            )
        poses[label] = (float(pose[0]), float(pose[1]), float(pose[2]))
    return SceneOptions(
        seed=parameters.seed,
        objects=parameters.objects,
        basket=parameters.basket,
        object_poses=poses,
        timestep=parameters.timestep,
    )


def start_pose(value: object) -> tuple[float, ...]:
    """The joints' start, from `robot.home` of the robot's own file: [rad], the finger's [m].

    Raises:
        ConfigError: Not one finite number for each joint, or one outside its joint's limits.
    """
    given = value if isinstance(value, Iterable) and not isinstance(value, (str, bytes)) else ()
    values = tuple(given)
    if len(values) != len(JOINTS):
        raise ConfigError(
            f"parameter 'robot.home': expected {len(JOINTS)} values, got "
            f"{len(values) if values else repr(value)}"
        )
    for joint, number, (low, high) in zip(
        JOINTS, values, (*POSITION_LIMITS, GRIPPER_LIMITS), strict=True
    ):
        if not _number(number) or not low <= number <= high:
            raise ConfigError(
                f"parameter 'robot.home': {joint}: expected [{low:g}, {high:g}], got {number!r}"
            )
    return tuple(float(number) for number in values)


def with_rates(
    cameras: Mapping[str, CameraConfig], parameters: SimParameters
) -> dict[str, CameraConfig]:
    """The cameras with the rates and the depth that the parameters ask for.

    Raises:
        ConfigError: `camera_rates` is no JSON object of a camera's name to a rate in range.
    """
    rates = _json_object("camera_rates", parameters.camera_rates)
    for name, rate in rates.items():
        if name not in cameras:
            raise ConfigError(
                f"parameter 'camera_rates': unknown camera {name!r}; valid: {', '.join(cameras)}"
            )
        if not (_number(rate, _MAX_RATE) and rate > 0.0):
            raise ConfigError(
                f"parameter 'camera_rates': {name}: expected (0, {_MAX_RATE:g}] Hz, got {rate!r}"
            )
    return {
        name: camera.model_copy(
            update={
                "rate_hz": float(rates.get(name, camera.rate_hz)),
                "depth": camera.depth and parameters.depth,
            }
        )
        for name, camera in cameras.items()
    }


def _json_object(field: str, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigError(f"parameter '{field}': expected a JSON object, got {text!r}") from error
    if not isinstance(value, dict):
        raise ConfigError(f"parameter '{field}': expected a JSON object, got {text!r}")
    return value


def _number(value: object, limit: float = _MAX_PLACE) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= limit

"""What can be set on the simulator; defaults and units also stand in `config/sim_node.yaml`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field

from openral.camera_model import CameraConfig
from openral.errors import ConfigError
from openral.ros.parameters import ParameterModel, count, number, seconds
from sim_node.groceries import GROCERIES
from sim_node.robot import GRIPPER_LIMITS, JOINTS, POSITION_LIMITS
from sim_node.scene import SceneOptions
from sim_node.spawn import Pose2

_MAX_RATE = 60.0
_MAX_PLACE = 10.0


class SimParameters(ParameterModel):
    """Parameters of the node."""

    seed: int = count(0, 0, 2**31 - 1, "decides every random pose")
    objects: tuple[str, ...] = Field(
        tuple(GROCERIES), description=f"objects on the table, of {', '.join(GROCERIES)}"
    )
    basket: bool = Field(True, description="whether there is a basket")
    object_poses: str = Field(
        "{}",
        description="JSON object of label to [x, y, yaw] in m and rad: fixed instead of seeded",
    )
    timestep: float = seconds(0.002, 0.0005, 0.002, "of the physics")
    catch_up: float = seconds(
        0.05, 0.002, 1.0, "a longer stall than this is dropped from simulated time and reported"
    )
    max_lease: float = seconds(0.015, 0.002, 0.1, "longest time that a motor command is obeyed")
    joint_state_rate: float = number(
        100.0, 10.0, 500.0, "of joint_states and of the record", unit="Hz"
    )
    cameras_file: str = Field(
        "cameras.yaml", min_length=1, description="camera poses, in the configuration folder"
    )
    camera_rates: str = Field(
        "{}", description="JSON object of camera name to rate in Hz, over the file's"
    )
    depth: bool = Field(True, description="whether cameras with depth publish it")
    realtime_priority: int = count(
        20,
        0,
        49,
        "of the whole process under SCHED_RR, below the safety kernel's; 0: none; left out "
        "where the system does not allow it; the cameras' process has none",
    )
    camera_restarts: int = count(
        3, 1, 100, "restarts of the cameras' process within camera_window; then the simulator ends"
    )
    camera_window: float = seconds(60.0, 1.0, 3600.0, "time in which so many restarts are allowed")
    camera_watch: float = seconds(
        0.2, 0.05, 5.0, "time between two looks whether the cameras' process runs"
    )
    report_period: float = seconds(1.0, 0.1, 10.0, "time between two diagnostics")
    switch_interval: float = seconds(
        0.0005, 0.0001, 0.005, "time after which Python's lock is handed to another thread"
    )
    record_path: str = Field("", description="file for the referee's record; empty: none")
    record_retry: float = seconds(
        1.0, 0.1, 60.0, "time between two attempts to write a record that the disk does not take"
    )
    record_size_max_mb: float = number(
        1000.0,
        1.0,
        1e6,
        "largest size of the record, where it ends unjudged; 1000: three hours",
        unit="MB",
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
    for joint, at, (low, high) in zip(
        JOINTS, values, (*POSITION_LIMITS, GRIPPER_LIMITS), strict=True
    ):
        if not _number(at) or not low <= at <= high:
            raise ConfigError(
                f"parameter 'robot.home': {joint}: expected [{low:g}, {high:g}], got {at!r}"
            )
    return tuple(map(float, values))


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

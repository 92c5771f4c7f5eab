"""Parameters of the reward monitor."""

from __future__ import annotations

from pydantic import Field

from openral.camera_agreement import TOLERANCE
from openral.names import NAME
from openral.ros.parameters import ParameterModel


class MonitorParameters(ParameterModel):
    """Parameters of `reward_monitor`; files are named within the configuration folder."""

    rskill: str = Field(
        "reward_geometric", pattern=NAME, description="manifest of the reward model"
    )
    robot_file: str = Field("robots/panda.yaml", description="the robot's joints")
    cameras_file: str = Field("cameras.yaml", description="the cameras' calibration")
    rskills_folder: str = Field("rskills", description="folder of rSkill manifests")
    detector: str = Field("catalogue", pattern=NAME, description="detector that it listens to")
    camera_info_tolerance: float = Field(
        TOLERANCE,
        ge=0.001,
        le=0.2,
        description="share of the configured focal lengths and principal point that a camera_info"
        " may be off",
        json_schema_extra={"unit": "1"},
    )
    tick_s: float = Field(
        0.1,
        ge=0.01,
        le=1.0,
        description="time between two checks whether a score is due",
        json_schema_extra={"unit": "s"},
    )
    final_wait_s: float = Field(
        1.2,
        ge=0.0,
        le=10.0,
        description="longest wait for images from after a skill's end, for its last score; shorter "
        "than verdict_wait_s of reasoner_node.yaml",
        json_schema_extra={"unit": "s"},
    )

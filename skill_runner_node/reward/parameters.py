"""Parameters of the reward monitor."""

from __future__ import annotations

from pydantic import Field

from openral.camera_agreement import TOLERANCE
from openral.names import NAME
from openral.ros.parameters import ParameterModel, number, seconds


class MonitorParameters(ParameterModel):
    """Parameters of `reward_monitor`; files are named within the configuration folder."""

    rskill: str = Field(
        "reward_geometric", pattern=NAME, description="manifest of the reward model"
    )
    robot_file: str = Field("robots/panda.yaml", description="the robot's joints")
    cameras_file: str = Field("cameras.yaml", description="the cameras' calibration")
    rskills_folder: str = Field("rskills", description="folder of rSkill manifests")
    detector: str = Field("catalogue", pattern=NAME, description="detector that it listens to")
    camera_info_tolerance: float = number(
        TOLERANCE,
        0.001,
        0.2,
        "share of the configured focal lengths and principal point that a camera_info may be off",
        unit="1",
    )
    tick_s: float = seconds(0.1, 0.01, 1.0, "time between two checks whether a score is due")
    skill_state_timeout_s: float = seconds(
        2.0,
        0.5,
        60.0,
        "silence of skill_state during an attempt that ends it; longer than state_period_s of "
        "skill_runner_node.yaml",
    )
    final_wait_s: float = seconds(
        1.2,
        0.0,
        10.0,
        "longest wait for images from after a skill's end, for its last score; shorter than "
        "verdict_wait_s of reasoner_node.yaml",
    )

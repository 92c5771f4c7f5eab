"""Parameters of the skill runner."""

from __future__ import annotations

from pydantic import Field, model_validator

from openral.camera_agreement import TOLERANCE
from openral.names import NAME
from openral.ros.parameters import ParameterModel, count, number, seconds


class RunnerParameters(ParameterModel):
    """Parameters of `skill_runner_node`; files are named within the configuration folder."""

    robot_file: str = Field("robots/panda.yaml", description="the robot's joints and limits")
    cameras_file: str = Field("cameras.yaml", description="the cameras' calibration")
    rskills_folder: str = Field("rskills", description="folder of rSkill manifests")
    catalogue_folder: str = Field(
        "catalogue", description="folder of known objects and their sizes"
    )
    detector: str = Field(
        "catalogue",
        pattern=NAME,
        description="detector that is asked where things are",
    )
    stream_period_s: float = seconds(0.02, 0.005, 0.06, "time between chunks")
    row_period_s: float = seconds(0.02, 0.005, 0.1, "time between rows of a chunk")
    horizon: int = count(32, 4, 512, "rows of a chunk", unit="rows")
    context_rows: int = count(
        4, 0, 64, "rows before the consumed one that a chunk repeats", unit="rows"
    )
    lead_rows: int = count(
        10, 1, 64, "rows after the consumed one that a stop leaves as they are", unit="rows"
    )
    tick_s: float = seconds(0.01, 0.002, 0.05, "time between two advances of a run")
    splice_tolerance: float = number(
        0.001,
        1e-6,
        0.02,
        "how far a motion's first row may be off the command in force",
        unit="rad, fingers m",
    )
    limit_share: float = number(
        0.9,
        0.1,
        1.0,
        "share of the robot's joint limits that motions and stops are planned with",
        unit="1",
    )
    smoothing_s: float = seconds(
        0.16,
        0.02,
        1.0,
        "length of each of the two averages that smooth a motion; shorter = jerkier",
    )
    tool_speed: float = number(0.23, 0.01, 0.25, "fastest speed of the tool", unit="m/s")
    kernel_silence_s: float = seconds(1.5, 0.2, 10.0, "longest silence of kernel_status")
    joint_state_silence_s: float = seconds(0.3, 0.05, 5.0, "longest silence of joint_states")
    camera_info_tolerance: float = number(
        TOLERANCE,
        0.001,
        0.2,
        "share of the configured focal lengths and principal point that a camera_info may be off",
        unit="1",
    )
    start_wait_s: float = seconds(
        2.0, 0.1, 30.0, "wait for the first kernel_status and joint_states"
    )
    progress_wait_s: float = seconds(
        1.0, 0.1, 10.0, "longest stand of the kernel's row in a motion"
    )
    look_timeout_s: float = seconds(4.0, 0.5, 30.0, "longest time that a look may take")
    ask_wait_s: float = seconds(
        0.1, 0.02, 5.0, "time before the detector is asked again, then doubled each time"
    )
    ask_wait_max_s: float = seconds(1.0, 0.02, 30.0, "longest such time")
    settle_s: float = seconds(0.04, 0.0, 2.0, "time at rest before an observation is taken")
    settle_max_s: float = seconds(0.6, 0.1, 5.0, "time after which it is taken in any case")
    rest_velocity: float = number(
        0.02, 0.001, 0.5, "speed below which a joint is at rest", unit="rad/s"
    )
    stop_wait_s: float = seconds(1.5, 0.1, 10.0, "time that a canceled motion may take to rest")
    grip_s: float = seconds(0.25, 0.0, 2.0, "wait after closing the gripper")
    release_s: float = seconds(0.12, 0.0, 2.0, "wait after opening the gripper")
    state_period_s: float = seconds(0.5, 0.05, 5.0, "time between skill_state while running")
    report_period_s: float = seconds(1.0, 0.1, 60.0, "time between diagnostics")
    goal_queue: int = count(
        256,
        1,
        4096,
        "goals that may arrive at once; what comes beyond is lost unanswered",
        unit="goals",
    )
    switch_interval_s: float = seconds(
        0.0005, 0.0001, 0.005, "time after which Python's lock is handed to another thread"
    )
    realtime_priority: int = count(
        30, 0, 70, "round-robin priority, below the safety kernel's; 0 = the usual scheduling"
    )

    @model_validator(mode="after")
    def _chunks_reach_far_enough(self) -> RunnerParameters:
        ahead = self.horizon - self.context_rows - 1
        if ahead < self.lead_rows:
            # A stop that changes the rows behind the lead would be in none of them.
            raise ValueError(
                f"horizon {self.horizon} must hold context_rows {self.context_rows}, the consumed"
                f" row and lead_rows {self.lead_rows}"
            )
        if ahead * self.row_period_s <= self.stream_period_s:
            raise ValueError(
                f"the {ahead} rows after the consumed one, row_period_s {self.row_period_s} apart,"
                f" must last longer than stream_period_s {self.stream_period_s}"
            )
        return self

"""Every number that the reasoner's decisions rest on: bounded, with unit and meaning."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator

from openral.names import NAME, PERCEPTION_NODE
from openral.ros.parameters import ParameterModel

SECONDS: dict[str, Any] = {"unit": "s"}
_NODE = r"^/?[A-Za-z_][A-Za-z0-9_]{0,62}(/[A-Za-z_][A-Za-z0-9_]{0,62}){0,2}$"


class Settings(ParameterModel):
    """What the core needs to know. The node's parameters extend it."""

    tick_hz: float = Field(
        0.2, ge=0.01, le=5.0, description="heartbeat rate", json_schema_extra={"unit": "Hz"}
    )
    min_interval_s: float = Field(
        0.1, ge=0.01, le=10.0, description="least time between two ticks", json_schema_extra=SECONDS
    )
    brain_timeout_s: float = Field(
        90.0, ge=1.0, le=600.0,
        description="time after which a decision that has not come counts as failed",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    retry_cap_per_kind: int = Field(
        3, ge=1, le=20, description="selections of one kind in a row before they are suppressed"
    )
    max_task_attempts: int = Field(3, ge=1, le=20, description="skill runs per task")
    max_task_locate_attempts: int = Field(
        3, ge=1, le=20, description="looks per task that lead to no skill run"
    )
    max_subdivide_depth: int = Field(2, ge=0, le=5, description="subdivisions of a task")
    max_tasks: int = Field(40, ge=1, le=200, description="tasks per mission")
    skill_failure_cap: int = Field(
        3, ge=1, le=20,
        description="runs in a row that a skill could not do its work before it leaves the palette",
    )  # fmt: skip
    max_ticks_per_mission: int = Field(200, ge=5, le=10000, description="decisions per mission")
    mission_budget_s: float = Field(
        900.0, ge=10.0, le=86400.0, description="time for one mission", json_schema_extra=SECONDS
    )
    fallback_success_threshold: float = Field(
        0.9, ge=0.0, le=1.0, description="progress that passes, where no reward contract says it"
    )
    fallback_check_floor: float = Field(
        0.5, ge=0.0, le=1.0,
        description="progress below which a task is replanned, where no reward contract says it",
    )  # fmt: skip
    fallback_patience_s: float = Field(
        30.0, ge=1.0, le=3600.0,
        description="time without new best progress before a skill is cancelled, where no reward "
        "contract says it",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    fallback_stall_window_s: float = Field(
        20.0, ge=0.5, le=600.0,
        description="time over which progress must rise, where no reward contract says it",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    fallback_stall_epsilon: float = Field(
        0.01, ge=0.0, le=1.0, description="least rise that is progress, where no contract says it"
    )
    scripted_grace_s: float = Field(
        8.0,
        ge=0.0,
        le=60.0,
        description="time that a scripted skill, which ends by itself, may go on after its reward "
        "passed; a learned one is cancelled at once",
        json_schema_extra=SECONDS,
    )
    verdict_wait_s: float = Field(
        2.0, ge=0.0, le=30.0,
        description="time to wait for the last score after a skill ended; longer than final_wait_s "
        "of reward_monitor.yaml",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    goal_response_timeout_s: float = Field(
        5.0, ge=0.1, le=60.0,
        description="time for the skill runner to accept or refuse a goal",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    cancel_timeout_s: float = Field(
        5.0, ge=0.1, le=60.0,
        description="time for the skill runner to end a cancelled goal", json_schema_extra=SECONDS,
    )  # fmt: skip
    deadline_margin_s: float = Field(
        5.0, ge=0.1, le=60.0,
        description="time past its deadline after which a skill is cancelled from here",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    question_timeout_s: float = Field(
        5.0, ge=0.1, le=120.0,
        description="time for a detector or monitor to answer", json_schema_extra=SECONDS,
    )  # fmt: skip
    image_question_timeout_s: float = Field(
        60.0, ge=1.0, le=600.0,
        description="time for the model to answer a question about an image",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    image_max_age_s: float = Field(
        3.0, ge=0.1, le=60.0,
        description="age beyond which the image of an answer proves nothing",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    in_view_max_age_s: float = Field(
        3.0, ge=0.1, le=600.0,
        description="age beyond which a detection no longer counts as in view",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    final_look_tries: int = Field(3, ge=1, le=10, description="tries to get a picture at the end")
    final_look_pause_s: float = Field(
        1.0, ge=0.0, le=30.0, description="time between two such tries", json_schema_extra=SECONDS
    )
    max_final_looks: int = Field(
        2, ge=1, le=10, description="final looks per mission, each may reopen tasks once"
    )
    place_tolerance_m: float = Field(
        0.06, gt=0.0, le=1.0,
        description="distance from its place on the table within which an object lies there",
        json_schema_extra={"unit": "m"},
    )  # fmt: skip
    object_height_max_m: float = Field(
        0.2, ge=0.0, le=1.0,
        description="height of the tallest object, whose top a camera sees beside its place",
        json_schema_extra={"unit": "m"},
    )  # fmt: skip
    kernel_unknown_wait_s: float = Field(
        0.5, ge=0.05, le=10.0,
        description="time between two tries to start a skill before the kernel has been heard",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    corrections_per_decision: int = Field(
        1, ge=0, le=5,
        description="times that a brain is told what was wrong before its decision has failed",
    )  # fmt: skip
    running_wait_s: float = Field(
        5.0, ge=0.1, le=30.0, description="wait of the rules while a skill runs",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    nothing_seen_wait_s: float = Field(
        1.0, ge=0.1, le=30.0, description="wait of the rules for something to come into view",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    blind_wait_s: float = Field(
        1.0, ge=0.1, le=30.0,
        description="time between two looks of the rules of which the first had no fresh image",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    event_repeat_s: float = Field(
        2.0, ge=0.0, le=60.0,
        description="time within which the same event again is counted and no news",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    max_event_lines: int = Field(60, ge=5, le=1000, description="events kept for the next decision")
    max_execution_lines: int = Field(12, ge=1, le=200, description="skill runs kept for decisions")
    max_looks: int = Field(24, ge=1, le=500, description="answered looks kept per mission")
    max_located: int = Field(12, ge=1, le=200, description="located objects kept")
    max_cameras: int = Field(
        16, ge=1, le=64, description="cameras whose view and health are kept; the oldest goes first"
    )
    max_critics: int = Field(8, ge=1, le=64, description="critics heard per skill run")
    max_scores: int = Field(
        400, ge=10, le=100000,
        description="scores kept per critic: the best of each such share of a stall window",
    )  # fmt: skip
    context_max_chars: int = Field(
        12000, ge=2000, le=400000, description="longest context given to a brain"
    )
    max_prompt_chars: int = Field(1000, ge=10, le=20000, description="longest operator prompt")
    primary_camera: str = Field(
        "front", pattern=NAME, description="camera that is looked through where none is named"
    )
    verify_camera: str = Field(
        "top", pattern=NAME, description="camera that sees into the containers"
    )
    detector: str = Field(
        "catalogue", pattern=NAME, description="detector that is asked by default"
    )
    lifecycle_allow: tuple[Annotated[str, Field(pattern=_NODE)], ...] = Field(
        (PERCEPTION_NODE,), description="nodes whose lifecycle a tool call may change"
    )

    @model_validator(mode="after")
    def _consistent(self) -> Settings:
        if self.fallback_check_floor >= self.fallback_success_threshold:
            raise ValueError(
                f"fallback_check_floor {self.fallback_check_floor} must lie below "
                f"fallback_success_threshold {self.fallback_success_threshold}"
            )
        for node in self.lifecycle_allow:
            # Whoever may restart the kernel has authority over motion.
            if "kernel" in node.lower() or "sim_node" in node.lower():
                raise ValueError(f"lifecycle_allow holds '{node}': never the kernel nor the robot")
        return self

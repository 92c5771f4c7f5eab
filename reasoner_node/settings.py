"""Every number that the reasoner's decisions rest on: bounded, with unit and meaning."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from openral.names import NAME, PERCEPTION_NODE
from openral.ros.parameters import ParameterModel, count, number, seconds

_NODE = r"^/?[A-Za-z_][A-Za-z0-9_]{0,62}(/[A-Za-z_][A-Za-z0-9_]{0,62}){0,2}$"


class Settings(ParameterModel):
    """What the core needs to know. The node's parameters extend it."""

    tick_hz: float = number(0.2, 0.01, 5.0, "heartbeat rate", unit="Hz")
    min_interval_s: float = seconds(0.1, 0.01, 10.0, "least time between two ticks")
    brain_timeout_s: float = seconds(
        90.0, 1.0, 600.0, "time after which a decision that has not come counts as failed"
    )
    retry_cap_per_kind: int = count(
        3, 1, 20, "selections of one kind in a row before they are suppressed"
    )
    max_task_attempts: int = count(3, 1, 20, "skill runs per task")
    max_task_locate_attempts: int = count(3, 1, 20, "looks per task that lead to no skill run")
    max_subdivide_depth: int = count(2, 0, 5, "subdivisions of a task")
    max_tasks: int = count(40, 1, 200, "tasks per mission")
    skill_failure_cap: int = count(
        3, 1, 20, "runs in a row that a skill could not do its work before it leaves the palette"
    )
    max_ticks_per_mission: int = count(200, 5, 10000, "decisions per mission")
    mission_budget_s: float = seconds(900.0, 10.0, 86400.0, "time for one mission")
    fallback_success_threshold: float = number(
        0.9, 0.0, 1.0, "progress that passes, where no reward contract says it"
    )
    fallback_check_floor: float = number(
        0.5, 0.0, 1.0, "progress below which a task is replanned, where no reward contract says it"
    )
    fallback_patience_s: float = seconds(
        30.0,
        1.0,
        3600.0,
        "time without new best progress before a skill is cancelled, where no reward "
        "contract says it",
    )
    fallback_stall_window_s: float = seconds(
        20.0, 0.5, 600.0, "time over which progress must rise, where no reward contract says it"
    )
    fallback_stall_epsilon: float = number(
        0.01, 0.0, 1.0, "least rise that is progress, where no contract says it"
    )
    scripted_grace_s: float = seconds(
        8.0,
        0.0,
        60.0,
        "time that a scripted skill, which ends by itself, may go on after its reward "
        "passed; a learned one is cancelled at once",
    )
    verdict_wait_s: float = seconds(
        2.0,
        0.0,
        30.0,
        "time to wait for the last score after a skill ended; longer than final_wait_s of "
        "reward_monitor.yaml",
    )
    goal_response_timeout_s: float = seconds(
        5.0, 0.1, 60.0, "time for the skill runner to accept or refuse a goal"
    )
    cancel_timeout_s: float = seconds(
        5.0, 0.1, 60.0, "time for the skill runner to end a cancelled goal"
    )
    deadline_margin_s: float = seconds(
        5.0, 0.1, 60.0, "time past its deadline after which a skill is cancelled from here"
    )
    question_timeout_s: float = seconds(5.0, 0.1, 120.0, "time for a detector or monitor to answer")
    image_question_timeout_s: float = seconds(
        60.0, 1.0, 600.0, "time for the model to answer a question about an image"
    )
    image_max_age_s: float = seconds(
        3.0, 0.1, 60.0, "age beyond which the image of an answer proves nothing"
    )
    in_view_max_age_s: float = seconds(
        3.0, 0.1, 600.0, "age beyond which a detection no longer counts as in view"
    )
    final_look_tries: int = count(3, 1, 10, "tries to get a picture at the end")
    final_look_pause_s: float = seconds(1.0, 0.0, 30.0, "time between two such tries")
    max_final_looks: int = count(2, 1, 10, "final looks per mission, each may reopen tasks once")
    place_tolerance_m: float = number(
        0.06,
        0.0,
        1.0,
        "distance from its place on the table within which an object lies there",
        unit="m",
        low_open=True,
    )
    object_height_max_m: float = number(
        0.2,
        0.0,
        1.0,
        "height of the tallest object, whose top a camera sees beside its place",
        unit="m",
    )
    kernel_unknown_wait_s: float = seconds(
        0.5, 0.05, 10.0, "time between two tries to start a skill before the kernel has been heard"
    )
    corrections_per_decision: int = count(
        1, 0, 5, "times that a brain is told what was wrong before its decision has failed"
    )
    running_wait_s: float = seconds(5.0, 0.1, 30.0, "wait of the rules while a skill runs")
    nothing_seen_wait_s: float = seconds(
        1.0, 0.1, 30.0, "wait of the rules for something to come into view"
    )
    blind_wait_s: float = seconds(
        1.0, 0.1, 30.0, "time between two looks of the rules of which the first had no fresh image"
    )
    event_repeat_s: float = seconds(
        2.0, 0.0, 60.0, "time within which the same event again is counted and no news"
    )
    max_event_lines: int = count(60, 5, 1000, "events kept for the next decision")
    max_execution_lines: int = count(12, 1, 200, "skill runs kept for decisions")
    max_looks: int = count(24, 1, 500, "answered looks kept per mission")
    max_located: int = count(12, 1, 200, "located objects kept")
    max_cameras: int = count(
        16, 1, 64, "cameras whose view and health are kept; the oldest goes first"
    )
    max_critics: int = count(8, 1, 64, "critics heard per skill run")
    max_scores: int = count(
        400, 10, 100000, "scores kept per critic: the best of each such share of a stall window"
    )
    context_max_chars: int = count(12000, 2000, 400000, "longest context given to a brain")
    max_prompt_chars: int = count(1000, 10, 20000, "longest operator prompt")
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

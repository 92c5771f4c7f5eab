"""All that the reasoner may do: words, the mission's state, one skill goal, questions.

No effect moves a motor, arms or resets the kernel; a skill goal is a request that the skill runner
turns into proposals and the kernel into motion.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from openral.missions import SayKind
from openral.names import MissionStateName, TaskStateName


class _Effect(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Say(_Effect):
    """Words for the operator."""

    effect: Literal["say"] = "say"
    text: str
    kind: SayKind = "info"
    trace_id: str = ""


class TaskReport(_Effect):
    """One task as it is published."""

    effect: Literal["task"] = "task"
    task_id: int
    object_ref: str
    text: str
    phase: TaskStateName
    depth: int
    attempts: int
    progress: float | None
    verdict: str
    reason: str
    elapsed_s: float


class PublishMission(_Effect):
    """The mission as it is."""

    effect: Literal["publish_mission"] = "publish_mission"
    mission_id: str
    goal: str
    phase: MissionStateName
    tasks: tuple[TaskReport, ...] = ()
    current: int = -1
    model_calls: int = 0
    brain: str
    message: str = ""


class StartSkill(_Effect):
    """A goal for the skill runner."""

    effect: Literal["start_skill"] = "start_skill"
    trace_id: str
    rskill_id: str
    prompt: str
    params_json: str
    deadline_s: float


class CancelSkill(_Effect):
    """Ends the goal with this trace id."""

    effect: Literal["cancel_skill"] = "cancel_skill"
    trace_id: str
    reason: str


class Locate(_Effect):
    """A question to a detector."""

    effect: Literal["locate"] = "locate"
    call_id: str
    detector: str
    query: str
    camera: str


class AskImage(_Effect):
    """A question to the vision-language model about a camera's image now.

    Attributes:
        max_age_s: [s] age of an image beyond which it must not be asked about.
    """

    effect: Literal["ask_image"] = "ask_image"
    call_id: str
    camera: str
    question: str
    max_age_s: float


class AskScene(_Effect):
    """A free question about a camera's image, for the brain to read; it decides no verdict."""

    effect: Literal["ask_scene"] = "ask_scene"
    call_id: str
    camera: str
    question: str


class QueryProgress(_Effect):
    """A question to the reward monitor."""

    effect: Literal["query_progress"] = "query_progress"
    call_id: str
    window_s: float


class ChangeLifecycle(_Effect):
    """A lifecycle transition of a node on the allow-list."""

    effect: Literal["change_lifecycle"] = "change_lifecycle"
    call_id: str
    node: str
    transition: str


class ReloadPipeline(_Effect):
    """A restart of one camera's image pipeline."""

    effect: Literal["reload_pipeline"] = "reload_pipeline"
    call_id: str
    camera: str


class ReportFailure(_Effect):
    """A Tier-C report of the stall watchdog."""

    effect: Literal["report_failure"] = "report_failure"
    layer: Literal["critic"] = "critic"
    severity: int
    failure: str
    skill_id: str
    trace_id: str
    message: str


Effect = Annotated[
    Say
    | PublishMission
    | StartSkill
    | CancelSkill
    | Locate
    | AskImage
    | AskScene
    | QueryProgress
    | ChangeLifecycle
    | ReloadPipeline
    | ReportFailure,
    Field(discriminator="effect"),
]
EFFECT: TypeAdapter[Effect] = TypeAdapter(Effect)

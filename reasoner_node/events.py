"""What the reasoner hears: one frozen model per kind of event, told apart by `kind`."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from openral.names import (
    TRACE_ID_CHARS,
    FailureLayer,
    KernelStateName,
    OutcomeName,
    SeverityName,
)

NodeName = Literal["safety_kernel", "skill_runner", "robot", "perception"]
SEVERITY_NAMES: tuple[SeverityName, ...] = get_args(SeverityName)
INFO, WARN, FAIL, ABORT = range(len(SEVERITY_NAMES))


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class OperatorPrompt(_Event):
    """Words from the operator.

    Attributes:
        trace_id: The sender's own mark, given back with the answer to a prompt that becomes no
            mission.
        cut_chars: Characters that followed `text` and were left out, since nobody would take them.
    """

    kind: Literal["operator_prompt"] = "operator_prompt"
    text: str
    source: str = "operator"
    trace_id: str = Field("", max_length=TRACE_ID_CHARS)
    cut_chars: int = Field(0, ge=0)


class Failure(_Event):
    """A layer reports that something went wrong.

    Attributes:
        camera: Concerned by a failure of layer `sensor`; empty = none, or its evidence is unusable.
    """

    kind: Literal["failure"] = "failure"
    layer: FailureLayer
    severity: int = Field(ge=INFO, le=ABORT)
    failure: str
    camera: str = ""
    source: str = ""
    skill_id: str = ""
    trace_id: str = ""
    message: str = ""


class CriticScore(_Event):
    """A reward monitor's score of a skill attempt; None = it cannot tell.

    Attributes:
        stamp_s: When it was made, on the clock of `SkillEnded.stamp_s` [s]; None = not said.
    """

    kind: Literal["critic_score"] = "critic_score"
    critic_id: str
    trace_id: str
    score: float | None = Field(None, ge=0.0, le=1.0)
    progress: float | None = Field(None, ge=0.0, le=1.0)
    success: float | None = Field(None, ge=0.0, le=1.0)
    threshold: float = Field(ge=0.0, le=1.0)
    floor: float = Field(ge=0.0, le=1.0)
    stage: str = ""
    stamp_s: float | None = None


class Seen(_Event):
    """One object in one image; box in pixels, x right, y down."""

    label: str
    score: float
    x_min: float
    y_min: float
    x_max: float
    y_max: float
    det_id: int = -1

    @property
    def centre(self) -> tuple[float, float]:
        """Middle of the box [px]."""
        return (self.x_min + self.x_max) / 2.0, (self.y_min + self.y_max) / 2.0

    def holds(self, point: tuple[float, float]) -> bool:
        """Whether a pixel lies in the box."""
        return self.x_min <= point[0] <= self.x_max and self.y_min <= point[1] <= self.y_max


class DetectionsSeen(_Event):
    """What a detector sees in a camera now; the age of its image [s], None = not known."""

    kind: Literal["detections_seen"] = "detections_seen"
    detector: str
    camera: str
    detections: tuple[Seen, ...]
    image_age_s: float | None = None


class PerceptionChange(_Event):
    """Something changed in view. Informational."""

    kind: Literal["perception_change"] = "perception_change"
    change: str
    camera: str = ""
    label: str = ""
    summary: str = ""


class KernelState(_Event):
    """The safety kernel's state changed."""

    kind: Literal["kernel_state"] = "kernel_state"
    state: KernelStateName
    reason: str = ""
    message: str = ""
    unmet: tuple[str, ...] = ()


class NodePresence(_Event):
    """A node that the mission needs fell silent or is back.

    Attributes:
        new_life: It is another process than the one heard before.
    """

    kind: Literal["node_presence"] = "node_presence"
    node: NodeName
    alive: bool
    new_life: bool = False
    detail: str = ""


class SkillAccepted(_Event):
    """The skill runner took a goal."""

    kind: Literal["skill_accepted"] = "skill_accepted"
    trace_id: str


class SkillEnded(_Event):
    """A goal ended. `completed` says that the plan ended, nothing about the task.

    Attributes:
        stamp_s: When, by the skill runner, or else when it was heard [s]; None = nothing began.
    """

    kind: Literal["skill_ended"] = "skill_ended"
    trace_id: str
    outcome: OutcomeName
    reason: str = ""
    stamp_s: float | None = None


class LocateAnswered(_Event):
    """A detector's answer; `answered` is False where it did not answer at all."""

    kind: Literal["locate_answered"] = "locate_answered"
    call_id: str
    answered: bool
    found: bool = False
    camera: str = ""
    detections: tuple[Seen, ...] = ()
    image_age_s: float | None = None
    message: str = ""


class ImageAnswered(_Event):
    """A vision-language model's answer about one image; only the closed `answer` decides."""

    kind: Literal["image_answered"] = "image_answered"
    call_id: str
    answer: Literal["done", "not_done", "cannot_tell"]
    message: str = ""


class ServiceAnswered(_Event):
    """The answer of any other service, as one line of text."""

    kind: Literal["service_answered"] = "service_answered"
    call_id: str
    ok: bool
    message: str = ""


Event = Annotated[
    OperatorPrompt
    | Failure
    | CriticScore
    | DetectionsSeen
    | PerceptionChange
    | KernelState
    | NodePresence
    | SkillAccepted
    | SkillEnded
    | LocateAnswered
    | ImageAnswered
    | ServiceAnswered,
    Field(discriminator="kind"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)

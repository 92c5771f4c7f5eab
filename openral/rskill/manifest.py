"""The manifest of an rSkill: what it is, what it takes, how long it may run. One model per kind."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    TypeAdapter,
    model_validator,
)

from openral.names import NAME
from openral.rskill.params import ParamsSchema
from openral.rskill.reward_contract import RewardContract

Name = Annotated[str, Field(pattern=NAME)]
RosName = Annotated[
    str, Field(pattern=r"^/?[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*$", max_length=200)
]
RosType = Annotated[
    str, Field(pattern=r"^[a-z][a-z0-9_]*/(srv|action)/[A-Z][A-Za-z0-9]*$", max_length=200)
]
Dtype = Literal["float32", "bfloat16", "float16", "int8", "nf4"]
Setting = StrictBool | StrictInt | Annotated[float, Field(allow_inf_nan=False)]
VramGb = Annotated[float, Field(gt=0.0, le=1024.0)]


class _Manifest(BaseModel):
    """What every kind declares.

    Attributes:
        id: Name of the rSkill and of its folder.
        description: For the reasoner: what it does, when to use it.
        robots: Robots that it was made for; empty = any.
        params: Parameters of its goal.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Name
    version: str = Field("1.0.0", pattern=r"^\d+\.\d+\.\d+$")
    description: str = Field(min_length=1, max_length=1000)
    robots: tuple[str, ...] = ()
    params: ParamsSchema = ParamsSchema()

    def suits(self, robot: str) -> bool:
        """Whether it was made for `robot`."""
        return not self.robots or robot in self.robots


class _Runnable(_Manifest):
    """A kind that runs as a goal of `execute_rskill`.

    Attributes:
        deadline_s: [s] hard end of a goal that names none.
        deadline_max_s: [s] longest deadline that a goal may ask for.
        patience_s: [s] without progress of its plan or motion that end a goal that names none.
    """

    deadline_s: float = Field(ge=1.0, le=3600.0)
    deadline_max_s: float = Field(3600.0, ge=1.0, le=3600.0)
    patience_s: float = Field(60.0, ge=1.0, le=3600.0)

    @model_validator(mode="after")
    def _deadlines(self) -> _Runnable:
        if self.deadline_s > self.deadline_max_s:
            raise ValueError(
                f"deadline_s {self.deadline_s} exceeds deadline_max_s {self.deadline_max_s}"
            )
        return self


class ScriptedManifest(_Runnable):
    """A policy written by hand, scored by the deployment's default reward model.

    Attributes:
        policy: Name of the policy in the skill runner's factory.
        cameras: Cameras that it looks through.
        settings: Numbers of the policy; which there are, and their ranges, is the policy's to say.
    """

    kind: Literal["scripted"]
    policy: Name
    cameras: tuple[Name, ...] = ()
    settings: dict[Name, Setting] = Field(default_factory=dict, max_length=32)


class VlaManifest(_Runnable):
    """A vision-language-action model.

    Attributes:
        runtime: Library that runs it.
        checkpoint: Folder or repository name of the weights.
        dtype: Number format that it is loaded in.
        min_vram_gb: [GB] GPU memory that it needs, by number format.
        reward_rskill_name: Its reward model; None = the deployment's default.
        cameras: Cameras in the order of the model's image inputs.
        horizon: Rows of one chunk.
        dt: [s] between rows.
    """

    kind: Literal["vla"]
    runtime: Literal["lerobot", "openpi", "transformers"]
    checkpoint: str = Field(min_length=1, max_length=400)
    dtype: Dtype = "bfloat16"
    min_vram_gb: dict[Dtype, VramGb] = Field(default_factory=dict)
    reward_rskill_name: Name | None = None
    cameras: tuple[Name, ...] = Field(min_length=1)
    horizon: int = Field(ge=1, le=1024)
    dt: float = Field(ge=0.001, le=1.0)

    def active_min_vram_gb(self) -> float | None:
        """[GB] needed in the number format that is loaded; None = not declared."""
        return self.min_vram_gb.get(self.dtype)


class RewardManifest(_Manifest):
    """A model that says how far a task is.

    Attributes:
        critic_id: Name in its scores.
        runtime: ``geometric`` needs no GPU; ``transformers`` runs a checkpoint.
        min_vram_gb: [GB] GPU memory that it needs, by number format; empty with ``geometric``.
        contract: How its scores are read.
        settings: Numbers of the model; which there are, and their ranges, is the model's to say.
    """

    kind: Literal["reward"]
    critic_id: Name
    runtime: Literal["geometric", "transformers"]
    checkpoint: str = Field("", max_length=400)
    dtype: Dtype = "float32"
    min_vram_gb: dict[Dtype, VramGb] = Field(default_factory=dict)
    cameras: tuple[Name, ...] = Field(min_length=1)
    contract: RewardContract
    settings: dict[Name, Setting] = Field(default_factory=dict, max_length=64)

    @model_validator(mode="after")
    def _checkpoint(self) -> RewardManifest:
        if (self.runtime == "transformers") != bool(self.checkpoint):
            raise ValueError("'checkpoint' belongs to runtime 'transformers', and only to it")
        return self

    def active_min_vram_gb(self) -> float | None:
        """[GB] needed in the number format that is loaded; 0 without a GPU; None = not declared."""
        return 0.0 if self.runtime == "geometric" else self.min_vram_gb.get(self.dtype)


class DetectorManifest(_Manifest):
    """An object detector, run as a node of its own."""

    kind: Literal["detector"]
    detector: Name
    cameras: tuple[Name, ...] = Field(min_length=1)
    open_vocabulary: bool = False


class VlmManifest(_Manifest):
    """A vision-language model that answers questions about a camera's image."""

    kind: Literal["vlm"]
    model: str = Field(min_length=1, max_length=200)
    cameras: tuple[Name, ...] = Field(min_length=1)


class PlaybookManifest(_Manifest):
    """A procedure in words that the reasoner reads and never executes.

    Attributes:
        trigger: When to read it.
        composes_tools: Tools that it speaks of.
        done_predicate: When it is over.
        max_steps: Most tool calls that it may take.
        fallback: What to do where it fails.
    """

    kind: Literal["playbook"]
    role: Literal["s2"] = "s2"
    trigger: str = Field(min_length=1, max_length=400)
    composes_tools: tuple[Name, ...] = Field(min_length=1)
    done_predicate: str = Field(min_length=1, max_length=400)
    max_steps: int = Field(ge=1, le=100)
    fallback: str = Field(min_length=1, max_length=400)


class RosActionManifest(_Runnable):
    """A goal for another node's action server."""

    kind: Literal["ros_action"]
    action: RosName
    type: RosType


class RosServiceManifest(_Runnable):
    """A call of another node's service."""

    kind: Literal["ros_service"]
    service: RosName
    type: RosType


RskillManifest = Annotated[
    ScriptedManifest
    | VlaManifest
    | RewardManifest
    | DetectorManifest
    | VlmManifest
    | PlaybookManifest
    | RosActionManifest
    | RosServiceManifest,
    Field(discriminator="kind"),
]
MODEL_BY_KIND: dict[str, type[RskillManifest]] = {
    "scripted": ScriptedManifest,
    "vla": VlaManifest,
    "reward": RewardManifest,
    "detector": DetectorManifest,
    "vlm": VlmManifest,
    "playbook": PlaybookManifest,
    "ros_action": RosActionManifest,
    "ros_service": RosServiceManifest,
}
RunnableManifest = ScriptedManifest | VlaManifest | RosActionManifest | RosServiceManifest
MANIFEST: TypeAdapter[RskillManifest] = TypeAdapter(RskillManifest)

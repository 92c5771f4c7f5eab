"""The thirteen tools of the reasoner: one frozen model each, together the union `ReasonerToolCall`.

A tick answers with exactly one of them. What a type can forbid, the type forbids: a subtask that
means several objects cannot be written down.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationInfo,
    field_validator,
    model_validator,
)

from openral.grounding import collective_phrase

Name = Annotated[str, Field(min_length=1, max_length=100)]
Line = Annotated[str, Field(min_length=1, max_length=500)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _known_names(info: ValidationInfo) -> tuple[str, ...]:
    """What is in view or located now, from the validation context: a live name is one thing."""
    context = info.context if isinstance(info.context, dict) else {}
    return tuple(context.get("known_names", ()))


class GroundedSubtask(_Part):
    """One subtask about one object."""

    object_ref: Name = Field(description="the one object, as in_view or located names it")
    text: Line = Field(description="the subtask in words; names object_ref")

    @model_validator(mode="after")
    def _one_object(self, info: ValidationInfo) -> GroundedSubtask:
        known = _known_names(info)
        for field, value in (("object_ref", self.object_ref), ("text", self.text)):
            # Its own name is one thing even in the plural ("crackers").
            names = known if field == "object_ref" else (*known, self.object_ref)
            phrase = collective_phrase(value, names)
            if phrase:
                raise ValueError(
                    f"{field} {value!r} stands for several objects ({phrase!r}); make one subtask "
                    "for each object, e.g. object_ref 'milk', text 'put the milk into the basket'"
                )
        if self.object_ref.lower() not in self.text.lower():
            raise ValueError(f"text {self.text!r} must name its object_ref {self.object_ref!r}")
        return self


class UnavailableObject(_Part):
    """Something that the goal names and that cannot be acted on."""

    object_ref: Name = Field(description="as the operator named it")
    reason: Line = Field(description="why, e.g. 'not in view'")


class _Tool(_Part):
    """Base of the tools; the first line of the docstring is what a model is told."""


class ExecuteRskill(_Tool):
    """Run one skill for the active task. Ends by itself; its outcome comes as an event."""

    tool: Literal["execute_rskill"] = "execute_rskill"
    rskill_id: Name = Field(description="id of a skill in SKILLS")
    prompt: Line = Field(description="the task in words")
    params_json: str = Field(
        "{}", max_length=4096, description="the skill's parameters as the text of a JSON object"
    )
    patience_s: float | None = Field(
        None, ge=1.0, le=3600.0,
        description="[s] without new best progress before the run is cancelled; empty = the "
        "reward contract's",
    )  # fmt: skip
    success_threshold: float | None = Field(
        None, ge=0.5, le=1.0,
        description="progress that passes this task; empty = the reward contract's",
    )  # fmt: skip


class LifecycleTransition(_Tool):
    """Change the lifecycle state of a perception node. Only nodes on the allow-list."""

    tool: Literal["lifecycle_transition"] = "lifecycle_transition"
    node: Name = Field(description="name of the node")
    transition: Literal["configure", "activate", "deactivate", "cleanup"] = Field(
        description="what the node is to do"
    )


class ReloadGstPipeline(_Tool):
    """Restart the image pipeline of one camera that gives no images."""

    tool: Literal["reload_gst_pipeline"] = "reload_gst_pipeline"
    camera: Name = Field(description="name of the camera")


class EmitPrompt(_Tool):
    """Say something to the operator. Every kind but 'info' ends the goal."""

    tool: Literal["emit_prompt"] = "emit_prompt"
    text: Annotated[str, Field(min_length=1, max_length=1000)] = Field(description="plain words")
    kind: Literal["info", "refused", "could_not_complete", "handoff"] = Field(
        "info",
        description="info: the work goes on; refused: the goal cannot be taken on; "
        "could_not_complete: it was tried and cannot be ended; handoff: a person has to take over",
    )


class RecallObject(_Tool):
    """Ask what was seen of an object; when nothing was, the detector looks now."""

    tool: Literal["recall_object"] = "recall_object"
    object_ref: Name = Field(description="one concrete object")


class ResolvePlace(_Tool):
    """Ask the map where a named place is."""

    tool: Literal["resolve_place"] = "resolve_place"
    place: Name = Field(description="name of the place")


class LocateInView(_Tool):
    """Ask a detector whether concrete objects are in a camera's view right now."""

    tool: Literal["locate_in_view"] = "locate_in_view"
    query: Line = Field(
        description="concrete nouns, one or a comma list: 'milk, basket'; never 'the objects'"
    )
    camera: str = Field("", max_length=100, description="name of the camera; empty = the primary")
    detector: str = Field("", max_length=100, description="name of the detector; empty = default")

    @field_validator("query")
    @classmethod
    def _concrete(cls, query: str, info: ValidationInfo) -> str:
        nouns = [noun.strip() for noun in query.split(",") if noun.strip()]
        if not nouns:
            raise ValueError("query must hold at least one noun, e.g. 'milk, basket'")
        for noun in nouns:
            if collective_phrase(noun, _known_names(info)):
                raise ValueError(
                    f"query {noun!r} stands for several objects; name concrete nouns in a comma "
                    "list, e.g. 'milk, mustard, basket'"
                )
        return ", ".join(nouns)


class QueryScene(_Tool):
    """Ask the vision-language model one question about a camera's image."""

    tool: Literal["query_scene"] = "query_scene"
    question: Line = Field(description="one question that an image can answer")
    camera: str = Field("", max_length=100, description="name of the camera; empty = the primary")


class QueryTaskProgress(_Tool):
    """Ask the reward monitor how far the running task is."""

    tool: Literal["query_task_progress"] = "query_task_progress"
    window_s: float = Field(
        0.0, ge=0.0, le=600.0, description="[s] to look back; 0 = the whole attempt"
    )


class MemoryWrite(_Tool):
    """Add, change or delete one line of the household's memory."""

    tool: Literal["memory_write"] = "memory_write"
    operation: Literal["add", "update", "supersede", "delete"] = Field(description="what to do")
    entry_id: str = Field("", max_length=100, description="entry concerned; empty with add")
    text: str = Field("", max_length=500, description="the line; empty with delete")


class MemorySearch(_Tool):
    """Search the household's memory."""

    tool: Literal["memory_search"] = "memory_search"
    query: Line = Field(description="words to search for")


class DecomposeMission(_Tool):
    """Split the goal, or the active task that is blocked, into an ordered list of subtasks."""

    tool: Literal["decompose_mission"] = "decompose_mission"
    subtasks: tuple[GroundedSubtask, ...] = Field(
        min_length=1, max_length=40, description="in order, one object each"
    )
    unavailable: tuple[UnavailableObject, ...] = Field(
        (), max_length=40, description="objects of the goal that cannot be acted on"
    )


class Wait(_Tool):
    """Do nothing for a while, e.g. while a skill runs or until something comes into view."""

    tool: Literal["wait"] = "wait"
    seconds: float = Field(1.0, ge=0.1, le=30.0, description="[s]")
    reason: str = Field("", max_length=200, description="what is waited for")


ReasonerToolCall = Annotated[
    ExecuteRskill
    | LifecycleTransition
    | ReloadGstPipeline
    | EmitPrompt
    | RecallObject
    | ResolvePlace
    | LocateInView
    | QueryScene
    | QueryTaskProgress
    | MemoryWrite
    | MemorySearch
    | DecomposeMission
    | Wait,
    Field(discriminator="tool"),
]
ServedTool = Literal[
    "query_task_progress", "query_scene", "lifecycle_transition", "reload_gst_pipeline"
]
"""Tools that another node has to serve: a deployment says which of them it has."""

TOOL_CALL: TypeAdapter[ReasonerToolCall] = TypeAdapter(ReasonerToolCall)
TOOLS: dict[str, type[_Tool]] = {
    str(model.model_fields["tool"].default): model
    for model in (
        ExecuteRskill,
        LifecycleTransition,
        ReloadGstPipeline,
        EmitPrompt,
        RecallObject,
        ResolvePlace,
        LocateInView,
        QueryScene,
        QueryTaskProgress,
        MemoryWrite,
        MemorySearch,
        DecomposeMission,
        Wait,
    )
}


def description(tool: str) -> str:
    """What the tool does, in one or two sentences."""
    return " ".join((TOOLS[tool].__doc__ or "").split())


def arguments_schema(tool: str) -> dict[str, Any]:
    """JSON schema of a tool's arguments, without the name of the tool itself."""
    schema = TOOLS[tool].model_json_schema()
    schema["properties"] = {k: v for k, v in schema["properties"].items() if k != "tool"}
    if "required" in schema:
        schema["required"] = [name for name in schema["required"] if name != "tool"]
    schema.pop("description", None)
    return schema

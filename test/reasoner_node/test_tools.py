"""The union of tools: what can be written down, and what cannot."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from reasoner_node.tools import (
    TOOL_CALL,
    TOOLS,
    DecomposeMission,
    ExecuteRskill,
    GroundedSubtask,
    LocateInView,
    Wait,
    arguments_schema,
    description,
)


def test_there_are_thirteen():
    assert sorted(TOOLS) == [
        "decompose_mission", "emit_prompt", "execute_rskill", "lifecycle_transition",
        "locate_in_view", "memory_search", "memory_write", "query_scene", "query_task_progress",
        "recall_object", "reload_gst_pipeline", "resolve_place", "wait",
    ]  # fmt: skip


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_each_has_a_description_and_a_closed_schema_with_described_fields(tool):
    assert description(tool).endswith(".")
    schema = arguments_schema(tool)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert "tool" not in schema["properties"]
    assert all(field.get("description") for field in schema["properties"].values())


@pytest.mark.parametrize(
    "target",
    ["the groceries", "all the cups", "everything on the table", "the remaining items",
     "both bottles"],
)  # fmt: skip
def test_a_subtask_about_several_objects_cannot_be_written_down(target):
    with pytest.raises(ValidationError, match="several objects"):
        GroundedSubtask(object_ref=target, text=f"put {target} into the basket")


@pytest.mark.parametrize(
    "target", ["the red cup", "the bottle on the left", "the box of cups", "all-purpose cleaner"]
)
def test_a_subtask_about_one_object_can(target):
    subtask = GroundedSubtask(object_ref=target, text=f"put {target} into the basket")
    assert subtask.object_ref == target


def test_a_text_has_to_name_its_object():
    with pytest.raises(ValidationError, match="must name its object_ref 'milk'"):
        GroundedSubtask(object_ref="milk", text="put it into the basket")


def test_a_text_cannot_smuggle_in_several_objects():
    with pytest.raises(ValidationError, match="several objects"):
        GroundedSubtask(object_ref="milk", text="put the milk and the cereal into the basket")


def test_a_live_name_in_the_plural_is_one_thing():
    call = {"tool": "locate_in_view", "query": "crackers"}
    with pytest.raises(ValidationError):
        TOOL_CALL.validate_python(call)
    located = TOOL_CALL.validate_python(call, context={"known_names": ("crackers",)})
    assert isinstance(located, LocateInView)


@pytest.mark.parametrize("query", ["the objects on the table", "milk, the groceries", " , ", ""])
def test_a_look_needs_concrete_nouns(query):
    with pytest.raises(ValidationError):
        LocateInView(query=query)


def test_a_comma_list_of_nouns_is_tidied():
    assert LocateInView(query=" milk ,mustard,, basket").query == "milk, mustard, basket"


@pytest.mark.parametrize("seconds", [0.0, 31.0, float("nan"), float("inf")])
def test_a_wait_is_bounded(seconds):
    with pytest.raises(ValidationError):
        Wait(seconds=seconds)


@pytest.mark.parametrize("threshold", [0.1, 1.1])
def test_a_task_cannot_lower_its_own_bar_below_half(threshold):
    with pytest.raises(ValidationError):
        ExecuteRskill(rskill_id="a", prompt="b", success_threshold=threshold)


def test_a_decomposition_needs_a_task():
    with pytest.raises(ValidationError):
        DecomposeMission(subtasks=())


def test_calls_are_frozen_and_closed():
    call = Wait(seconds=1.0)
    with pytest.raises(ValidationError):
        call.seconds = 2.0
    with pytest.raises(ValidationError):
        TOOL_CALL.validate_python({"tool": "wait", "until": "noon"})

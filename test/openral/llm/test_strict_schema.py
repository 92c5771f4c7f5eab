"""Pydantic's schemas in strict form, and the nulls undone."""

from __future__ import annotations

import contextlib
from types import ModuleType
from typing import Annotated, Any, Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from openral.llm.client import LlmConfigError
from openral.llm.strict_schema import (
    Dialect,
    strict_schema,
    without_added_nulls,
)

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)


class Subtask(BaseModel):
    object_ref: str
    priority: int = Field(default=1, ge=0, le=9)


class Decompose(BaseModel):
    """Split the goal."""

    tool: Literal["decompose"]
    subtasks: list[Subtask] = Field(min_length=1, max_length=12)
    why: str | None = Field(default=None, description="Reason.")


class Wait(BaseModel):
    """Do nothing."""

    tool: Literal["wait"]
    seconds: float = Field(default=1.0, ge=0.0, le=60.0)
    mode: Literal["idle", "watch"] = "idle"


Tool = Annotated[Decompose | Wait, Field(discriminator="tool")]


class Nested(BaseModel):
    one: Tool
    many: dict[str, Any] | None = None


class Node(BaseModel):
    child: Node | None = None


class FreeForm(BaseModel):
    params: dict[str, Any]


class Anything(BaseModel):
    value: Any


class Pair(BaseModel):
    at: tuple[float, float]


def test_the_openai_form_written_out() -> None:
    assert strict_schema(Subtask.model_json_schema(), "openai") == {
        "type": "object",
        "properties": {
            "object_ref": {"type": "string"},
            "priority": {
                "anyOf": [{"type": "integer", "minimum": 0, "maximum": 9}, {"type": "null"}],
                "description": "(null: 1)",
            },
        },
        "required": ["object_ref", "priority"],
        "additionalProperties": False,
    }


def test_the_anthropic_form_says_the_bounds_that_it_cannot_enforce() -> None:
    priority = strict_schema(Subtask.model_json_schema(), "anthropic")["properties"]["priority"]
    assert priority == {
        "anyOf": [{"type": "integer"}, {"type": "null"}],
        "description": "(minimum 0, maximum 9) (null: 1)",
    }


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("tool", [Decompose, Wait])
def test_a_tools_schema_passes_the_providers_rules(
    served: ModuleType, dialect: Dialect, tool: type[BaseModel]
) -> None:
    schema = tool.model_json_schema()
    del schema["properties"]["tool"]
    schema["required"] = [name for name in schema.get("required", []) if name != "tool"]
    assert served.check_schema(strict_schema(schema, dialect), dialect, tool.__name__) == []


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (Node, "'child'.*recursive"),
        (FreeForm, "'params'.*free-form"),
        (Anything, "'value'.*'Any'"),
        (Pair, "'at'.*tuples"),
        (Nested, "'many'.*free-form"),
    ],
)
def test_what_cannot_be_strict_is_refused_by_name(model: type[BaseModel], said: str) -> None:
    with pytest.raises(LlmConfigError, match=said):
        strict_schema(model.model_json_schema(), "openai")


def test_a_bare_union_is_refused() -> None:
    with pytest.raises(LlmConfigError, match="one tool per variant"):
        strict_schema(TypeAdapter(Tool).json_schema(), "openai")


def test_added_nulls_go_at_every_depth_and_true_nulls_stay() -> None:
    sent = {
        "tool": "decompose",
        "why": None,
        "subtasks": [{"object_ref": "milk", "priority": None}, {"object_ref": None}],
    }
    assert without_added_nulls(sent, Decompose.model_json_schema()) == {
        "tool": "decompose",
        "why": None,
        # A null in a required field is the model's mistake: it has to be seen.
        "subtasks": [{"object_ref": "milk"}, {"object_ref": None}],
    }


def test_the_right_variant_is_taken_in_a_nested_union() -> None:
    sent = {"one": {"tool": "wait", "seconds": None, "mode": "watch"}}
    undone = without_added_nulls(sent, Nested.model_json_schema())
    assert undone == {"one": {"tool": "wait", "mode": "watch"}}


subtasks = st.builds(Subtask, object_ref=st.text(), priority=st.integers(0, 9))
tools = st.one_of(
    st.builds(
        Decompose,
        tool=st.just("decompose"),
        subtasks=st.lists(subtasks, min_size=1, max_size=12),
        why=st.none() | st.text(),
    ),
    st.builds(
        Wait,
        tool=st.just("wait"),
        seconds=st.floats(0.0, 60.0),
        mode=st.sampled_from(["idle", "watch"]),
    ),
)


@given(tools)
def test_a_full_value_survives_unchanged(value: Decompose | Wait) -> None:
    sent = value.model_dump()
    assert without_added_nulls(sent, type(value).model_json_schema()) == sent


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(st.dictionaries(st.sampled_from(["tool", "subtasks", "why", "one", "x"]), JSON))
def test_any_arguments_are_left_for_the_model_to_judge(sent: dict[str, Any]) -> None:
    for model in (Decompose, Nested):
        undone = without_added_nulls(sent, model.model_json_schema())
        assert set(undone) <= set(sent)
        with contextlib.suppress(ValidationError):
            model.model_validate(undone)

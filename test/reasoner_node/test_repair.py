"""Answers of models as they come: decoded once where the schema is structured, else explained."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner_node.repair import InvalidCallError, parse_call
from reasoner_node.tools import TOOLS, DecomposeMission, EmitPrompt

CUP = {"object_ref": "cup", "text": "pick the cup"}


def test_a_list_that_came_as_a_string_is_decoded():
    call = parse_call("decompose_mission", {"subtasks": json.dumps([CUP])}, TOOLS)
    assert isinstance(call, DecomposeMission)
    assert call.subtasks[0].object_ref == "cup"


def test_objects_that_came_as_strings_in_a_list_are_decoded():
    call = parse_call("decompose_mission", {"subtasks": [json.dumps(CUP)]}, TOOLS)
    assert isinstance(call, DecomposeMission)


def test_whole_arguments_that_came_as_a_string_are_decoded():
    call = parse_call("decompose_mission", json.dumps({"subtasks": [CUP]}), TOOLS)
    assert isinstance(call, DecomposeMission)


def test_a_text_that_looks_like_json_stays_text():
    call = parse_call("emit_prompt", {"text": "[1]"}, TOOLS)
    assert isinstance(call, EmitPrompt)
    assert call.text == "[1]"


def test_a_second_level_is_not_decoded():
    twice = json.dumps(json.dumps([CUP]))
    with pytest.raises(InvalidCallError, match="subtasks"):
        parse_call("decompose_mission", {"subtasks": twice}, TOOLS)
    inner = json.dumps([json.dumps(CUP)])
    with pytest.raises(InvalidCallError, match="subtasks"):
        parse_call("decompose_mission", {"subtasks": inner}, TOOLS)


def test_a_text_within_what_was_decoded_stays_text():
    subtask = {"object_ref": "[1]", "text": "pick [1]"}
    call = parse_call("decompose_mission", {"subtasks": json.dumps([subtask])}, TOOLS)
    assert isinstance(call, DecomposeMission)
    assert call.subtasks[0].object_ref == "[1]"


def test_an_unknown_tool_lists_the_valid_ones():
    with pytest.raises(InvalidCallError) as error:
        parse_call("execute_skil", {}, ["wait", "emit_prompt"])
    assert str(error.value) == (
        "expected one of the tools emit_prompt, wait, got 'execute_skil', which does not exist"
    )


def test_a_tool_that_is_not_possible_now_says_so():
    with pytest.raises(InvalidCallError, match="'execute_rskill', which is not possible now"):
        parse_call("execute_rskill", {}, ["wait"])


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("wait", {"seconds": "soon"}, "seconds = 'soon'"),
        ("wait", {"until": 1}, "until"),
        ("emit_prompt", {}, "text: Field required"),
        ("locate_in_view", {"query": "all the cups"}, "stands for several objects"),
        ("wait", "[1]", "the arguments of wait as an object"),
        ("wait", "{not json", "the arguments of wait as an object"),
        ("wait", {"tool": "emit_prompt"}, "tool 'wait' in its own arguments"),
    ],
)
def test_what_fails_names_the_field_and_the_valid_form(tool, arguments, said):
    with pytest.raises(InvalidCallError) as error:
        parse_call(tool, arguments, TOOLS)
    assert said in str(error.value)
    assert len(str(error.value)) < 3000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    tool=st.sampled_from([*TOOLS, "nonsense", ""]),
    arguments=st.text() | st.dictionaries(st.text(max_size=12), JSON, max_size=4),
)
def test_any_answer_is_a_call_or_an_explained_refusal(tool, arguments):
    outcome: object
    try:
        outcome = parse_call(tool, arguments, TOOLS).tool
    except InvalidCallError as error:
        outcome = error
    explained = isinstance(outcome, InvalidCallError) and outcome.expected and outcome.got
    assert outcome == tool or explained

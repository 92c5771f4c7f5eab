"""What kind of words the operator said."""

from __future__ import annotations

import pytest

from reasoner_node.events import OperatorPrompt
from reasoner_node.operator_prompt import classify


@pytest.mark.parametrize("text", ["", "  ", "\n\t", "...", "?!"])
def test_empty(text):
    assert classify(text, 100) == "empty"


@pytest.mark.parametrize(
    "text",
    ["stop", "Stop!", "STOP NOW", "halt", "please stop", "cancel", "cancel the mission", "abort",
     "stop moving", "stop what you are doing", "emergency stop", "e-stop", "freeze"],
)  # fmt: skip
def test_stop(text):
    assert classify(text, 100) == "stop"


@pytest.mark.parametrize(
    "text",
    ["status", "Status?", "what are you doing?", "how is it going", "what do you see",
     "are you done?", "what's the status?"],
)  # fmt: skip
def test_status(text):
    assert classify(text, 100) == "status"


@pytest.mark.parametrize(
    "text",
    ["put the milk into the basket", "stop the milk from falling and put it into the basket",
     "put the stop sign into the basket", "cancel culture", "report the milk to the basket now"],
)  # fmt: skip
def test_goal(text):
    expected = "status" if text.startswith("report") else "goal"
    kinds = {classify(text, 100)}
    assert kinds <= {"goal", expected}
    assert "stop" not in kinds


def test_too_long():
    assert classify("put the milk " * 50, 100) == "too_long"


@pytest.mark.parametrize("text", ["", "put the milk " * 500])
def test_a_prompt_that_becomes_no_mission_is_answered_with_its_own_mark(world, text):
    world.event(OperatorPrompt(text=text, trace_id="mine"))
    world.prompt("put the milk into the basket")
    world.event(OperatorPrompt(text=text, trace_id="mine"))
    world.event(OperatorPrompt(text=text))
    told = [(s.kind, s.trace_id) for s in world.says if s.kind in ("refused", "not_taken")]
    assert told == [("refused", "mine"), ("not_taken", "mine"), ("not_taken", "")]


@pytest.mark.parametrize("text", ["what do you see?", "stop"])
def test_words_that_answer_a_prompt_carry_its_mark(world, text):
    world.event(OperatorPrompt(text=text, trace_id="mine"))
    world.event(OperatorPrompt(text=text))
    assert [(s.kind, s.trace_id) for s in world.says] == [("info", "mine"), ("info", "")]


def test_how_it_goes_is_told_to_who_asked_and_not_to_who_gave_the_goal(world):
    world.event(OperatorPrompt(text="put the milk into the basket", trace_id="the goal's"))
    world.event(OperatorPrompt(text="how is it going", trace_id="mine"))
    (answer,) = [s for s in world.says if s.text.startswith("Working on")]
    assert answer.trace_id == "mine"


def test_what_is_said_of_a_mission_carries_the_missions_id(world):
    goal = "put the milk into the basket"
    world.event(OperatorPrompt(text=goal, trace_id="mine"))
    world.run_mission()
    assert [(s.kind, s.trace_id) for s in world.finals] == [("done", "run.m1")]

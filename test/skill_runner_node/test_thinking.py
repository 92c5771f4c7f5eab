"""Policies are asked one after the other, and an error of theirs is an answer."""

from __future__ import annotations

from queue import SimpleQueue

import numpy as np

from skill_runner_node.policy import Decision, Done, Failed, Goal, Observation, Outcome
from skill_runner_node.thinking import Thinking

SEEN = Observation(np.zeros(8), np.zeros(8))


class Echo:
    """Says which goal it is at."""

    def __init__(self) -> None:
        self.target = ""

    def reset(self, goal: Goal) -> None:
        self.target = goal.params["object"]

    def step(self, observation: Observation, now: float) -> Decision:
        if self.target == "trouble":
            raise ArithmeticError("no root")
        return Done(self.target)


def answers(*goals: dict[str, str]) -> tuple[list[Decision], list[str]]:
    errors: list[str] = []
    thinking, policy, decided = Thinking(errors.append), Echo(), SimpleQueue[Decision]()
    for params in goals:
        begun = thinking.begin(policy, Goal(params))
        thinking.ask(policy, begun, SEEN, 0.0, decided.put)
    got = [decided.get(timeout=10.0) for _ in goals]
    thinking.close()
    return got, errors


def test_each_goal_gets_its_own_decision() -> None:
    got, errors = answers({"object": "milk"}, {"object": "cereal"})
    assert got == [Done("milk"), Done("cereal")]
    assert errors == []


def test_a_goal_that_cannot_begin_never_goes_on_with_the_one_before() -> None:
    got, errors = answers({"object": "milk"}, {"thing": "cereal"}, {"object": "mustard"})
    assert got == [
        Done("milk"),
        Failed(Outcome.POLICY_ERROR, "KeyError: 'object'"),
        Done("mustard"),
    ]
    assert errors == ["KeyError: 'object'"]


def test_an_error_of_a_policy_is_a_typed_end() -> None:
    got, _ = answers({"object": "trouble"})
    assert got == [Failed(Outcome.POLICY_ERROR, "ArithmeticError: no root")]

"""What 'stop' says where no goal is under way: what is so."""

from __future__ import annotations

import pytest

from reasoner_node.events import KernelState, NodePresence, SkillEnded


def test_a_second_stop_says_that_the_cancelled_skill_has_not_ended(world):
    world.prompt("put the milk into the basket").run(3.0)
    world.prompt("stop")
    world.event(KernelState(state="braking"))
    world.prompt("stop")
    say = world.says[-1]
    assert say.kind == "info"
    assert say.text == (
        "I am stopping already: pick_place was cancelled and has not ended yet. "
        "The safety kernel is braking."
    )


def test_once_the_skill_has_ended_and_the_kernel_brakes_that_is_said(world):
    world.prompt("put the milk into the basket").run(3.0)
    world.prompt("stop").run(1.0)
    assert world.state.attempt is None
    world.event(KernelState(state="braking"))
    world.prompt("stop")
    assert world.says[-1].text == (
        "No goal is running any more, and the robot still brakes: the kernel is braking."
    )


def test_what_another_moves_is_not_called_nothing(world):
    world.event(KernelState(state="active"))
    world.prompt("stop")
    assert "the robot moves: the safety kernel is active" in world.says[-1].text


def test_without_a_kernel_nothing_is_claimed(world):
    world.event(NodePresence(node="safety_kernel", alive=False, detail="silent for 2.6 s"))
    world.prompt("stop")
    assert "I cannot tell whether the robot moves" in world.says[-1].text


@pytest.mark.parametrize("state", ["holding", "disarmed", "latched"])
def test_at_rest_nothing_is_running(world, state):
    world.prompt("put the milk into the basket").run(3.0)
    world.prompt("stop").run(1.0)
    world.event(KernelState(state=state))
    world.prompt("stop")
    assert world.says[-1].text == "Nothing is running, so there is nothing to stop."


def test_the_end_of_a_skill_of_nobody_changes_nothing(world):
    world.event(SkillEnded(trace_id="made.up", outcome="completed"))
    world.prompt("stop")
    assert world.says[-1].text == "Nothing is running, so there is nothing to stop."

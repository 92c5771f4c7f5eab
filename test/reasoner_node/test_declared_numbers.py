"""Numbers that are declared are the ones that are used."""

from __future__ import annotations

import json

from reasoner_node.brain import BrainReply
from reasoner_node.brains.rules.decide import decide
from reasoner_node.context import view
from reasoner_node.events import KernelState
from reasoner_node.settings import Settings


def waits_of(world):
    tool, arguments = decide(view(world.state, world.now))
    assert tool == "wait"
    return arguments["seconds"]


def test_the_rules_wait_as_long_as_declared_while_a_skill_runs(world_class):
    world = world_class(settings=Settings(running_wait_s=2.5)).ready()
    world.prompt("put the milk into the basket").run(5.0, until=lambda: world.starts)
    assert waits_of(world) == 2.5


def test_the_rules_pause_as_long_as_declared_after_a_blind_look(world_class):
    world = world_class(settings=Settings(blind_wait_s=7.0), camera="dead").ready()
    world.prompt("put the milk into the basket")
    world.run(5.0, until=lambda: world.state.looks)
    assert waits_of(world) == 7.0


def test_a_brain_is_corrected_as_often_as_declared(world_class, scripted_brain):
    asked = []
    for corrections in (0, 2):
        brain = scripted_brain([BrainReply(tool="dance")] * 9)
        settings = Settings(corrections_per_decision=corrections)
        world = world_class(brain=brain, settings=settings).ready()
        world.prompt("put the milk into the basket").run_mission()
        asked.append(len(brain.seen))
    # Three failed decisions end a mission.
    assert asked == [3, 9]


def test_a_kernel_that_was_not_heard_is_asked_after_as_often_as_declared(world_class):
    world = world_class(settings=Settings(kernel_unknown_wait_s=4.0))
    world._see()
    world.prompt("put the milk into the basket").run(2.0)
    tried = world.state.wait_until - 4.0
    world.event(KernelState(state="holding"))
    world.run(60.0, until=lambda: world.starts)
    assert 4.0 <= world.now - tried < 4.2


def test_looks_and_runs_are_kept_as_many_as_declared(world_class):
    settings = Settings(max_looks=2, max_execution_lines=1, max_task_locate_attempts=20)
    runs = {"milk": ["not_found"] * 3}
    world = world_class(settings=settings, runs=runs).ready()
    world.prompt("put the milk into the basket").run_mission()
    assert len(world.starts) == 3
    assert len(world.state.looks) == 2
    assert len(world.state.execution) == 1
    assert json.loads(world.starts[0].params_json)["object"] == "milk"

"""Hostile or endless input: bounded memory, honest words, no crash."""

from __future__ import annotations

import math
import sys

import pytest

from reasoner_node import ros_inputs
from reasoner_node.events import (
    CriticScore,
    DetectionsSeen,
    Failure,
    OperatorPrompt,
    PerceptionChange,
    Seen,
    SkillAccepted,
    SkillEnded,
)


def sizes(state) -> dict[str, int]:
    """How much of each thing that grows is kept."""
    return {
        "lines": len(state.log.pending()),
        "repeats": len(state.log._repeats),
        "views": len(state.scene._views),
        "located": len(state.scene._located),
        "looks": len(state.looks),
        "execution": len(state.execution),
        "questions": len(state.questions),
        "ended": len(state.ended),
        "places": len(state.places),
        "blind": len(state.blind),
        "lost": len(state.lost),
        "effects": len(state.effects),
        "skill_failures": len(state.palette._failures),
    }


def test_ten_thousand_prompts_in_a_second_end_each_mission_with_one_word(world_class):
    world = world_class(traced=False).ready()
    for number in range(10_000):
        world.now += 0.0001
        world.event(OperatorPrompt(text=f"put the milk into the basket {number}"))
    ended = [say.trace_id for say in world.finals]
    assert len(ended) == len(set(ended)) == 9_999
    assert max(sizes(world.state).values()) <= 60
    assert world.run_mission(2000.0).mission.phase != "active"


def test_a_prompt_of_a_megabyte_is_refused_with_its_length(world):
    event = OperatorPrompt(text="x" * ros_inputs.MAX_PROMPT_CHARS, cut_chars=979_999)
    world.event(event)
    assert "1000000 characters, at most 1000" in world.finals[0].text


def test_what_other_nodes_make_up_fills_no_memory(world):
    world.prompt("put the milk into the basket").run(3.0)
    trace = world.starts[0].trace_id
    for number in range(5_000):
        world.now += 0.0002
        name = f"made_up_{number}"
        seen = Seen(label=name, score=0.5, x_min=0, y_min=0, x_max=9, y_max=9)
        world.event(DetectionsSeen(detector=name, camera=name, detections=(seen,)))
        world.event(PerceptionChange(change=name, camera=name, label=name))
        world.event(Failure(layer="rskill", severity=2, failure=name, skill_id=name))
        world.event(SkillAccepted(trace_id=name))
        world.event(SkillEnded(trace_id=name, outcome="completed"))
        world.event(
            CriticScore(critic_id=name, trace_id=trace, progress=0.1, threshold=0.9, floor=0.5)
        )
    kept = sizes(world.state)
    assert kept["views"] == world.settings.max_cameras
    assert max(kept.values()) <= 60
    assert len(list(world.state.attempt.watch)) <= world.settings.max_critics
    context = world.records[-1]["out"].get("context", "")
    assert len(context) <= world.settings.context_max_chars


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, sys.float_info.max])
def test_a_score_that_is_no_number_of_the_unit_interval_passes_nothing(world_class, value):
    from openral_msgs.msg import CriticScore as Message

    world = world_class(runs={"milk": ["silent"] * 9}).ready()
    world.prompt("put the milk into the basket").run(3.0)
    message = Message(critic_id="geometric", trace_id=world.starts[0].trace_id)
    message.threshold, message.floor = math.nan, math.nan
    message.progress = value if abs(value) < 3e38 else math.inf
    message.score = message.success = message.progress
    world.event(ros_inputs.critic_score(message, 1000.0, 0.02))
    world.run_mission()
    assert world.mission.phase == "incomplete"

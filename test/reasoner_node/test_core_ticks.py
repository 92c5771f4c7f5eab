"""The tick: when it runs, what a late answer does, what is drained, how answers are repaired."""

from __future__ import annotations

import itertools
import json
import sys

import pytest

from reasoner_node.brain import BrainReply, PreparedTick
from reasoner_node.core import Suppressed
from reasoner_node.events import WARN, Failure, OperatorPrompt, PerceptionChange

MILK = {"object_ref": "milk", "text": "put the milk into the basket"}
LOOK = BrainReply(tool="locate_in_view", arguments={"query": "milk, basket"})
SPLIT = BrainReply(tool="decompose_mission", arguments={"subtasks": [MILK]})
RUN = BrainReply(
    tool="execute_rskill",
    arguments={
        "rskill_id": "pick_place",
        "prompt": "put the milk into the basket",
        "params_json": json.dumps({"object": "milk", "container": "basket"}),
    },
)


def model_world(world_class, scripted_brain, *replies, **kind):
    return world_class(brain=scripted_brain(list(replies)), **kind).ready()


def test_an_idle_hour_costs_no_decision_and_leaves_no_tick_in_the_trace(world):
    world.run(3600.0)
    assert world.brain_calls == 0
    assert not [r for r in world.records if r["in"] in ("prepare", "reply")]


def test_a_heartbeat_without_news_is_suppressed_by_name(world):
    outcome, effects = world.core.prepare_tick(world.now, heartbeat=True)
    assert outcome == Suppressed("heartbeat_idle")
    assert effects == ()


def test_an_idle_hour_in_a_living_scene_costs_no_decision(world):
    for second in range(0, 3600, 7):
        change = PerceptionChange(change="object_appeared", camera="front", label=f"x{second}")
        world.after(float(second), lambda change=change: world.event(change))
    world.run(3700.0)
    assert world.brain_calls == 0


def test_a_running_skill_costs_no_decision(world_class):
    world = world_class(runs={"milk": ["silent"]}).ready()
    world.prompt("put the milk into the basket").run(2.0)
    calls = world.brain_calls
    world.run(27.0)
    assert world.brain_calls == calls


def test_a_prompt_forces_a_tick_at_once(world):
    world.prompt("put the milk into the basket")
    assert world.brain_calls == 1


def test_two_ticks_keep_the_least_interval(world_class):
    world = world_class(brain_latency_s=0.001).ready()
    world.prompt("put the milk into the basket").run_mission()
    at = [r["t"] for r in world.records if r["in"] == "prepare"]
    assert len(at) >= 3
    assert min(b - a for a, b in itertools.pairwise(at)) >= 0.1 - 1e-9


def test_requests_during_a_decision_coalesce_into_one_tick(world_class, scripted_brain):
    world = model_world(world_class, scripted_brain, brain_latency_s=10.0)
    world.prompt("put the milk into the basket").run(1.0)
    for kind in ("camera_stale", "drive_hot", "policy_crash"):
        world.event(Failure(layer="rskill", severity=2, failure=kind))
    assert world.brain_calls == 1
    world.run(10.0)
    assert world.brain_calls == 2
    text = world.brain.seen[0].text
    assert "drive_hot" not in text


def test_only_what_the_context_held_is_drained(world_class, scripted_brain):
    world = model_world(world_class, scripted_brain, LOOK, SPLIT, brain_latency_s=2.0)
    world.prompt("put the milk into the basket").run(1.0)
    world.event(Failure(layer="sensor", severity=2, failure="camera_stale"))
    world.run(3.5)
    first, second = world.brain.seen[:2]
    assert "camera_stale" not in first.text
    assert "camera_stale" in second.text
    world.run(4.0)
    assert "camera_stale" not in world.brain.seen[2].text


def test_a_safety_event_supersedes_the_decision_in_flight(world_class, scripted_brain):
    world = model_world(
        world_class, scripted_brain, LOOK, SPLIT, RUN, BrainReply(tool="wait", arguments={}),
        runs={"milk": ["silent"] * 9}, brain_latency_s=0.2,
    )  # fmt: skip
    world.prompt("put the milk into the basket").run(10.0, until=lambda: world.starts)
    world.brain_latency_s = 60.0
    world.event(Failure(layer="rskill", severity=2, failure="policy_crash"))
    assert world.thinking
    at = world.now
    world.run(1.0)
    world.event(Failure(layer="safety", severity=1, failure="velocity_limit"))
    # At once, in the same call: no wait for the model.
    assert [t for t, e in world.effects if e.effect == "cancel_skill"] == [at + 1.0]
    world.run(61.0)
    late = [r for r in world.records if r["in"] == "reply"][-1]
    assert late["out"]["verdict"] == "superseded"
    assert late["out"]["effects"] == []


def test_a_decision_for_a_replaced_goal_is_dropped(world_class, scripted_brain):
    world = model_world(world_class, scripted_brain, LOOK, brain_latency_s=5.0)
    world.prompt("put the milk into the basket").run(1.0)
    world.prompt("put the cereal into the basket").run(5.0)
    replies = [r for r in world.records if r["in"] == "reply"]
    assert [r["out"]["verdict"] for r in replies] == ["superseded"]
    assert "cereal" in world.brain.seen[-1].view.mission.goal or world.thinking


def test_patience_ends_on_time_while_the_brain_thinks(world_class, scripted_brain):
    world = model_world(
        world_class, scripted_brain, LOOK, SPLIT, RUN,
        runs={"milk": ["silent"]}, brain_latency_s=0.2,
    )  # fmt: skip
    world.prompt("put the milk into the basket").run(10.0, until=lambda: world.starts)
    started = world.now
    world.brain_latency_s = 60.0
    world.after(5.0, lambda: world.event(Failure(layer="rskill", severity=2, failure="slow")))
    world.run(40.0)
    (cancelled,) = [t for t, e in world.effects if e.effect == "cancel_skill"]
    assert cancelled == pytest.approx(started + 30.0)


def test_nested_arguments_as_a_string_are_decoded_once(world_class, scripted_brain):
    nested = BrainReply(tool="decompose_mission", arguments={"subtasks": json.dumps([MILK])})
    world = model_world(world_class, scripted_brain, LOOK, nested, RUN)
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == "done"


def test_an_unknown_tool_is_answered_once_with_the_valid_names(world_class, scripted_brain):
    wrong = BrainReply(tool="execute_skil", arguments={"rskill_id": "<skill_id>"})
    world = model_world(world_class, scripted_brain, wrong, LOOK, SPLIT, RUN)
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == "done"
    correction = world.brain.seen[1].correction
    assert "'execute_skil', which does not exist" in correction
    assert "locate_in_view" in correction
    assert "decompose_mission" in correction


def test_an_unknown_skill_is_answered_once_with_the_valid_ids(world_class, scripted_brain):
    wrong = BrainReply(
        tool="execute_rskill", arguments={"rskill_id": "<skill_id>", "prompt": "milk"}
    )
    world = model_world(world_class, scripted_brain, LOOK, SPLIT, wrong, RUN)
    world.prompt("put the milk into the basket").run_mission()
    assert "a skill id among: pick_place" in world.brain.seen[3].correction
    assert len(world.starts) == 1


def test_answers_that_stay_wrong_end_in_one_hand_off(world_class, scripted_brain):
    wrong = BrainReply(tool="execute_skil", arguments={"rskill_id": "<skill_id>"})
    world = model_world(world_class, scripted_brain, *[wrong] * 50)
    world.prompt("put the milk into the basket").run_mission(600.0)
    assert world.mission.phase == "incomplete"
    assert [say.kind for say in world.finals] == ["handoff"]
    # Three ticks, each asked once more.
    assert world.brain_calls == 6
    assert world.mission.model_calls == 6
    assert not world.starts


def test_a_provider_that_fails_is_not_asked_twice_in_a_tick(world_class, scripted_brain):
    down = BrainReply(error="503 from the provider")
    world = model_world(world_class, scripted_brain, *[down] * 50)
    world.prompt("put the milk into the basket").run_mission(600.0)
    assert world.brain_calls == 3
    assert "503 from the provider" in world.finals[0].text


def test_a_brain_that_never_answers_ends_in_a_hand_off(world_class, scripted_brain):
    world = model_world(world_class, scripted_brain, brain_latency_s=1e6)
    world.prompt("put the milk into the basket").run_mission(600.0)
    assert world.now == pytest.approx(100.0 + 90.0)
    assert world.finals[0].kind == "handoff"


def test_a_model_that_only_looks_is_stopped_by_the_budget(world_class, scripted_brain):
    world = model_world(world_class, scripted_brain, *[LOOK] * 50)
    world.prompt("put the milk into the basket").run_mission(600.0)
    assert world.mission.phase == "incomplete"
    assert world.brain_calls <= 6
    assert not world.starts


def test_looks_during_a_run_never_hand_its_score_to_another_task(world_class, scripted_brain):
    cereal = {"object_ref": "cereal", "text": "put the cereal into the basket"}
    both = BrainReply(tool="decompose_mission", arguments={"subtasks": [MILK, cereal]})
    world = model_world(world_class, scripted_brain, LOOK, both, RUN, *[LOOK] * 5, skill_s=20.0)
    world.prompt("put milk and cereal into the basket").run(5.0, until=lambda: world.starts)
    world.event(Failure(layer="sensor", severity=2, failure="camera_stale"))
    world.run(25.0, until=lambda: world.verdicts["milk"] in ("done", "abandoned"))
    assert world.verdicts == {"milk": "done", "cereal": "active"}
    assert "wait until the running skill ends" in "".join(t.correction for t in world.brain.seen)


def test_a_model_that_only_waits_is_stopped_by_the_retry_cap(world_class, scripted_brain):
    world = model_world(world_class, scripted_brain)
    world.prompt("put the milk into the basket").run_mission(600.0)
    assert world.brain_calls == 4
    assert [say.kind for say in world.finals] == ["handoff"]


def test_a_model_cannot_say_done(world_class, scripted_brain):
    claim = BrainReply(tool="emit_prompt", arguments={"text": "all done!", "kind": "done"})
    end = BrainReply(tool="emit_prompt", arguments={"text": "All is done.", "kind": "handoff"})
    world = model_world(world_class, scripted_brain, claim, end)
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == "incomplete"
    assert "Nothing was moved." in world.finals[0].text


def test_an_object_that_nobody_sees_cannot_become_a_task(world_class, scripted_brain):
    made_up = BrainReply(
        tool="decompose_mission",
        arguments={
            "subtasks": [{"object_ref": "unicorn", "text": "put the unicorn into the basket"}]
        },
    )
    world = model_world(world_class, scripted_brain, made_up, LOOK, SPLIT, RUN)
    world.prompt("put the milk into the basket").run_mission()
    assert "basket, cereal, milk, mustard, soup can" in world.brain.seen[1].correction


def test_a_skill_for_another_object_than_the_task_is_refused(world_class, scripted_brain):
    other = BrainReply(
        tool="execute_rskill",
        arguments={
            "rskill_id": "pick_place",
            "prompt": "cereal",
            "params_json": '{"object": "cereal", "container": "basket"}',
        },
    )
    world = model_world(world_class, scripted_brain, LOOK, SPLIT, other, RUN)
    world.prompt("put the milk into the basket").run_mission()
    assert [json.loads(s.params_json)["object"] for s in world.starts] == ["milk"]


def test_a_second_skill_cannot_be_started_while_one_runs(world_class, scripted_brain):
    world = model_world(
        world_class, scripted_brain, LOOK, SPLIT, RUN, RUN, RUN, runs={"milk": ["silent"]}
    )
    world.prompt("put the milk into the basket").run(5.0)
    world.event(Failure(layer="rskill", severity=2, failure="odd"))
    world.run(2.0)
    assert len(world.starts) == 1


def test_a_blocked_task_is_subdivided_two_levels_deep_at_most(world_class, scripted_brain):
    again = BrainReply(tool="decompose_mission", arguments={"subtasks": [MILK]})
    world = model_world(world_class, scripted_brain, LOOK, SPLIT, again, again, again, RUN)
    world.prompt("put the milk into the basket").run(5.0)
    assert [task.depth for task in world.mission.tasks] == [2]
    assert "decompose_mission" not in world.brain.seen[-1].view.tools


def test_a_recall_that_misses_becomes_a_look_by_policy(world_class, scripted_brain):
    recall = BrainReply(tool="recall_object", arguments={"object_ref": "teapot"})
    world = model_world(world_class, scripted_brain, recall)
    world.prompt("put the teapot into the basket").run(0.1)
    (look,) = [e for _, e in world.effects if e.effect == "locate"]
    assert (look.query, look.camera) == ("teapot", "front")


def test_a_recall_that_hits_asks_nobody(world_class, scripted_brain):
    recall = BrainReply(tool="recall_object", arguments={"object_ref": "milk"})
    world = model_world(world_class, scripted_brain, recall)
    world.prompt("put the milk into the basket").run(0.3)
    assert not [e for _, e in world.effects if e.effect == "locate"]
    assert "recall milk: front @px(60,300)" in world.brain.seen[1].text


def steps(work):
    """Calls that some work takes, Python's and C's: the same on every machine."""
    count = 0

    def note(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        result = work()
    finally:
        sys.setprofile(before)
    return count, result


def prepared_after(world, happened):
    """What it takes to prepare the first tick of a mission after so many events."""
    for number in range(happened):
        odd = Failure(layer="sensor", severity=WARN, failure=f"odd_{number}")
        world.core.observe(odd, world.now)
    world.core.observe(OperatorPrompt(text="put the milk into the basket"), world.now)
    count, (tick, _) = steps(lambda: world.core.prepare_tick(world.now))
    assert isinstance(tick, PreparedTick)
    return count


def test_preparing_a_tick_takes_no_more_work_the_more_has_happened(world_class):
    few, many = (prepared_after(world_class().ready(), number) for number in (100, 10_000))
    assert many <= 1.05 * few
    # Some 400 now, a part of a millisecond; ten times as many would be felt.
    assert few < 4_000


def test_an_answer_to_a_tick_that_nobody_asked_for_is_booked_as_such(world):
    finished = world.core.finish_tick(world.now, 77, BrainReply(tool="wait"))
    assert finished.verdict == "unknown_tick"
    assert finished.effects == ()

"""Whole missions in virtual time, from the operator's words to the final say."""

from __future__ import annotations

import json

import pytest
import yaml

from openral.rskill import parse_manifest
from reasoner_node.events import (
    Failure,
    ImageAnswered,
    KernelState,
    LocateAnswered,
    NodePresence,
    ServiceAnswered,
    SkillEnded,
)
from test.reasoner_node.conftest import CONFIG, score_of


def one_final_say(world):
    assert len(world.finals) == 1
    return world.finals[0]


def test_all_objects_are_put_away_one_by_one_and_looked_at_again(world):
    world.prompt("put all the objects on the table into the basket").run_mission()
    assert world.mission.phase == "done"
    assert world.verdicts == dict.fromkeys(("milk", "mustard", "soup can", "cereal"), "done")
    assert set(world.objects.values()) == {"basket"}
    assert len(world.starts) == 4
    assert one_final_say(world).kind == "done"
    assert [t.attempts for t in world.mission.tasks] == [1, 1, 1, 1]
    assert all(t.verdict == "pass" for t in world.mission.tasks)


def test_one_named_object_moves_alone(world):
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == "done"
    assert world.objects == {
        "milk": "basket", "mustard": "table", "soup can": "table", "cereal": "table",
    }  # fmt: skip
    (start,) = world.starts
    assert json.loads(start.params_json) == {"object": "milk", "container": "basket"}
    assert start.trace_id == "run.m1.t2.a1"


def test_what_is_excepted_stays(world):
    world.prompt("put everything except the milk into the basket").run_mission()
    assert world.mission.phase == "done"
    assert world.objects["milk"] == "table"
    assert [place for name, place in world.objects.items() if name != "milk"] == ["basket"] * 3


def test_what_is_in_the_basket_already_is_left_there(world_class):
    world = world_class(objects={"milk": "basket", "cereal": "table"}).ready()
    world.prompt("put all objects into the basket").run_mission()
    assert [json.loads(s.params_json)["object"] for s in world.starts] == ["cereal"]


def test_a_synonym_is_resolved_by_a_look_for_it_alone(world_class):
    world = world_class(synonyms={"dairy": "milk"}).ready()
    world.prompt("put the dairy into the basket").run_mission()
    assert world.mission.phase == "done"
    assert world.objects["milk"] == "basket"


def test_an_empty_prompt_is_refused_and_starts_nothing(world):
    world.prompt(" \n ").run(60.0)
    say = one_final_say(world)
    assert (say.kind, say.trace_id) == ("refused", "")
    assert not world.missions
    assert not world.starts


def test_a_prompt_that_is_refused_after_a_mission_is_not_said_in_its_name(world):
    world.prompt("put the milk into the basket").run_mission()
    world.prompt("")
    assert [(say.kind, say.trace_id) for say in world.finals] == [
        ("done", "run.m1"),
        ("refused", ""),
    ]


@pytest.mark.parametrize("text", ["", "x" * 1001])
def test_a_refused_prompt_leaves_a_running_mission_alone(world, text):
    world.prompt("put the milk into the basket").run(3.0)
    world.prompt(text)
    (say,) = world.says
    assert say.kind == "not_taken"
    assert say.text.endswith("I go on with 'put the milk into the basket'.")
    # A client that waits for its mission's end is not to take these words for it.
    assert say.trace_id == ""
    assert not world.finals
    assert world.run_mission().mission.phase == "done"
    assert [say.trace_id for say in world.finals] == ["run.m1"]


def test_an_unknown_object_ends_in_words_that_list_what_is_visible(world):
    world.prompt("put the unicorn into the basket").run_mission()
    say = one_final_say(world)
    assert say.kind == "refused"
    assert "unicorn" in say.text
    assert "milk, mustard, soup can, cereal" in say.text
    assert world.mission.phase == "incomplete"
    assert not world.starts


def test_a_misspelt_object_is_asked_back_and_not_guessed(world):
    world.prompt("put the musterd into the basket").run_mission()
    assert "Did you mean 'mustard'?" in one_final_say(world).text
    assert not world.starts


def test_a_misspelt_exception_moves_nothing(world):
    world.prompt("put everything except the milkk into the basket").run_mission()
    assert not world.starts
    assert world.mission.phase == "incomplete"


def test_known_objects_are_moved_and_the_unknown_one_is_named_as_not_done(world):
    world.prompt("put the unicorn and the milk into the basket").run_mission()
    assert world.mission.phase == "incomplete"
    assert world.verdicts == {"milk": "done", "unicorn": "abandoned"}
    say = one_final_say(world)
    assert say.kind == "could_not_complete"
    assert "Done: milk." in say.text
    assert "unicorn (not in view)" in say.text


def test_without_a_basket_nothing_moves(world_class):
    world = world_class(basket=False).ready()
    world.prompt("put the milk into the basket").run_mission()
    assert "no basket" in one_final_say(world).text
    assert world.mission.phase == "incomplete"
    assert not world.starts


def test_an_unreachable_object_is_given_up_and_the_others_are_moved(world_class):
    world = world_class(runs={"milk": ["unreachable"] * 9}).ready()
    world.prompt("put all objects into the basket").run_mission()
    assert world.mission.phase == "incomplete"
    assert world.verdicts == {
        "milk": "abandoned", "mustard": "done", "soup can": "done", "cereal": "done",
    }  # fmt: skip
    assert "milk (unreachable" in one_final_say(world).text


@pytest.mark.parametrize(
    "world_kind", [{"camera": "dead"}, {"detector": "dead"}, {"detector": "error"}]
)
def test_a_robot_that_cannot_see_says_so_and_does_not_move(world_class, world_kind):
    world = world_class(**world_kind).ready()
    world.prompt("put the milk into the basket").run_mission(120.0)
    assert world.mission.phase == "incomplete"
    assert one_final_say(world).kind == "could_not_complete"
    assert not world.starts


def test_a_camera_that_dies_before_the_final_look_takes_the_claim_back(world):
    world.prompt("put the milk into the basket")
    world.run(60.0, until=lambda: world.starts)

    def die() -> None:
        world.camera = "dead"

    world.after(7.2, die)
    world.run_mission()
    assert world.mission.phase == "incomplete"
    assert "not confirmed" in world.mission.tasks[0].reason
    assert one_final_say(world).kind == "could_not_complete"


def test_what_the_final_look_sees_outside_is_tried_again(world_class):
    world = world_class(runs={"milk": ["slips", "ok"]}).ready()
    world.prompt("put the milk and the cereal into the basket").run_mission()
    assert world.mission.phase == "done"
    assert [json.loads(s.params_json)["object"] for s in world.starts] == ["milk", "cereal", "milk"]


def test_what_stays_outside_is_never_called_done(world_class):
    world = world_class(runs={"milk": ["slips"] * 9}).ready()
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == "incomplete"
    assert world.verdicts == {"milk": "abandoned"}
    assert "outside of the basket" in one_final_say(world).text


def test_three_tries_bound_a_task(world_class):
    world = world_class(runs={"milk": ["low", "grasp_failed", "stall", "ok"]}).ready()
    world.prompt("put the milk into the basket").run_mission()
    assert len(world.starts) == 3
    assert world.verdicts == {"milk": "abandoned"}
    assert world.mission.tasks[0].attempts == 3


def test_a_try_that_failed_is_repeated_and_may_succeed(world_class):
    world = world_class(runs={"milk": ["low", "ok"]}).ready()
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == "done"
    assert world.mission.tasks[0].attempts == 2


def test_an_object_that_was_not_found_is_looked_for_before_the_next_try(world_class):
    world = world_class(runs={"milk": ["not_found", "ok"]}).ready()
    world.prompt("put the milk into the basket").run_mission()
    kinds = [e.effect for _, e in world.effects if e.effect in ("start_skill", "locate")]
    assert kinds == ["locate", "start_skill", "locate", "start_skill", "locate"]


def test_an_object_that_vanished_is_given_up_after_three_looks(world_class):
    world = world_class(runs={"milk": ["not_found"] * 9}).ready()
    world.prompt("put the milk into the basket")
    world.run(60.0, until=lambda: world.starts)
    world.objects["milk"] = "gone"
    world.run_mission()
    assert world.mission.phase == "incomplete"
    assert "looked 3 times" in world.mission.tasks[0].reason
    assert len(world.starts) == 1


def test_a_stalled_run_is_cancelled_and_reported_as_tier_c(world_class):
    world = world_class(runs={"milk": ["stall", "ok"]}).ready()
    world.prompt("put the milk into the basket").run_mission()
    (report,) = [e for _, e in world.effects if e.effect == "report_failure"]
    assert (report.layer, report.severity, report.failure) == ("critic", 2, "stall")
    assert world.mission.phase == "done"


def test_a_run_without_any_score_ends_by_patience_and_claims_nothing(world_class):
    world = world_class(runs={"milk": ["silent"] * 9}).ready()
    world.prompt("put the milk into the basket").run_mission()
    cancels = [(t, e) for t, e in world.effects if e.effect == "cancel_skill"]
    starts = [t for t, e in world.effects if e.effect == "start_skill"]
    assert [round(t - s, 3) for (t, _), s in zip(cancels, starts, strict=True)] == [30.0] * 3
    assert world.verdicts == {"milk": "abandoned"}


def vla_manifests() -> dict[str, object]:
    learned = """
kind: vla
id: pick_place
description: learned
runtime: openpi
checkpoint: pi0
cameras: [front]
horizon: 50
dt: 0.02
deadline_s: 60.0
params:
  fields:
    object: {type: string, required: true, description: label}
    container: {type: string, required: true, description: label}
"""
    reward = """
kind: reward
id: reward_geometric
description: scores
critic_id: geometric
runtime: geometric
cameras: [top]
contract: {success_threshold: 0.9, check_floor: 0.5, patience_s: 30.0, stall_window_s: 10.0,
  stall_epsilon: 0.02}
"""
    return {
        "pick_place": parse_manifest(learned, "pick_place"),
        "reward_geometric": parse_manifest(reward, "reward_geometric"),
    }


def test_a_scripted_run_may_end_by_itself_after_its_reward_passed(world):
    world.prompt("put the milk into the basket").run_mission()
    assert not [e for _, e in world.effects if e.effect == "cancel_skill"]
    assert world.mission.phase == "done"


def test_success_ends_a_learned_run_at_once(world_class):
    world = world_class(manifests=vla_manifests()).ready()
    world.prompt("put the milk into the basket").run_mission()
    started = next(t for t, e in world.effects if e.effect == "start_skill")
    cancelled = next(t for t, e in world.effects if e.effect == "cancel_skill")
    # The eighth of nine steps of an 8 s run scores 1.0.
    assert cancelled - started == pytest.approx(8.0 * 8 / 9)


def test_the_ambiguous_middle_is_never_done_without_an_image_question(world_class):
    world = world_class(runs={"milk": ["middle"] * 9}).ready()
    world.prompt("put the milk into the basket").run_mission()
    assert world.verdicts == {"milk": "abandoned"}


@pytest.mark.parametrize(
    ("answers", "phase"),
    [(["done"], "done"), (["not_done"] * 3, "incomplete"), (["cannot_tell"] * 3, "incomplete")],
)
def test_the_ambiguous_middle_is_settled_by_the_closed_answer(world_class, answers, phase):
    world = world_class(
        runs={"milk": ["middle"] * 9}, can_ask_image=True, image_answers=answers
    ).ready()
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == phase
    if phase == "done":
        assert world.mission.tasks[0].verdict == "vlm_pass"


def ended_after_a_high_score(world_class):
    """An attempt that has just ended, whose scores were all of before its end."""
    world = world_class(runs={"milk": ["silent"] * 9}, lied_to=True).ready()
    world.prompt("put the milk into the basket").run(3.0)
    trace = world.starts[0].trace_id
    world.event(score_of(trace, 1.0, world.now))
    world.run(1.0)
    end = SkillEnded(trace_id=trace, outcome="completed", stamp_s=world.now)
    return world, trace, end


def test_a_score_of_before_the_end_passes_no_task(world_class):
    world, trace, end = ended_after_a_high_score(world_class)
    world.event(end)
    # The monitor then sees the object slip; before that, nothing is known.
    assert world.mission.tasks[0].verdict == ""
    world.run(0.5)
    world.event(score_of(trace, 1.0, end.stamp_s - 0.1))
    assert world.mission.tasks[0].verdict == ""
    world.event(score_of(trace, 0.2, end.stamp_s + 0.4))
    world.run(2.0)
    assert world.mission.tasks[0].phase != "done"
    assert any("0.2" in task.reason for sent in world.missions for task in sent.tasks)


def test_a_score_of_after_the_end_passes_the_task_even_if_it_is_heard_before_it(world_class):
    world, trace, end = ended_after_a_high_score(world_class)
    world.run(0.3)
    world.event(score_of(trace, 1.0, end.stamp_s + 0.2))
    assert world.mission.tasks[0].verdict == ""
    world.event(end)
    assert world.mission.tasks[0].verdict == "pass"


def test_without_a_last_score_the_task_is_not_called_done(world_class):
    world, _, end = ended_after_a_high_score(world_class)
    world.event(end)
    world.run(2.1)
    assert world.mission.tasks[0].phase != "done"


def test_the_last_score_is_waited_for_longer_than_the_monitor_waits_to_make_it():
    waits = {}
    for name, key in (("reasoner_node", "verdict_wait_s"), ("reward_monitor", "final_wait_s")):
        text = (CONFIG.parent / f"{name}.yaml").read_text(encoding="utf-8")
        (node,) = yaml.safe_load(text).values()
        waits[key] = node["ros__parameters"][key]
    # The end is heard, a last tick passes, and the score is sent: half a second for all three.
    assert waits["verdict_wait_s"] >= waits["final_wait_s"] + 0.5


def test_an_image_question_is_about_an_image_of_after_the_run(world_class):
    world = world_class(runs={"milk": ["middle"]}, can_ask_image=True, image_answers=["done"])
    world.ready().prompt("put the milk into the basket").run_mission()
    (question,) = [e for _, e in world.effects if e.effect == "ask_image"]
    # Asked `verdict_wait_s` after the end; a picture may be 3 s old at most.
    assert question.max_age_s == pytest.approx(2.0)


@pytest.mark.parametrize("kind", [LocateAnswered, ServiceAnswered])
def test_an_answer_of_another_kind_leaves_the_image_question_open(world_class, kind):
    world = world_class(runs={"milk": ["middle"] * 9}, can_ask_image=True).ready()
    world.prompt("put the milk into the basket")
    world.run(60.0, until=lambda: "image" in {q.kind for q in world.state.questions.values()})
    (call_id,) = world.state.questions
    alien = {"answered": True} if kind is LocateAnswered else {"ok": True}
    world.event(kind(call_id=call_id, **alien))
    assert call_id in world.state.questions
    world.event(ImageAnswered(call_id=call_id, answer="done"))
    assert world.verdicts == {"milk": "done"}


def test_an_image_question_without_an_answer_is_no_success(world_class):
    world = world_class(runs={"milk": ["middle"] * 9}, can_ask_image=True).ready()
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == "incomplete"


def test_a_new_goal_replaces_the_old_one_after_its_skill_has_ended(world):
    world.prompt("put the milk into the basket").run(3.0)
    world.prompt("put the cereal into the basket")
    stopped = world.mission if world.mission.phase == "stopped" else world.missions[-2]
    assert (stopped.mission_id, stopped.phase) == ("run.m1", "stopped")
    cancel = next(e for _, e in world.effects if e.effect == "cancel_skill")
    assert cancel.trace_id == "run.m1.t2.a1"
    world.run_mission()
    assert (world.mission.mission_id, world.mission.phase) == ("run.m2", "done")
    assert [say.trace_id for say in world.finals] == ["run.m1", "run.m2"]
    assert world.objects["cereal"] == "basket"


def test_two_prompts_at_once_are_both_answered_in_order(world):
    world.prompt("put the milk into the basket")
    world.prompt("put the cereal into the basket").run_mission()
    assert [(s.trace_id, s.kind) for s in world.finals] == [
        ("run.m1", "could_not_complete"),
        ("run.m2", "done"),
    ]
    assert [json.loads(s.params_json)["object"] for s in world.starts] == ["cereal"]


@pytest.mark.parametrize("word", ["stop", "STOP!", "halt", "please cancel", "stop everything now"])
def test_stop_cancels_at_once_and_nothing_moves_until_a_new_goal(world, word):
    world.prompt("put all objects into the basket").run(3.0)
    starts = len(world.starts)
    at = world.now
    world.prompt(word)
    assert [t for t, e in world.effects if e.effect == "cancel_skill"] == [at]
    assert world.mission.phase == "stopped"
    world.run(600.0)
    assert len(world.starts) == starts
    one_final_say(world)


def test_a_question_of_status_changes_nothing(world):
    world.prompt("put the milk into the basket").run(3.0)
    world.prompt("what are you doing?")
    assert "put the milk into the basket" in world.says[-1].text
    assert world.says[-1].kind == "info"
    assert world.run_mission().mission.phase == "done"


@pytest.mark.parametrize("severity", [2, 3])
def test_a_safety_stop_ends_the_mission_and_nothing_moves_until_a_new_goal(world, severity):
    world.prompt("put all objects into the basket").run(3.0)
    world.event(Failure(layer="safety", severity=severity, failure="chunk_stale"))
    assert world.mission.phase == "stopped"
    starts = len(world.starts)
    world.run(600.0)
    assert len(world.starts) == starts
    assert one_final_say(world).kind == "handoff"
    world.prompt("put the cereal into the basket").run_mission()
    assert world.mission.phase == "done"


def test_a_safety_stop_told_by_the_runner_alone_ends_the_mission_too(world):
    world.prompt("put the milk into the basket").run(3.0)
    world.event(
        SkillEnded(trace_id="run.m1.t2.a1", outcome="safety_stop", reason="velocity_limit joint 4")
    )
    assert world.mission.phase == "stopped"
    assert "velocity_limit joint 4" in one_final_say(world).text


def test_the_next_context_says_that_a_safety_stop_was_one(world):
    world.prompt("put the milk into the basket").run(3.0)
    world.event(SkillEnded(trace_id="run.m1.t2.a1", outcome="safety_stop", reason="estop"))
    world._running = ""
    world.prompt("put the cereal into the basket").run(1.0)
    context = [r["out"]["context"] for r in world.records if r["in"] == "prepare"][-1]
    assert "pick_place: safety_stop, estop" in context


@pytest.mark.parametrize(
    ("state", "service"), [("disarmed", "kernel/arm"), ("latched", "kernel/reset")]
)
def test_a_robot_that_may_not_move_says_how_to_change_that(world_class, state, service):
    world = world_class().ready()
    world.event(KernelState(state=state, reason="estop", message="pendant"))
    world.prompt("put the milk into the basket").run(60.0)
    assert world.mission.phase == "stopped"
    say = one_final_say(world)
    assert say.kind == "refused"
    assert service in say.text
    assert not world.starts


def test_a_kernel_that_latches_during_a_mission_stops_it(world):
    world.prompt("put the milk into the basket").run(3.0)
    world.event(KernelState(state="latched", reason="estop"))
    assert world.mission.phase == "stopped"
    assert "kernel/reset" in one_final_say(world).text


@pytest.mark.parametrize("node", ["safety_kernel", "robot", "skill_runner"])
def test_a_dead_node_stops_the_mission_and_refuses_the_next(world, node):
    world.prompt("put the milk into the basket").run(3.0)
    world.event(NodePresence(node=node, alive=False, detail="silent for 2.6 s"))
    assert world.mission.phase == "stopped"
    assert "silent for 2.6 s" in one_final_say(world).text
    starts = len(world.starts)
    world.prompt("put the cereal into the basket").run(60.0)
    assert world.mission.phase == "stopped"
    assert len(world.starts) == starts


@pytest.mark.parametrize(
    ("node", "said"),
    [
        ("safety_kernel", "The safety kernel answers again."),
        ("robot", "The robot answers again."),
        ("skill_runner", "The skill runner answers again."),
        ("perception", "Perception answers again."),
    ],
)
def test_a_node_that_is_back_is_said_once_per_loss(world, node, said):
    for _ in range(2):
        world.says.clear()
        world.event(NodePresence(node=node, alive=False, detail="silent for 2.6 s"))
        world.event(NodePresence(node=node, alive=True))
        world.event(NodePresence(node=node, alive=True))
        warned, back = world.says
        assert "does not answer (silent for 2.6 s)" in warned.text
        assert (back.text, back.kind) == (said, "info")


def test_a_goal_while_a_node_is_lost_is_told_why_and_that_its_return_will_be_said(world):
    world.event(NodePresence(node="skill_runner", alive=False, detail="silent for 2.6 s"))
    world.prompt("put the milk into the basket")
    (say,) = world.finals
    assert say.kind == "refused"
    assert say.text.startswith(
        "I cannot move: the skill runner does not answer (silent for 2.6 s). I will say when it is "
        "back."
    )


def test_a_node_that_is_back_lets_the_next_goal_run(world):
    world.event(NodePresence(node="robot", alive=False, detail="silent"))
    world.event(NodePresence(node="robot", alive=True))
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == "done"


def test_dead_perception_is_said_and_the_goal_ends_incomplete(world):
    world.event(NodePresence(node="perception", alive=False, detail="silent for 5.2 s"))
    world.prompt("put the milk into the basket").run(10.0)
    assert world.mission.phase == "incomplete"
    assert one_final_say(world).kind == "could_not_complete"


def test_a_skill_runner_that_never_answers_stops_the_mission(world_class):
    world = world_class(runner="dead").ready()
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == "stopped"
    assert "skill runner" in one_final_say(world).text


def test_a_kernel_that_was_not_heard_yet_is_waited_for(world_class):
    world = world_class()
    world._see()
    world.prompt("put the milk into the basket").run(2.0)
    assert not world.starts
    world.event(KernelState(state="holding"))
    assert world.run_mission().mission.phase == "done"


def test_a_skill_that_is_broken_leaves_the_palette_with_one_hand_off(world_class):
    world = world_class(runs={"milk": ["policy_error"] * 99}).ready()
    world.prompt("put the milk into the basket")
    world.run(5.0 * 30)
    calls = world.brain_calls
    world.run(3600.0)
    assert len(world.starts) == 3
    assert one_final_say(world).kind == "handoff"
    assert world.brain_calls == calls


def test_a_new_goal_gives_a_broken_skill_another_chance(world_class):
    world = world_class(runs={"milk": ["policy_error"] * 3}).ready()
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == "incomplete"
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == "done"


@pytest.mark.parametrize(
    "text", ["dance for me", "don't put the milk into the basket", "put it into the basket", "milk"]
)
def test_a_goal_that_is_not_understood_is_refused_with_examples(world, text):
    world.prompt(text).run_mission()
    say = one_final_say(world)
    assert say.kind == "refused"
    assert "put the milk into the basket" in say.text
    assert not world.starts


def test_a_collective_that_names_no_objects_is_asked_back(world):
    world.prompt("put both bottles into the basket").run_mission()
    assert "stands for several objects" in one_final_say(world).text
    assert not world.starts


def test_an_ambiguous_object_is_asked_back(world_class):
    world = world_class(objects={"soup can": "table", "tuna can": "table"}).ready()
    world.prompt("put the can into the basket").run_mission()
    assert "soup can or tuna can" in one_final_say(world).text
    assert not world.starts

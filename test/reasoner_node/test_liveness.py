"""Who fell silent, and who is back."""

from __future__ import annotations

from reasoner_node.events import NodePresence
from reasoner_node.liveness import Liveness, RunnerPresence, RunnerWatch


def watch() -> Liveness:
    return Liveness(
        {"robot": 1.0, "safety_kernel": 2.5}, startup_grace_s=15.0, started_at=0.0, own_stall_s=0.6
    )


def test_nobody_is_lost_within_the_grace_of_the_start():
    assert watch().check(15.0) == []


def test_who_never_spoke_is_lost_after_it():
    lost = watch().check(15.1)
    assert [(e.node, e.detail) for e in lost] == [
        ("robot", "never heard"), ("safety_kernel", "never heard"),
    ]  # fmt: skip


def test_silence_is_told_once_with_its_length():
    liveness = watch()
    liveness.heard("robot", 5.0)
    assert liveness.check(6.0) == []
    (event,) = liveness.check(6.25)
    assert event == NodePresence(node="robot", alive=False, detail="silent for 1.2 s")
    assert liveness.check(6.5) == []


def test_a_check_that_comes_late_itself_judges_nobody():
    liveness = watch()
    liveness.heard("robot", 5.0)
    assert liveness.check(5.2) == []
    # This process stood still for 3 s; the robot's messages wait unread.
    assert liveness.check(8.2) == []
    liveness.heard("robot", 8.3)
    assert liveness.check(8.4) == []


def test_a_sign_of_life_brings_a_lost_node_back():
    liveness = watch()
    liveness.heard("robot", 5.0)
    liveness.check(7.0)
    assert liveness.heard("robot", 8.0) == NodePresence(node="robot", alive=True)
    assert liveness.heard("robot", 8.1) is None


def test_a_loss_that_another_source_tells_is_told_once():
    liveness = watch()
    assert liveness.declare_lost("robot", "gone") is not None
    assert liveness.declare_lost("robot", "gone") is None
    assert [e.node for e in liveness.check(100.0)] == ["safety_kernel"]


def believed(runner: RunnerWatch, now: float) -> RunnerPresence:
    return runner.presence(now, server_ready=True)


def believed_without_its_server(runner: RunnerWatch, now: float) -> RunnerPresence:
    return runner.presence(now, server_ready=False)


def test_the_runner_answers_while_its_server_is_there():
    runner = RunnerWatch(2.0)
    assert believed(runner, 0.0) is RunnerPresence.ANSWERING
    assert believed_without_its_server(runner, 1.0) is RunnerPresence.SILENT


def test_a_runner_that_falls_silent_during_a_goal_is_dead_though_its_server_shows():
    runner = RunnerWatch(2.0)
    runner.goal_taken(10.0)
    runner.spoke(10.5)
    assert believed(runner, 12.5) is RunnerPresence.ANSWERING
    assert believed(runner, 12.6) is RunnerPresence.SILENT
    runner.goal_over()
    # The graph still shows the killed process for a while.
    assert believed(runner, 20.0) is RunnerPresence.SILENT
    runner.spoke(21.0)
    assert believed(runner, 21.0) is RunnerPresence.ANSWERING


def test_a_runner_that_starts_again_during_a_goal_is_lost_until_the_goal_is_over():
    runner = RunnerWatch(2.0)
    runner.goal_taken(0.0)
    # Heard late from before the goal: no restart.
    runner.spoke(0.1, idle=True)
    assert believed(runner, 0.2) is RunnerPresence.ANSWERING
    runner.spoke(0.5)
    runner.spoke(1.0, idle=True)
    assert believed(runner, 1.1) is RunnerPresence.SILENT
    runner.goal_over()
    # Nothing more is heard of an idle runner, and it is there.
    assert believed(runner, 60.0) is RunnerPresence.ANSWERING


def test_a_runner_whose_server_left_and_came_back_is_believed_again():
    runner = RunnerWatch(2.0)
    runner.goal_taken(0.0)
    assert believed(runner, 5.0) is RunnerPresence.SILENT
    runner.goal_over()
    assert believed_without_its_server(runner, 6.0) is RunnerPresence.SILENT
    assert believed(runner, 7.0) is RunnerPresence.ANSWERING


def test_a_runner_is_not_seen_until_its_server_shows_during_the_goal():
    runner = RunnerWatch(2.0)
    assert believed_without_its_server(runner, -1.0) is RunnerPresence.NOT_SEEN
    assert believed(runner, 0.0) is RunnerPresence.ANSWERING
    runner.goal_taken(1.0)
    assert believed_without_its_server(runner, 1.1) is RunnerPresence.NOT_SEEN
    assert believed(runner, 1.3) is RunnerPresence.ANSWERING
    assert believed_without_its_server(runner, 1.5) is RunnerPresence.SILENT

"""One goal: what it does next, and how it ends, with time handed in."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from openral.camera_model import CameraModel
from skill_runner_node.goal_run import Ask, Finish, GoalRun, Phase, Search
from skill_runner_node.policy import Blind, Decision, Done, Failed, Look, Move, Outcome, View
from skill_runner_node.run_settings import Joints, RunSettings
from skill_runner_node.watch import Bounds, Kernel, KernelState

SETTINGS = RunSettings(
    Bounds(kernel_s=1.5, joint_state_s=0.3, start_s=2.0, progress_s=1.0),
    horizon=32, context=4, lead=10, acceleration=np.full(8, 5.0),
    settle_s=0.04, settle_max_s=0.6, rest_velocity=0.02, look_s=4.0, stop_s=1.5, splice=1e-3,
)  # fmt: skip
AT_REST = (0.0,) * 8
ARMED = Kernel(0.0, KernelState.HOLDING, 5, "", "", 0, 0, 0.0, AT_REST)
LOOK = Look("milk", ("top",), "look", 0.05)
ROWS = np.linspace(0.0, 0.2, 101)[:, None] * np.ones(8)
MOVE = Move(ROWS, 0.02, "pick", 0.1)
VIEW = View("top", 0.0, CameraModel(4, 3, 1.0, 1.0, 1.5, 1.0, np.eye(4)), (), None)


def joints(now: float, speed: float = 0.0) -> Joints:
    return Joints(now, np.zeros(8), np.full(8, speed))


def kernel(now: float, **changes: object) -> Kernel:
    return replace(ARMED, received=now, **changes)  # type: ignore[arg-type]


def started(deadline_s: float = 60.0, patience_s: float = 30.0) -> GoalRun:
    numbers = itertools.count(100)
    return GoalRun(0.0, deadline_s, patience_s, SETTINGS, lambda: next(numbers))


def asked(decision: Decision, patience_s: float = 30.0) -> GoalRun:
    """A run whose policy has just answered."""
    run = started(patience_s=patience_s)
    assert isinstance(run.tick(0.01, kernel(0.01), joints(0.01)), Ask)
    run.decided(decision)
    return run


def moving(patience_s: float = 30.0) -> GoalRun:
    """A run whose motion has begun to be sent."""
    run = asked(MOVE, patience_s)
    assert run.tick(0.02, kernel(0.02), joints(0.02)) is None
    assert run.phase is Phase.MOVING
    assert run.window(kernel(0.02)) is not None
    return run


def outcome(effect: object) -> Outcome:
    assert isinstance(effect, Finish)
    return effect.end.outcome


def test_a_latch_during_the_first_look_ends_at_once_and_nothing_is_asked() -> None:
    run = asked(LOOK)
    assert isinstance(run.tick(0.02, kernel(0.02), joints(0.02)), Search)
    latched = kernel(0.1, state=KernelState.LATCHED, reason="estop", message="estop: pendant")
    effect = run.tick(0.1, latched, joints(0.1))
    assert outcome(effect) is Outcome.SAFETY_STOP
    assert isinstance(effect, Finish)
    assert "estop" in effect.end.reason
    run.looked({"top": VIEW})
    assert run.tick(0.2, kernel(0.2), joints(0.2)) is None


def test_not_armed_at_the_start_says_how_to_arm() -> None:
    effect = started().tick(0.01, kernel(0.01, state=KernelState.DISARMED), joints(0.01))
    assert outcome(effect) is Outcome.SAFETY_STOP
    assert isinstance(effect, Finish)
    assert "kernel/arm" in effect.end.reason


def test_waiting_for_the_first_observation_is_bounded() -> None:
    run = started()
    assert run.tick(1.9, None, None) is None
    assert outcome(run.tick(2.1, None, None)) is Outcome.SAFETY_STOP
    run = started()
    assert run.tick(1.9, kernel(1.9), None) is None
    assert outcome(run.tick(2.1, kernel(2.1), None)) is Outcome.OBSERVATION


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"epoch": 6, "reason": "chunk_stale", "message": "0.09 s"}, "chunk_stale"),
        ({"state": KernelState.BRAKING, "reason": "joint_state_stale"}, "joint_state_stale"),
        ({"state": KernelState.LATCHED, "reason": "estop"}, "estop"),
        ({"state": KernelState.DISARMED}, "disarmed"),
    ],
)
def test_a_stop_of_the_kernel_in_motion_ends_the_run_and_the_stream(
    changes: dict[str, object], word: str
) -> None:
    run = moving()
    effect = run.tick(0.5, kernel(0.5, **changes), joints(0.5))
    assert outcome(effect) is Outcome.SAFETY_STOP
    assert isinstance(effect, Finish)
    assert word in effect.end.reason
    assert run.window(kernel(0.5)) is None


def test_nothing_is_sent_under_an_epoch_that_it_was_not_planned_under() -> None:
    run = moving()
    assert run.window(kernel(0.5)) is not None
    # The stop has been reported, and the run has not been told yet.
    assert run.window(kernel(0.5, epoch=6)) is None


def test_a_goal_keeps_the_configuration_it_began_under_and_ends_when_the_kernels_changes() -> None:
    numbers = itertools.count(100)
    run = GoalRun(0.0, 60.0, 30.0, SETTINGS, lambda: next(numbers))
    assert run.configuration_hash == 0
    assert isinstance(run.tick(0.01, kernel(0.01, configuration_hash=7), joints(0.01)), Ask)
    run.decided(MOVE)
    assert run.tick(0.02, kernel(0.02, configuration_hash=7), joints(0.02)) is None
    assert run.window(kernel(0.02, configuration_hash=7)) is not None
    # The new limits have been reported, and the run has not been told yet.
    changed = kernel(0.5, configuration_hash=0xAB)
    assert run.window(changed) is None
    assert run.configuration_hash == 7
    effect = run.tick(0.5, changed, joints(0.5))
    assert outcome(effect) is Outcome.SAFETY_STOP
    assert isinstance(effect, Finish)
    assert effect.end.reason == (
        "the kernel's limits changed: expected configuration_hash 0000000000000007 as at the"
        " goal's start, got 00000000000000ab"
    )


def test_a_kernel_that_was_started_again_with_other_limits_is_told_by_them() -> None:
    run = moving()
    again = kernel(0.5, configuration_hash=3, state=KernelState.DISARMED, epoch=0)
    effect = run.tick(0.5, again, joints(0.5))
    assert isinstance(effect, Finish)
    assert "limits changed" in effect.end.reason


def test_a_kernel_that_moves_another_robot_ends_the_run_at_once_even_a_canceled_one() -> None:
    run = moving()
    run.cancel()
    effect = run.tick(0.5, kernel(0.5), joints(0.5), other_robot="expected 8 joints, got 6")
    assert outcome(effect) is Outcome.SAFETY_STOP
    assert isinstance(effect, Finish)
    assert effect.end.reason == "expected 8 joints, got 6"
    assert run.window(kernel(0.5)) is None


def test_a_silent_kernel_or_robot_ends_the_run() -> None:
    run = moving()
    assert outcome(run.tick(1.6, kernel(0.02), joints(1.6))) is Outcome.SAFETY_STOP
    run = moving()
    assert outcome(run.tick(0.5, kernel(0.5), joints(0.02))) is Outcome.OBSERVATION


def test_a_motion_is_sent_by_the_measured_row_until_the_kernel_has_played_it() -> None:
    run = moving()
    playing = kernel(0.5, state=KernelState.ACTIVE, timeline=100, consumed_row=20.5)
    window = run.window(playing)
    assert window is not None
    assert (window.timeline, window.first_row, len(window.rows)) == (100, 16, 32)
    ended = kernel(2.0, timeline=100, consumed_row=100.0)
    assert run.tick(2.0, ended, joints(2.0, 0.5)) is None
    assert run.phase is Phase.SETTLING
    assert run.window(ended) is None
    # Still moving, then at rest.
    assert run.tick(2.1, replace(ended, received=2.1), joints(2.1, 0.5)) is None
    assert isinstance(run.tick(2.2, replace(ended, received=2.2), joints(2.2)), Ask)


def test_a_cancel_in_motion_comes_to_rest_first() -> None:
    run = moving()
    playing = kernel(0.5, state=KernelState.ACTIVE, timeline=100, consumed_row=20.0)
    run.cancel()
    assert run.tick(0.5, playing, joints(0.5)) is None
    window = run.window(playing)
    assert window is not None
    assert window.last
    end = window.first_row + len(window.rows) - 1
    assert 30 < end < 60
    at_rest = kernel(1.0, timeline=100, consumed_row=float(end))
    assert outcome(run.tick(1.0, at_rest, joints(1.0))) is Outcome.CANCELED


def test_a_cancel_that_never_comes_to_rest_is_bounded() -> None:
    run = moving()
    run.cancel()
    stuck = kernel(0.5, state=KernelState.ACTIVE, timeline=100, consumed_row=20.0)
    assert run.tick(0.5, stuck, joints(0.5)) is None
    assert outcome(run.tick(2.1, replace(stuck, received=2.1), joints(2.1))) is Outcome.CANCELED


def test_a_cancel_at_rest_ends_at_once() -> None:
    run = asked(LOOK)
    run.tick(0.02, kernel(0.02), joints(0.02))
    run.cancel()
    assert outcome(run.tick(0.03, kernel(0.03), joints(0.03))) is Outcome.CANCELED


def test_a_cancel_before_the_first_chunk_moves_nothing() -> None:
    run = asked(MOVE)
    assert run.tick(0.02, kernel(0.02), joints(0.02)) is None
    assert run.phase is Phase.MOVING
    run.cancel()
    assert run.window(kernel(0.03)) is None
    assert outcome(run.tick(0.03, kernel(0.03), joints(0.03))) is Outcome.CANCELED


def test_a_second_cancel_while_coming_to_rest_changes_nothing() -> None:
    run = moving()
    playing = kernel(0.5, state=KernelState.ACTIVE, timeline=100, consumed_row=20.0)
    run.cancel()
    assert run.tick(0.5, playing, joints(0.5)) is None
    first = run.window(playing)
    run.cancel()
    assert run.tick(0.51, playing, joints(0.51)) is None
    again = run.window(playing)
    assert first is not None
    assert again is not None
    assert np.array_equal(first.rows, again.rows)
    run.tick(2.1, replace(playing, received=2.1), joints(2.1))
    run.cancel()
    assert run.tick(2.2, kernel(2.2), joints(2.2)) is None


def test_a_goal_while_the_kernel_brakes_ends_with_its_reason() -> None:
    braking = kernel(0.01, state=KernelState.BRAKING, reason="chunk_stale", message="0.09 s")
    effect = started().tick(0.01, braking, joints(0.01))
    assert outcome(effect) is Outcome.SAFETY_STOP
    assert isinstance(effect, Finish)
    assert "braking (chunk_stale" in effect.end.reason


def test_a_goal_while_an_earlier_motion_plays_on_waits_for_its_end() -> None:
    run = started()
    assert run.tick(0.01, kernel(0.01, state=KernelState.ACTIVE), joints(0.01)) is None
    assert isinstance(run.tick(0.02, kernel(0.02), joints(0.02)), Ask)
    late = started()
    assert late.tick(1.9, kernel(1.9, state=KernelState.ACTIVE), joints(1.9)) is None
    effect = late.tick(2.1, kernel(2.1, state=KernelState.ACTIVE), joints(2.1))
    assert outcome(effect) is Outcome.POLICY_ERROR


def test_patience_ends_a_policy_that_only_looks() -> None:
    run = started(patience_s=5.0)
    run.tick(0.01, kernel(0.01), joints(0.01))
    for second in range(1, 6):
        # The first look is farther in the plan than nothing; those that repeat it are not.
        run.decided(LOOK)
        now = float(second)
        assert isinstance(run.tick(now, kernel(now), joints(now)), Search)
        run.looked({"top": VIEW})
        assert isinstance(run.tick(now, kernel(now), joints(now)), Ask)
    assert run.tick(5.9, kernel(5.9), joints(5.9)) is None
    effect = run.tick(6.1, kernel(6.1), joints(6.1))
    assert outcome(effect) is Outcome.DEADLINE
    assert isinstance(effect, Finish)
    assert "patience_s 5.0 s" in effect.end.reason
    assert "stage 'look', 0.05" in effect.end.reason


def test_patience_in_motion_counts_rows_and_comes_to_rest_first() -> None:
    run = moving(patience_s=0.8)
    for now, row in ((0.5, 20.0), (1.2, 21.0)):
        playing = kernel(now, state=KernelState.ACTIVE, timeline=100, consumed_row=row)
        assert run.tick(now, playing, joints(now)) is None
        assert run.phase is Phase.MOVING
    # Creeping within one row is no progress.
    for now, row in ((1.6, 21.4), (2.1, 21.8)):
        playing = kernel(now, state=KernelState.ACTIVE, timeline=100, consumed_row=row)
        assert run.tick(now, playing, joints(now)) is None
    assert run.phase is Phase.STOPPING
    window = run.window(playing)
    assert window is not None
    assert window.last
    end = window.first_row + len(window.rows) - 1
    # Rows that are played while it comes to rest do not take the end back.
    playing = kernel(2.3, state=KernelState.ACTIVE, timeline=100, consumed_row=30.0)
    assert run.tick(2.3, playing, joints(2.3)) is None
    at_rest = kernel(2.6, timeline=100, consumed_row=float(end))
    assert outcome(run.tick(2.6, at_rest, joints(2.6))) is Outcome.DEADLINE


def test_the_deadline_ends_a_policy_that_thinks_for_ever() -> None:
    run = started(deadline_s=3.0)
    run.tick(0.01, kernel(0.01), joints(0.01))
    assert run.tick(2.9, kernel(2.9), joints(2.9)) is None
    assert outcome(run.tick(3.1, kernel(3.1), joints(3.1))) is Outcome.DEADLINE


def test_chunks_that_the_kernel_refuses_end_the_run_with_its_reason() -> None:
    run = moving()
    refusing = kernel(0.9, refused=40, reason="velocity_limit", message="panda_joint2")
    assert run.tick(0.9, refusing, joints(0.9)) is None
    effect = run.tick(1.2, replace(refusing, received=1.2), joints(1.2))
    assert outcome(effect) is Outcome.POLICY_ERROR
    assert isinstance(effect, Finish)
    assert "velocity_limit" in effect.end.reason


@pytest.mark.parametrize(
    "rows", [ROWS + 0.01, ROWS[:, :7], ROWS[:0], ROWS[0], np.full((4, 8), np.nan)]
)
def test_a_motion_that_does_not_begin_where_the_arm_is_is_not_sent(rows: np.ndarray) -> None:
    run = asked(Move(rows, 0.02, "pick", 0.1))
    assert outcome(run.tick(0.02, kernel(0.02), joints(0.02))) is Outcome.POLICY_ERROR
    assert run.window(kernel(0.02)) is None


def test_the_end_of_the_plan_ends_the_run() -> None:
    done = asked(Done("in the basket"))
    assert outcome(done.tick(0.02, kernel(0.02), joints(0.02))) is Outcome.COMPLETED
    failed = asked(Failed(Outcome.UNREACHABLE, "too far"))
    assert outcome(failed.tick(0.02, kernel(0.02), joints(0.02))) is Outcome.UNREACHABLE


def test_a_look_without_an_answer_is_bounded_and_its_problem_is_told() -> None:
    run = asked(LOOK)
    run.tick(0.02, kernel(0.02), joints(0.02))
    run.looked(Blind("expected depth of camera 'top', got none"))
    assert run.tick(3.9, kernel(3.9), joints(3.9)) is None
    effect = run.tick(4.1, kernel(4.1), joints(4.1))
    assert outcome(effect) is Outcome.OBSERVATION
    assert isinstance(effect, Finish)
    assert effect.end.reason.endswith("got none; expected depth of camera 'top', got none")
    run = asked(LOOK)
    run.tick(0.02, kernel(0.02), joints(0.02))
    run.looked(Blind("camera 'top' is dead", final=True))
    effect = run.tick(0.03, kernel(0.03), joints(0.03))
    assert isinstance(effect, Finish)
    assert effect.end.reason == "camera 'top' is dead"


def test_what_was_seen_reaches_the_policy_once() -> None:
    run = asked(LOOK)
    run.tick(0.02, kernel(0.02), joints(0.02))
    run.looked({"top": VIEW})
    effect = run.tick(0.03, kernel(0.03), joints(0.03))
    assert isinstance(effect, Ask)
    assert set(effect.observation.views) == {"top"}

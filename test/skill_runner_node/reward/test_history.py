"""The course of an attempt: trends, stall and staleness by the contract."""

from __future__ import annotations

import math

from openral.rskill import RewardContract
from skill_runner_node.reward.history import History

CONTRACT = RewardContract(
    success_threshold=0.9, check_floor=0.5, patience_s=30.0, stall_window_s=10.0,
    stall_epsilon=0.02, period_s=0.5,
)  # fmt: skip


def history(*progress: float) -> History:
    """One score a second from second 1 on."""
    scores = History(CONTRACT)
    scores.begin(0.0)
    for second, value in enumerate(progress, 1):
        scores.add(float(second), value, 0.0)
    return scores


def test_trends_run_from_oldest_to_newest_within_the_window() -> None:
    scores = history(0.1, 0.2, 0.3)
    assert scores.course(3.0, 0.0).progress_trend == (0.1, 0.2, 0.3)
    assert scores.course(3.0, 1.0).progress_trend == (0.2, 0.3)
    assert scores.course(3.0, 1.0).progress == 0.3


def test_no_rise_for_the_stall_window_is_a_stall() -> None:
    assert history(*[0.4] * 15).course(15.0, 0.0).stalled
    assert not history(*[0.4] * 9).course(9.0, 0.0).stalled
    rising = [0.1 + 0.01 * second for second in range(15)]
    assert not history(*rising).course(15.0, 0.0).stalled


def test_going_back_is_a_stall_and_unknown_is_no_progress() -> None:
    assert history(*[0.6] * 4, *[0.3] * 11).course(15.0, 0.0).stalled
    assert history(*[math.nan] * 15).course(15.0, 0.0).stalled


def test_three_periods_without_a_score_are_stale() -> None:
    scores = history(0.1)
    assert not scores.course(2.4, 0.0).stale
    assert scores.course(2.6, 0.0).stale
    assert history().course(0.0, 0.0).stale
    assert math.isnan(history().course(0.0, 0.0).progress)


def test_a_new_attempt_forgets_the_last() -> None:
    scores = history(0.9)
    scores.begin(5.0)
    assert scores.course(5.0, 0.0).progress_trend == ()


def test_the_window_is_the_attempt_and_at_most_the_contracts() -> None:
    assert history().window(12.0) == 12.0
    assert history().window(500.0) == 40.0

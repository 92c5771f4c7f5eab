"""Success, plateau and patience of one attempt, per critic."""

from __future__ import annotations

import pytest

from reasoner_node.reward_watch import CriticWatchdogGroup
from reasoner_node.verdict import Limits

LIMITS = Limits(0.9, 0.5, patience_s=30.0, stall_window_s=10.0, stall_epsilon=0.02)


def group() -> CriticWatchdogGroup:
    return CriticWatchdogGroup(LIMITS, 0.0, max_critics=2, max_scores=400)


def test_success_is_told_the_instant_that_the_score_passes():
    watch = group()
    watch.note(1.0, "g", 0.89)
    assert watch.signal(1.0) is None
    watch.note(1.5, "g", 0.9)
    assert watch.signal(1.5) == ("success", "g")


def test_a_success_that_does_not_hold_through_its_grace_is_none():
    watch = group()
    watch.note(1.0, "g", 0.95)
    assert watch.signal(2.0, success_grace_s=2.0) is None
    watch.note(2.5, "g", 0.4)
    assert watch.signal(3.5, success_grace_s=2.0) is None
    watch.note(4.0, "g", 0.95)
    assert watch.next_due(4.0, 2.0) == 6.0
    assert watch.signal(6.0, success_grace_s=2.0) == ("success", "g")


def test_all_critics_have_to_pass():
    watch = group()
    watch.note(1.0, "a", 1.0, made_at=1.0)
    watch.note(1.0, "b", 0.2, made_at=1.0)
    assert watch.signal(1.0) is None
    assert watch.progress_after(0.5) == 0.2
    watch.note(2.0, "b", 0.95)
    assert watch.signal(2.0) == ("success", "a, b")


def test_no_rise_over_the_whole_window_is_a_plateau():
    watch = group()
    for step in range(21):
        watch.note(step * 0.5, "g", 0.30)
    # The first score is a window old at 10 s.
    assert watch.signal(9.9) is None
    assert watch.signal(10.0) == ("plateau", "g")


def test_a_slow_rise_is_no_plateau():
    watch = group()
    for step in range(80):
        now = step * 0.5
        # 0.0025 a second is 0.025 over the window, more than the 0.02 that count.
        watch.note(now, "g", 0.2 + 0.0025 * now)
        assert watch.signal(now) is None


def test_a_dip_and_its_recovery_are_no_progress():
    watch = group()
    watch.note(0.0, "g", 0.5)
    for step in range(1, 24):
        watch.note(step * 0.5, "g", 0.3 if step < 12 else 0.5)
    assert watch.signal(11.5) == ("plateau", "g")


def test_one_stalled_critic_is_enough():
    watch = group()
    for step in range(24):
        watch.note(step * 0.5, "a", 0.2)
        watch.note(step * 0.5, "b", min(0.85, step * 0.03))
    assert watch.signal(11.5) == ("plateau", "a")


def test_patience_counts_from_the_start_without_any_score():
    watch = group()
    assert watch.patience_ends_at() == 30.0
    assert watch.signal(29.99) is None
    assert watch.signal(30.0) == ("patience", "no critic")


def test_patience_counts_from_the_best_score():
    watch = group()
    watch.note(8.0, "g", 0.4)
    watch.note(9.0, "g", 0.41)
    assert watch.patience_ends_at() == 38.0
    watch.note(12.0, "g", 0.45)
    assert watch.patience_ends_at() == 42.0


@pytest.mark.parametrize("last", [None])
def test_a_critic_that_cannot_tell_is_no_success(last):
    watch = group()
    watch.note(1.0, "g", 0.95)
    watch.note(2.0, "g", last, made_at=2.0)
    assert watch.signal(2.0) is None
    assert watch.progress_after(1.5) is None


def test_one_critic_too_many_is_refused_and_has_no_say():
    watch = group()
    assert watch.note(1.0, "a", 0.95, made_at=1.0)
    assert watch.note(1.0, "b", 0.95, made_at=1.0)
    assert not any(watch.note(1.0, f"made_up_{n}", 0.0) for n in range(100))
    assert [critic.critic_id for critic in watch] == ["a", "b"]
    assert watch.progress_after(0.5) == 0.95


@pytest.mark.parametrize(
    ("end", "made_at", "known"),
    [
        (2.0, 2.1, True),
        (2.0, 2.0, False),
        (2.0, 1.9, False),
        (2.0, None, False),
        (None, 9.0, False),
    ],
)
def test_only_a_score_made_after_the_end_tells_of_what_is_now(end, made_at, known):
    watch = group()
    watch.note(3.0, "g", 0.95, made_at=made_at)
    assert watch.progress_after(end) == (0.95 if known else None)


@pytest.mark.parametrize("max_scores", [10, 400])
def test_however_few_scores_are_kept_and_however_many_come_a_plateau_is_told(max_scores):
    watch = CriticWatchdogGroup(LIMITS, 0.0, max_critics=2, max_scores=max_scores)
    for number in range(2000):  # 20 s at 100 Hz
        watch.note(0.01 * number, "a", 0.1)
    assert watch.signal(20.0) == ("plateau", "a")
    (critic,) = watch
    assert len(critic._recent) <= max_scores + 1

"""A rise over a window, judged from few numbers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner_node.stall_window import StallWindow

SCORES = st.lists(
    st.tuples(st.floats(0.01, 4.0), st.floats(0.0, 1.0)), min_size=1, max_size=80
)  # seconds after the score before, and progress


def test_nothing_is_known_before_the_first_score_is_a_window_old():
    window = StallWindow(10.0, 0.02, 100)
    assert not window.stalled(1e9)
    window.note(0.0, 0.5)
    window.note(9.0, 0.5)
    assert not window.stalled(9.99)
    assert window.stalled(10.0)


def test_silence_over_a_whole_window_is_no_plateau():
    window = StallWindow(10.0, 0.02, 100)
    window.note(0.0, 0.5)
    assert not window.stalled(10.0)


def test_the_best_before_the_window_counts_however_long_ago():
    window = StallWindow(10.0, 0.02, 100)
    window.note(0.0, 0.9)
    for second in range(1, 200):
        window.note(float(second), 0.001 * second)
    # 0.199 rises all the time, and is far from the 0.9 of the beginning.
    assert window.stalled(199.0)


@pytest.mark.parametrize("most", [10, 100])
def test_a_rise_in_the_newest_share_is_seen(most):
    window = StallWindow(10.0, 0.02, most)
    for step in range(2000):
        window.note(0.01 * step, 0.3)
    assert window.stalled(19.99)
    window.note(20.0, 0.32)
    assert not window.stalled(20.0)
    # Until that score is a window old itself.
    for step in range(2001, 3001):
        window.note(0.01 * step, 0.3)
        assert window.stalled(0.01 * step) is (step == 3000)


@given(SCORES, st.integers(1, 20))
def test_few_numbers_are_kept_of_many_scores(scores, most):
    window = StallWindow(10.0, 0.02, most)
    now = 0.0
    for wait, progress in scores:
        now += wait
        window.note(now, progress)
        assert len(window) <= most + 1


@given(SCORES)
def test_with_room_for_every_score_it_judges_as_if_all_were_kept(scores):
    window, all_of_them, now = StallWindow(10.0, 0.02, 10_000), [], 0.0
    for wait, progress in scores:
        now += wait
        window.note(now, progress)
        all_of_them.append((now, progress))
        before = max((p for t, p in all_of_them if t <= now - 10.0), default=math.inf)
        within = max(p for t, p in all_of_them if t > now - 10.0)
        assert window.stalled(now) is (not math.isinf(before) and within < before + 0.02)

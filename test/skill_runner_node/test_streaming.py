"""The measured row decides which window is sent; nothing is ever skipped by an estimate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_runner_node.streaming import Progress, Stream
from skill_runner_node.timeline import Timeline

ROWS = np.arange(30, dtype=float)[:, None] * 0.01


def stream(context: int = 0, rows: np.ndarray = ROWS) -> Stream:
    return Stream(Timeline(7, 0.02, rows), horizon=10, context=context, lead=3)


@pytest.mark.parametrize(
    ("progress", "row"),
    [
        (None, 0),
        # 21 rows are estimated to have passed while the chunk was made; none was consumed.
        (Progress(7, 0.0), 0),
        (Progress(7, 3.0), 3),
        (Progress(7, 3.9), 3),
        # The kernel still plays another motion: this one has not begun.
        (Progress(6, 21.0), 0),
        (Progress(7, float("nan")), 0),
        (Progress(7, -2.0), 0),
        (Progress(7, 500.0), 29),
    ],
)
def test_execution_goes_on_at_the_measured_row(progress: Progress | None, row: int) -> None:
    assert stream().seam(progress) == row
    assert stream().window(progress).first_row == row


def test_a_window_repeats_some_rows_before_the_measured_one() -> None:
    assert stream(context=4).window(Progress(7, 9.5)).first_row == 5
    assert stream(context=4).window(Progress(7, 2.0)).first_row == 0


@given(st.lists(st.floats(0.0, 29.0), min_size=2, max_size=40))
def test_every_window_holds_the_row_that_comes_next(reported: list[float]) -> None:
    sent = stream(context=4)
    for row in sorted(reported):
        window = sent.window(Progress(7, row))
        assert window.first_row <= row
        assert window.first_row + len(window.rows) - 1 >= min(row + 1, 29)


def test_it_is_done_when_the_kernel_says_so() -> None:
    assert not stream().done(None)
    assert not stream().done(Progress(7, 28.5))
    assert not stream().done(Progress(6, 29.0))
    assert stream().done(Progress(7, 29.0))


def test_a_stop_leaves_what_the_kernel_may_be_playing_and_is_done_once() -> None:
    sent = stream()
    sent.stop(Progress(7, 10.2), np.array([5.0]))
    first = sent.timeline
    assert (first.rows[:14] == ROWS[:14]).all()
    assert first.last_row < 29
    sent.stop(Progress(7, 12.0), np.array([5.0]))
    assert sent.timeline is first

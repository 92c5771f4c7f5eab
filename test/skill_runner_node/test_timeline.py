"""Windows of a timeline splice exactly, and a stop stays on the path and within the limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_runner_node.timeline import Timeline

DT = 0.02


def line(rows: int, speed: float = 0.5) -> Timeline:
    """One joint at `speed` [rad/s] after an even start."""
    return Timeline(1, DT, np.arange(rows, dtype=float)[:, None] * speed * DT)


def test_a_window_holds_the_asked_rows_and_knows_the_end() -> None:
    timeline = line(10)
    window = timeline.window(4, 3)
    assert window.first_row == 4
    assert window.rows[:, 0] == pytest.approx([0.04, 0.05, 0.06])
    assert not window.last
    assert timeline.window(7, 3).last
    assert timeline.window(8, 30).last


@pytest.mark.parametrize(("asked", "first"), [(-5, 0), (0, 0), (99, 9)])
def test_a_window_is_cut_to_the_timeline(asked: int, first: int) -> None:
    assert line(10).window(asked, 4).first_row == first


@given(st.integers(1, 200), st.integers(1, 64), st.lists(st.integers(-5, 220), max_size=30))
def test_windows_of_one_timeline_agree_wherever_they_overlap(
    rows: int, horizon: int, firsts: list[int]
) -> None:
    timeline = Timeline(1, DT, np.random.default_rng(rows).normal(size=(rows, 8)))
    for first in firsts:
        window = timeline.window(first, horizon)
        expected = timeline.rows[window.first_row : window.first_row + len(window.rows)]
        assert (window.rows == expected).all()
        assert window.last == (window.first_row + len(window.rows) == rows)


def test_a_stop_keeps_what_may_have_been_played_and_ends_at_rest() -> None:
    timeline = line(200)
    # 0.5 rad/s at 5 rad/s² takes 0.1 s = 5 rows.
    stopped = timeline.stopped_after(50, np.array([5.0]))
    assert (stopped.rows[:51] == timeline.rows[:51]).all()
    assert stopped.number == timeline.number
    assert 54 <= stopped.last_row <= 57
    velocity = np.diff(stopped.rows[:, 0]) / DT
    assert np.abs(np.diff(np.append(velocity, 0.0))).max() <= 5.0 * DT + 1e-9


@given(st.integers(0, 300), st.floats(0.5, 20.0), st.integers(0, 2**32 - 1))
def test_a_stop_stays_on_the_path_and_within_the_acceleration(
    row: int, acceleration: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    # A smooth motion from rest to rest: the pace rises and falls.
    pace = np.sin(np.linspace(0, np.pi, 250)) ** 2
    rows = np.outer(np.cumsum(pace) * DT * 0.05, rng.uniform(-1, 1, 8))
    timeline = Timeline(1, DT, rows)
    limit = np.full(8, acceleration)
    own = np.abs(np.diff(np.diff(np.concatenate([rows, rows[-1:]]), axis=0), axis=0)).max() / DT**2
    stopped = timeline.stopped_after(row, limit)
    padded = np.concatenate([stopped.rows, stopped.rows[-1:]])
    change = np.abs(np.diff(np.diff(padded, axis=0), axis=0)).max() / DT**2
    assert change <= max(acceleration, own) + 1e-9
    assert stopped.last_row <= timeline.last_row + 1
    low, high = rows.min(axis=0), rows.max(axis=0)
    assert ((stopped.rows >= low - 1e-12) & (stopped.rows <= high + 1e-12)).all()


@pytest.mark.parametrize("rows", [np.zeros((0, 8)), np.full((3, 8), np.nan), np.zeros(8)])
def test_rows_that_are_no_motion_are_refused(rows: np.ndarray) -> None:
    with pytest.raises(ValueError, match="finite rows"):
        Timeline(1, DT, rows)

"""Every motion that leaves the planner respects every limit, whatever path it is given."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_runner_node.motion.retime import Pace, RetimeError, hold, retime

VELOCITY = np.array([0.74, 0.37, 0.1])
ACCELERATION = np.array([13.5, 6.7, 1.8])
PACE = Pace(VELOCITY, ACCELERATION, tool_speed=0.23, dt=0.02, smoothing_s=0.16)


def tool(rows: np.ndarray) -> np.ndarray:
    """A planar arm of two links of 0.5 m."""
    first, both = rows[:, 0], rows[:, 0] + rows[:, 1]
    x = 0.5 * np.cos(first) + 0.5 * np.cos(both)
    y = 0.5 * np.sin(first) + 0.5 * np.sin(both)
    return np.column_stack([x, y, rows[:, 2]])


def assert_within_limits(rows: np.ndarray) -> None:
    rest = np.zeros((1, rows.shape[1]))
    velocity = np.concatenate([rest, np.diff(rows, axis=0) / PACE.dt, rest])
    acceleration = np.diff(velocity, axis=0) / PACE.dt
    assert (np.abs(velocity).max(axis=0) <= VELOCITY * 1.0001).all()
    assert (np.abs(acceleration).max(axis=0) <= ACCELERATION * 1.0001).all()
    speed = np.linalg.norm(np.diff(tool(rows), axis=0), axis=1) / PACE.dt
    assert speed.max(initial=0.0) <= 0.23 * 1.0001


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.floats(-2, 2), st.floats(-2, 2), st.floats(0, 0.04)), min_size=2, max_size=6
    )
)
def test_every_row_of_any_path_is_within_every_limit(corners: list[tuple[float, ...]]) -> None:
    points = np.array(corners)
    path = np.concatenate([np.linspace(a, b, 20) for a, b in itertools.pairwise(points)])
    rows = retime(path, PACE, tool)
    assert_within_limits(rows)
    assert rows[0] == pytest.approx(points[0], abs=1e-9)
    assert rows[-1] == pytest.approx(points[-1], abs=1e-9)


def test_the_slowest_joint_runs_near_its_limit() -> None:
    # 0.74 rad of joint 2 at 0.37 rad/s take 2 s; smoothing adds 2 x 0.16 s. The tool, folded back
    # over joint 1, is slow enough not to matter.
    path = np.linspace([0.0, 2.4, 0.0], [0.0, 3.14, 0.0], 40)
    rows = retime(path, PACE, lambda rows: tool(rows) * 0.1)
    assert (len(rows) - 1) * PACE.dt == pytest.approx(2.32, abs=0.05)


def test_the_tool_may_be_what_limits() -> None:
    # Stretched out, 1 m from joint 1: 0.5 rad are an arc of 0.5 m, 2.17 s at 0.23 m/s.
    path = np.linspace([0.0, 0.0, 0.0], [0.5, 0.0, 0.0], 40)
    rows = retime(path, PACE, tool)
    assert (len(rows) - 1) * PACE.dt == pytest.approx(2.17 + 0.32, abs=0.06)


def test_a_path_that_stands_still_is_one_row() -> None:
    assert len(retime(np.zeros((5, 3)), PACE, tool)) == 1


@pytest.mark.parametrize("path", [np.zeros((1, 3)), np.full((4, 3), np.nan), np.zeros(3)])
def test_what_is_no_path_is_refused(path: np.ndarray) -> None:
    with pytest.raises(RetimeError):
        retime(path, PACE, tool)


def test_holding_lasts_as_long_as_asked() -> None:
    assert hold(np.zeros(3), 0.25, 0.02).shape == (13, 3)
    assert hold(np.zeros(3), 0.0, 0.02).shape == (1, 3)

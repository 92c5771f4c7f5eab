"""Gives a joint path its speed: as fast as the limits allow, smooth, at rest at both ends.

First every piece of the path gets the time that the slowest joint, or the tool, needs for it. Two
moving averages in time then make the motion smooth. An average of velocities never exceeds the
largest of them, so the velocity limits survive; the lengths of the averages bound acceleration and
jerk.
(L. Biagiotti, C. Melchiorri, "FIR filters for online trajectory planning with time- and
frequency-domain specifications", Control Engineering Practice 20, 2012.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Pace:
    """What a motion may use.

    Attributes:
        velocity: (n,) [rad/s], fingers [m/s].
        acceleration: (n,) [rad/s²], fingers [m/s²].
        tool_speed: [m/s]
        dt: [s] between rows.
        smoothing_s: [s] length of each of the two averages; jerk is at most 2·v/smoothing_s².
    """

    velocity: Array
    acceleration: Array
    tool_speed: float
    dt: float
    smoothing_s: float


class RetimeError(ValueError):
    """A path has no duration within the limits."""


def retime(path: Array, pace: Pace, tool_positions: Callable[[Array], Array]) -> Array:
    """Rows (m, n), `pace.dt` apart, that follow `path` from rest to rest.

    Corners of the path are rounded: the tool passes a corner at a distance of at most
    ``tool_speed · smoothing_s / 4``. Row 0 is the path's first point, the last row its last.

    Args:
        path: (k, n) joint positions, k ≥ 2, close enough for linear interpolation.
        pace: Limits.
        tool_positions: Forward kinematics of (m, n) rows, as (m, 3) [m].

    Raises:
        RetimeError: If the path is not finite, or no stretching brings it into the limits.
    """
    if path.ndim != 2 or len(path) < 2 or not np.isfinite(path).all():
        raise RetimeError(f"expected a finite path of at least 2 points, got shape {path.shape}")
    steps = np.abs(np.diff(path, axis=0))
    tool = np.linalg.norm(np.diff(tool_positions(path), axis=0), axis=1)
    durations = np.maximum((steps / pace.velocity).max(axis=1), tool / pace.tool_speed)
    smoothing = pace.smoothing_s
    for _ in range(12):
        rows = _smooth(_resample(path, durations, pace.dt), max(1, round(smoothing / pace.dt)))
        excess = _excess(rows, pace, tool_positions)
        if excess <= 1.0:
            return rows
        durations = durations * min(2.0, excess * 1.005)
        smoothing *= min(2.0, excess * 1.005)
    raise RetimeError("no duration of this path is within the limits")


def hold(position: Array, seconds: float, dt: float) -> Array:
    """Rows that stay at `position` for `seconds` [s]; at least one."""
    return np.repeat(position[None, :], max(1, int(np.ceil(seconds / dt))), axis=0)


def _resample(path: Array, durations: Array, dt: float) -> Array:
    # Points that coincide have no duration, and np.interp needs rising times.
    keep = np.concatenate([[True], durations > 1e-9])
    times = np.concatenate([[0.0], np.cumsum(durations)])[keep]
    kept = path[keep]
    count = max(1, int(np.ceil(times[-1] / dt)))
    # Stretched to whole rows, never squeezed.
    grid = np.linspace(0.0, times[-1], count + 1)
    rows = np.column_stack([np.interp(grid, times, column) for column in kept.T])
    rows[-1] = path[-1]
    return rows


def _smooth(rows: Array, length: int) -> Array:
    for _ in range(2):
        padded = np.concatenate(
            [np.repeat(rows[:1], length, axis=0), rows, np.repeat(rows[-1:], length, axis=0)]
        )
        totals = np.cumsum(padded - rows[0], axis=0)
        rows = rows[0] + (totals[length:] - totals[:-length]) / length
    return _trim(rows)


def _trim(rows: Array) -> Array:
    """Drops the still rows at both ends that padding added, keeping one of each."""
    first, last = rows[0], rows[-1]
    starts = np.flatnonzero(np.abs(rows - first).max(axis=1) > 1e-12)
    if not len(starts):
        return rows[:1]
    ends = np.flatnonzero(np.abs(rows - last).max(axis=1) > 1e-12)
    return rows[starts[0] - 1 : ends[-1] + 2]


def _excess(rows: Array, pace: Pace, tool_positions: Callable[[Array], Array]) -> float:
    """By how much the worst limit is exceeded, as the factor of duration that would mend it."""
    if len(rows) < 2:
        return 0.0
    rest = np.zeros((1, rows.shape[1]))
    velocity = np.concatenate([rest, np.diff(rows, axis=0) / pace.dt, rest])
    acceleration = np.diff(velocity, axis=0) / pace.dt
    tool = np.linalg.norm(np.diff(tool_positions(rows), axis=0), axis=1) / pace.dt
    factors = (
        float((np.abs(velocity) / pace.velocity).max()),
        float(tool.max()) / pace.tool_speed,
        float(np.sqrt((np.abs(acceleration) / pace.acceleration).max())),
    )
    # A hair above 1 is rounding, and the pace keeps a margin to the real limits.
    return max(factors) / (1.0 + 1e-6)

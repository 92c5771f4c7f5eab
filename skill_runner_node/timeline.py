"""One planned motion as rows on a clock of its own, and the windows on it that go out as chunks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Window:
    """Consecutive rows of a timeline.

    Attributes:
        timeline: Number of the timeline.
        first_row: Index of the first of `rows` on the timeline.
        rows: (horizon, joints) [rad], fingers [m].
        last: Whether the timeline ends with the last of `rows`.
    """

    timeline: int
    first_row: int
    rows: Array
    last: bool


@dataclass(frozen=True)
class Timeline:
    """A motion from the command in force (row 0) to rest (last row).

    Attributes:
        number: Rises with every new motion.
        dt: [s] between rows.
        rows: (n, joints) [rad], fingers [m]; n ≥ 1.
    """

    number: int
    dt: float
    rows: Array

    def __post_init__(self) -> None:
        if self.rows.ndim != 2 or not len(self.rows) or not np.isfinite(self.rows).all():
            raise ValueError(f"expected finite rows of shape (n, joints), got {self.rows.shape}")
        if not self.dt > 0.0:
            raise ValueError(f"expected dt > 0 s, got {self.dt}")
        self.rows.setflags(write=False)

    @property
    def last_row(self) -> int:
        """Index of the row that it ends with."""
        return len(self.rows) - 1

    def window(self, first_row: int, horizon: int) -> Window:
        """`horizon` rows from `first_row` on, fewer at the end; both are cut to the timeline."""
        first = min(max(0, first_row), self.last_row)
        rows = self.rows[first : first + max(1, horizon)]
        return Window(self.number, first, rows, first + len(rows) == len(self.rows))

    def stopped_after(self, row: int, acceleration: Array) -> Timeline:
        """The same timeline, but coming to rest soon after `row`, on the same path.

        Rows up to `row` stay as they are, so that a window of it continues what is being played.
        The pace along the path then falls evenly to zero: phase(t) = row + t - t²/2T. T is the
        shortest that keeps every joint within `acceleration` [rad/s²], fingers [m/s²]; where the
        motion ends by itself before that, it stays as it is.
        """
        begin = min(max(0, row), self.last_row)
        for steps in range(2, self.last_row - begin):
            tail = self._ramp(begin, steps)
            rows = np.concatenate([self.rows[: begin + 1], tail])
            around = rows[max(0, begin - 1) :]
            change = np.diff(np.diff(np.concatenate([around, around[-1:]]), axis=0), axis=0)
            if (np.abs(change) <= acceleration * self.dt**2).all():
                return Timeline(self.number, self.dt, rows)
        return self

    def _ramp(self, begin: int, steps: int) -> Array:
        time = np.arange(1, steps + 1, dtype=float)
        phases = begin + time - time**2 / (2.0 * steps)
        index = np.arange(len(self.rows), dtype=float)
        return np.column_stack([np.interp(phases, index, column) for column in self.rows.T])

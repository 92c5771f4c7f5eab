"""Which window of a timeline to send next, by the row that the kernel says it has reached.

The kernel's report is the only clock here. An estimate of where the kernel "should be" would skip
rows whenever a chunk was late, and the arm would jump.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skill_runner_node.timeline import Timeline, Window

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Progress:
    """What the kernel reports about playing.

    Attributes:
        timeline: Number that it plays or played last.
        consumed_row: Measured position on it [rows].
    """

    timeline: int
    consumed_row: float


class Stream:
    """Sends one timeline.

    Attributes:
        horizon: Rows of a window.
        context: Rows before the consumed one that a window repeats, for a report that is late.
        lead: Rows after the consumed one that a stop leaves as they are: what the kernel may play
            before the changed window reaches it.
    """

    def __init__(self, timeline: Timeline, horizon: int, context: int, lead: int) -> None:
        self._timeline = timeline
        self.horizon = horizon
        self.context = context
        self.lead = lead
        self._stopped = False

    @property
    def timeline(self) -> Timeline:
        """What is being sent; it changes when the stream is stopped."""
        return self._timeline

    def consumed(self, progress: Progress | None) -> float:
        """Measured row on this timeline; 0 as long as the kernel plays none or another one."""
        if progress is None or progress.timeline != self._timeline.number:
            return 0.0
        if not np.isfinite(progress.consumed_row):
            return 0.0
        return min(max(0.0, progress.consumed_row), float(self._timeline.last_row))

    def window(self, progress: Progress | None) -> Window:
        """The window to send now."""
        first = int(self.consumed(progress)) - self.context
        return self._timeline.window(first, self.horizon)

    def seam(self, progress: Progress | None) -> int:
        """Row at which the kernel goes on with a window sent now: the measured one."""
        return int(self.consumed(progress))

    def done(self, progress: Progress | None) -> bool:
        """Whether the kernel has reached the last row."""
        reached = progress is not None and progress.timeline == self._timeline.number
        return reached and self.consumed(progress) >= self._timeline.last_row - 1e-6

    def stop(self, progress: Progress | None, acceleration: Array) -> None:
        """Ends the motion soon, at rest, on its own path; once stopped it stays so."""
        if not self._stopped:
            self._stopped = True
            row = self.seam(progress) + self.lead
            self._timeline = self._timeline.stopped_after(row, acceleration)

"""Real time for the physics: how many steps are due, and what was lost when the machine stalled."""

from __future__ import annotations

import math


class Pacer:
    """Keeps simulated time at the steady clock.

    After a stall it catches up with at most `max_burst` steps; the rest of the stall is dropped,
    so that the arm does not play minutes at once, and is counted in `dropped` [s].
    """

    def __init__(self, timestep: float, max_burst: int, start: float) -> None:
        self._timestep = timestep
        self._max_burst = max_burst
        self._origin = start
        self._steps = 0
        self._worst = 0.0
        self.dropped = 0.0

    def due(self, now: float) -> int:
        """Steps to take now; they are taken as done."""
        behind = math.floor((now - self._origin) / self._timestep + 1e-6) - self._steps
        if behind <= 0:
            return 0
        self._worst = max(self._worst, (behind - 1) * self._timestep)
        if behind > self._max_burst:
            lost = (behind - self._max_burst) * self._timestep
            self._origin += lost
            self.dropped += lost
            behind = self._max_burst
        self._steps += behind
        return behind

    def wait(self, now: float) -> float:
        """Time [s] until the next step is due."""
        return max(0.0, self._origin + (self._steps + 1) * self._timestep - now)

    def take_worst(self) -> float:
        """The largest lag [s] since the last call."""
        worst, self._worst = self._worst, 0.0
        return worst

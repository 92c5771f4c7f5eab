"""Rates of topics, measured over the last seconds."""

from __future__ import annotations

from collections import deque


class RateWindow:
    """Counts arrivals within a sliding window.

    What a counter says at once came in evenly since it was last heard: after a gap only the part
    that lies in the window is counted.

    Args:
        window_s: Length of the window [s].
    """

    def __init__(self, window_s: float = 3.0) -> None:
        self._window_s = window_s
        self._arrivals: deque[tuple[float, float, float]] = deque()
        """Each with the time of the one before it [s], its own time [s], and how many."""
        self._first: float | None = None
        self._last = 0.0

    def count(self, now: float, arrivals: float = 1.0) -> None:
        """Notes `arrivals` messages at `now` [s]."""
        if self._first is None:
            self._first = self._last = now
        self._arrivals.append((self._last, now, arrivals))
        self._last = now
        self._forget(now)

    def rate(self, now: float) -> float:
        """Messages per second [Hz] over the window, or since the first one if that is shorter."""
        if self._first is None:
            return 0.0
        self._forget(now)
        begin = max(now - self._window_s, self._first)
        if now <= begin:
            return 0.0
        return sum(_share(arrival, begin) for arrival in self._arrivals) / (now - begin)

    def _forget(self, now: float) -> None:
        while self._arrivals and self._arrivals[0][1] <= now - self._window_s:
            self._arrivals.popleft()


def _share(arrival: tuple[float, float, float], begin: float) -> float:
    before, at, count = arrival
    return count if before >= begin else count * (at - begin) / (at - before)

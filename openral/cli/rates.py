"""Rates of topics, measured over the last seconds."""

from __future__ import annotations

from collections import deque


class RateWindow:
    """Counts arrivals within a sliding window.

    Args:
        window_s: Length of the window [s].
    """

    def __init__(self, window_s: float = 3.0) -> None:
        self._window_s = window_s
        self._arrivals: deque[tuple[float, float]] = deque()
        self._first: float | None = None

    def count(self, now: float, arrivals: float = 1.0) -> None:
        """Notes `arrivals` messages at `now` [s]."""
        if self._first is None:
            self._first = now
        self._arrivals.append((now, arrivals))
        self._forget(now)

    def rate(self, now: float) -> float:
        """Messages per second [Hz] over the window, or since the first one if that is shorter."""
        if self._first is None:
            return 0.0
        self._forget(now)
        span = min(self._window_s, now - self._first)
        return sum(count for _, count in self._arrivals) / span if span > 0.0 else 0.0

    def _forget(self, now: float) -> None:
        while self._arrivals and self._arrivals[0][0] <= now - self._window_s:
            self._arrivals.popleft()

"""Whether progress rose within a window of time, from few numbers however many scores come."""

from __future__ import annotations

import math
from collections import deque


class StallWindow:
    """Scores of the last `window_s`, and the best of before.

    Time is handed in; that of one note is never below that of the note before.

    Args:
        window_s: [s] over which progress must rise.
        epsilon: Least rise that is progress.
        most: Scores kept: of those within an equal share of the window only the best is.
    """

    def __init__(self, window_s: float, epsilon: float, most: int) -> None:
        self._window_s = window_s
        self._epsilon = epsilon
        self._most = most
        self._share_s = window_s / most
        self._share_began = -math.inf
        self._scores: deque[tuple[float, float]] = deque()
        self._before = -math.inf

    def __len__(self) -> int:
        return len(self._scores)

    def note(self, now: float, progress: float) -> None:
        """Takes one score."""
        if now - self._share_began < self._share_s:
            # The later time of the two, so that a rise is never taken for an old one.
            if progress > self._scores[-1][1]:
                self._scores[-1] = (now, progress)
        else:
            self._scores.append((now, progress))
            self._share_began = now
        # One share more than the window has: what leaves is older than the window.
        while len(self._scores) > self._most + 1:
            self._before = max(self._before, self._scores.popleft()[1])

    def stalled(self, now: float) -> bool:
        """Whether progress did not rise by `epsilon` over a whole window."""
        start = now - self._window_s
        before = [self._before, *(p for t, p in self._scores if t <= start)]
        within = [p for t, p in self._scores if t > start]
        # The best before the window, so that a dip and its recovery are no progress.
        best = max(before)
        return bool(within) and not math.isinf(best) and max(within) < best + self._epsilon

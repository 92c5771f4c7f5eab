"""The scores of an attempt, and what they say about how it is going."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

from openral.rskill import RewardContract

MAX_SCORES = 8192
STALE_PERIODS = 3.0
"""Periods without a new score after which the last one is stale."""


@dataclass(frozen=True)
class Course:
    """How an attempt is going.

    Attributes:
        progress, success: Newest scores in [0, 1]; NaN = cannot tell.
        progress_trend, success_trend: Oldest to newest within the window.
        stalled: Whether the best progress has not risen enough for the contract's stall window.
        stale: Whether there is no new score.
    """

    progress: float
    success: float
    progress_trend: tuple[float, ...]
    success_trend: tuple[float, ...]
    stalled: bool
    stale: bool


class History:
    """Scores of one attempt, oldest first; time is [s] on one clock."""

    def __init__(self, contract: RewardContract) -> None:
        self._contract = contract
        self._scores: deque[tuple[float, float, float]] = deque(maxlen=MAX_SCORES)
        self._begun = 0.0

    def begin(self, now: float) -> None:
        """A new attempt."""
        self._scores.clear()
        self._begun = now

    def add(self, now: float, progress: float, success: float) -> None:
        """A new score."""
        self._scores.append((now, progress, success))

    def window(self, now: float) -> float:
        """[s] of the attempt that a score looks at: its start to now, at most the contract's."""
        return min(max(0.0, now - self._begun), self._contract.frame_window_s)

    def course(self, now: float, window_s: float) -> Course:
        """How it is going, looking back `window_s` [s]; 0 = the whole attempt."""
        since = now - window_s if window_s > 0.0 else -math.inf
        recent = [score for score in self._scores if score[0] >= since]
        newest = self._scores[-1] if self._scores else (-math.inf, math.nan, math.nan)
        return Course(
            newest[1],
            newest[2],
            tuple(progress for _, progress, _ in recent),
            tuple(success for _, _, success in recent),
            self._stalled(now),
            now - newest[0] > STALE_PERIODS * self._contract.period_s,
        )

    def _stalled(self, now: float) -> bool:
        """Compares the best progress before the stall window with the best since."""
        edge = now - self._contract.stall_window_s
        if self._begun > edge:
            return False
        known = [(at, progress) for at, progress, _ in self._scores if not math.isnan(progress)]
        before = max((progress for at, progress in known if at < edge), default=0.0)
        since = max((progress for at, progress in known if at >= edge), default=0.0)
        return since < before + self._contract.stall_epsilon

"""Watches the rewards of one attempt: success, plateau, patience. One watchdog per critic."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from reasoner_node.stall_window import StallWindow
from reasoner_node.verdict import Limits

Signal = Literal["success", "plateau", "patience"]


@dataclass
class CriticWatchdog:
    """One critic's view of one attempt.

    Attributes:
        max_scores: Scores kept of a stall window.
        best: Highest progress so far.
        best_at: When that was reached [s].
        made_at: When the latest was made, by its stamp [s]; None = not said.
        passed_at: When the score first passed and has passed since [s].
    """

    critic_id: str
    limits: Limits
    started_at: float
    max_scores: int
    best: float = -math.inf
    best_at: float = math.nan
    latest: float | None = None
    latest_success: float | None = None
    stage: str = ""
    made_at: float | None = None
    passed_at: float | None = None
    _recent: StallWindow = field(init=False)

    def __post_init__(self) -> None:
        self._recent = StallWindow(
            self.limits.stall_window_s, self.limits.stall_epsilon, self.max_scores
        )

    def note(
        self,
        now: float,
        progress: float | None,
        success: float | None = None,
        stage: str = "",
        made_at: float | None = None,
    ) -> None:
        """Takes one score; None = the critic cannot tell."""
        self.made_at = made_at
        self.latest, self.latest_success, self.stage = progress, success, stage
        if progress is None:
            self.passed_at = None
            return
        self._recent.note(now, progress)
        if progress > self.best + self.limits.stall_epsilon or math.isinf(self.best):
            self.best, self.best_at = progress, now
        if progress < self.limits.success_threshold:
            self.passed_at = None
        elif self.passed_at is None:
            self.passed_at = now

    def stalled(self, now: float) -> bool:
        """Whether progress did not rise by `stall_epsilon` over a whole stall window."""
        return self.passed_at is None and self._recent.stalled(now)

    def patience_ends_at(self) -> float:
        """When patience runs out, were no better score to come [s]."""
        since = self.started_at if math.isnan(self.best_at) else self.best_at
        return since + self.limits.patience_s


class CriticWatchdogGroup:
    """The watchdogs of one attempt, keyed by critic id.

    Args:
        limits: How scores are read.
        started_at: [s].
        max_critics: Critics heard; one more is refused, for all of them have to pass.
        max_scores: Scores kept per critic of a stall window.
    """

    def __init__(
        self, limits: Limits, started_at: float, max_critics: int, max_scores: int
    ) -> None:
        self._limits = limits
        self._started_at = started_at
        self._max_critics = max_critics
        self._max_scores = max_scores
        self._critics: dict[str, CriticWatchdog] = {}

    def __iter__(self) -> Iterator[CriticWatchdog]:
        return iter(self._critics.values())

    def note(
        self,
        now: float,
        critic_id: str,
        progress: float | None,
        success: float | None = None,
        stage: str = "",
        made_at: float | None = None,
    ) -> bool:
        """Takes one score of one critic; False = there are too many critics for this one."""
        if critic_id not in self._critics:
            if len(self._critics) >= self._max_critics:
                return False
            self._critics[critic_id] = CriticWatchdog(
                critic_id, self._limits, self._started_at, self._max_scores
            )
        self._critics[critic_id].note(now, progress, success, stage, made_at)
        return True

    def signal(self, now: float, success_grace_s: float = 0.0) -> tuple[Signal, str] | None:
        """What has happened by `now` and with which critic; None = nothing yet.

        All critics have to pass for a success; one that stalls is enough for a plateau.
        """
        passed = [c.passed_at for c in self._critics.values()]
        latest = max((at for at in passed if at is not None), default=None)
        if passed and all(at is not None for at in passed) and latest is not None:
            if now >= latest + success_grace_s:
                return "success", ", ".join(self._critics)
            return None
        for critic in self._critics.values():
            if critic.stalled(now):
                return "plateau", critic.critic_id
        if now >= self.patience_ends_at():
            return "patience", ", ".join(self._critics) or "no critic"
        return None

    def patience_ends_at(self) -> float:
        """When the most patient critic gives up [s]; without any score, from the start on."""
        return max(
            (critic.patience_ends_at() for critic in self._critics.values()),
            default=self._started_at + self._limits.patience_s,
        )

    def next_due(self, now: float, success_grace_s: float = 0.0) -> float:
        """When `signal` may say something without a further score [s]."""
        passed = [c.passed_at for c in self._critics.values()]
        if passed and all(at is not None for at in passed):
            return max(at for at in passed if at is not None) + success_grace_s
        return self.patience_ends_at()

    def progress_after(self, end: float | None) -> float | None:
        """Lowest of the critics' latest: the most sceptical one decides; None = unknown.

        Only scores made after `end` [s] count, by their stamps: an earlier one is of a world in
        which the skill still moved.
        """
        latest = [
            None
            if end is None or critic.made_at is None or critic.made_at <= end
            else critic.latest
            for critic in self._critics.values()
        ]
        known = [value for value in latest if value is not None]
        return min(known) if known and len(known) == len(latest) else None

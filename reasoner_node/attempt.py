"""One run of a skill for one task: where it stands, and what its reward says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from openral.names import OutcomeName
from reasoner_node.reward_watch import CriticWatchdogGroup
from reasoner_node.verdict import Limits


class AttemptPhase(str, Enum):
    """Life of an attempt."""

    STARTING = "starting"
    RUNNING = "running"
    CANCELLING = "cancelling"
    VERIFYING = "verifying"
    ADJUDICATING = "adjudicating"


@dataclass
class Attempt:
    """A skill run.

    Attributes:
        task_id: Task that it serves.
        due_at: When the phase's own time is over [s].
        grace_s: How long it may go on by itself after its reward passed [s].
        hard_end_at: Backstop behind the skill's own deadline [s].
        cancel_reason: Why it was cancelled from here; empty = it was not.
        ended_at: When it ended, on the clock of the scores' stamps [s]; None = not known.
        orphan: Its mission ended: only its end is still waited for.
    """

    trace_id: str
    task_id: int
    rskill_id: str
    started_at: float
    due_at: float
    hard_end_at: float
    limits: Limits
    watch: CriticWatchdogGroup
    grace_s: float = 0.0
    phase: AttemptPhase = AttemptPhase.STARTING
    cancel_reason: str = ""
    orphan: bool = False
    outcome: OutcomeName | None = None
    outcome_reason: str = ""
    ended_at: float | None = None
    stage: str = ""

    @property
    def holds_runner(self) -> bool:
        """Whether the skill runner may still be at work on it."""
        return self.phase in (
            AttemptPhase.STARTING,
            AttemptPhase.RUNNING,
            AttemptPhase.CANCELLING,
        )

    @property
    def cancellable(self) -> bool:
        """Whether a cancel has not been asked for yet and would still do something."""
        return self.phase in (AttemptPhase.STARTING, AttemptPhase.RUNNING)

    def next_due(self, now: float) -> float:
        """When it needs attention without any further event [s]."""
        if self.phase is AttemptPhase.RUNNING:
            return min(self.hard_end_at, self.watch.next_due(now, self.grace_s))
        return self.due_at

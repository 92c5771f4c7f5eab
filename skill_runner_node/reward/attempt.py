"""Which attempt is scored: what `skill_state` says of it, and what its silence says."""

from __future__ import annotations

from enum import Enum


class News(Enum):
    """What a skill state means for the attempt that is scored."""

    NONE = "none"
    BEGUN = "begun"
    ENDED = "ended"


class AttemptWatch:
    """Follows one skill runner, which runs one attempt at a time; `now` is [s] on a steady clock.

    Attributes:
        ended_at: [s] when the attempt ended; None = it runs, or there is none.

    Args:
        timeout_s: [s] without a skill state after which a running attempt is over: whoever would
            tell its end is gone.
    """

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._trace_id: str | None = None
        self._heard_at = 0.0
        self._suspected = False
        self.ended_at: float | None = None

    @property
    def runs(self) -> bool:
        """Whether there is an attempt that has not ended."""
        return self._trace_id is not None and self.ended_at is None

    def heard(self, now: float, trace_id: str, *, running: bool) -> News:
        """A skill state came."""
        self._heard_at = now
        self._suspected = False
        if not running:
            # Whatever it names: a runner that has just started names none, and runs none.
            if not self.runs:
                return News.NONE
            self.ended_at = now
            return News.ENDED
        if trace_id == self._trace_id and self.ended_at is None:
            return News.NONE
        # Also by the name of the last one: a goal's sender chooses it, and a runner that was only
        # slow goes on with the attempt that it was taken to have left.
        self._trace_id = trace_id
        self.ended_at = None
        return News.BEGUN

    def fell_silent(self, now: float) -> bool:
        """Whether the attempt ends now because nothing is said of it; ask at every tick.

        The second look in a row decides: after a pause of this process, what was said meanwhile
        still waits unread at the first.
        """
        if not self.runs or now - self._heard_at <= self._timeout_s:
            return False
        if not self._suspected:
            self._suspected = True
            return False
        self.ended_at = now
        return True

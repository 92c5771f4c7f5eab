"""When a tick may run: not twice within the least interval, one at a time, never for nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Suppression = Literal[
    "heartbeat_idle", "no_mission", "min_interval", "in_flight", "runner_busy", "not_requested"
]


@dataclass
class TickGate:
    """Coalesces requests: any number of them while a call is in flight make one tick after it."""

    min_interval_s: float
    requested: bool = False
    last_tick_at: float | None = None

    def request(self) -> None:
        """Asks for a tick; asked twice is asked once."""
        self.requested = True

    def opens_at(self) -> float | None:
        """Earliest time of the next tick [s]; None = at once."""
        return None if self.last_tick_at is None else self.last_tick_at + self.min_interval_s

    def blocked(self, now: float, *, in_flight: bool) -> Suppression | None:
        """Why no tick may run now; None = it may."""
        if in_flight:
            return "in_flight"
        opens_at = self.opens_at()
        if opens_at is not None and now < opens_at:
            return "min_interval"
        return None

    def passed(self, now: float) -> None:
        """A tick runs now and takes all requests with it."""
        self.requested = False
        self.last_tick_at = now

"""Caps that make every recovery end: selections of one kind, looks of one task."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class RetryCap:
    """Suppresses a kind of call that was selected too often in a row.

    The streak starts again with another kind, and when something material changed: a task ended, a
    new object was found, a node came back.
    """

    cap: int
    kind: str = ""
    streak: int = 0

    def select(self, kind: str) -> bool:
        """Counts one selection; False = beyond the cap, do not dispatch it."""
        self.streak = self.streak + 1 if kind == self.kind else 1
        self.kind = kind
        return self.streak <= self.cap

    def context_shifted(self) -> None:
        """Something material changed: the same call may now have another result."""
        self.streak = 0


@dataclass
class TaskLocateBudget:
    """Looks that a task may take without a skill run following."""

    cap: int
    used: int = 0

    def spend(self) -> bool:
        """Takes one look; False = none is left."""
        if self.used >= self.cap:
            return False
        self.used += 1
        return True

    def reset(self) -> None:
        """A skill ran, or another task is on."""
        self.used = 0

    @property
    def left(self) -> int:
        """Looks left."""
        return self.cap - self.used

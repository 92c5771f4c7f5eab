"""Counts what was refused of other nodes' messages, so that a log line can say how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable


class Refusals:
    """Counts and tells.

    Args:
        tell: Takes one line for the log, which it may thin out.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._counts: Counter[str] = Counter()

    def refuse(self, kind: str, why: str, times: int = 1) -> None:
        """Counts; `kind` is one of the program's own words, never a message's."""
        self._counts[kind] += times
        line = " ".join(why.split())
        self._tell(f"refused {kind} ({self._counts[kind]} so far): {line[:300]}")

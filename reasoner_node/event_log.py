"""The events as lines for the context: bounded, and drained only up to what a decision has seen."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Line:
    """One event in words.

    Attributes:
        number: Rises by one per line.
        informs_only: Whether it is no reason for a decision.
    """

    number: int
    at: float
    text: str
    informs_only: bool
    times: int = 1


@dataclass
class EventLog:
    """Lines since the last decision, and how many older ones had to go.

    Attributes:
        max_lines: Lines kept.
        repeat_s: [s] within which the same line again is counted instead of written.
    """

    max_lines: int
    repeat_s: float
    last: int = 0
    dropped: int = 0
    _lines: deque[Line] = field(default_factory=deque)
    _repeats: dict[str, float] = field(default_factory=dict)

    def add(self, now: float, text: str, *, informs_only: bool = False) -> bool:
        """Appends a line.

        Returns:
            False where the same line came within `repeat_s`: counted, no news.
        """
        previous = self._repeats.get(text)
        if previous is not None and now - previous < self.repeat_s:
            for index, line in enumerate(self._lines):
                if line.text == text:
                    self._lines[index] = Line(
                        line.number, line.at, text, line.informs_only, line.times + 1
                    )
                    break
            return False
        # Newest last, so that a flood of different lines pushes the oldest out.
        self._repeats.pop(text, None)
        self._repeats[text] = now
        if len(self._repeats) > self.max_lines:
            del self._repeats[next(iter(self._repeats))]
        self.last += 1
        self._lines.append(Line(self.last, now, text, informs_only))
        if len(self._lines) > self.max_lines:
            self._lines.popleft()
            self.dropped += 1
        return True

    def pending(self) -> tuple[Line, ...]:
        """Lines that no decision has seen."""
        return tuple(self._lines)

    def has_news(self) -> bool:
        """Whether a line waits that is a reason for a decision."""
        return any(not line.informs_only for line in self._lines)

    def drain(self, up_to: int) -> None:
        """Forgets the lines that a decision has seen; later ones stay for the next."""
        while self._lines and self._lines[0].number <= up_to:
            self._lines.popleft()
        self.dropped = 0

"""The same as lines, one per change, where there is no terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from openral.cli.observed import Observed
from openral.terminal_text import printable

SCORE_STEP = 0.1
"""A reward is told when it moved by this much."""


class PlainView:
    """Tells changes; never redraws."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told_says = 0
        self._told_failures = 0
        self._tasks: dict[str, str] = {}
        self._kernel = ""
        self._stage = ""
        self._score = 0.0

    def __enter__(self) -> PlainView:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def note(self, line: str) -> None:
        """Prints one line."""
        # A line of a log stays one line: soft_wrap leaves it as long as it is.
        self._console.print(Text(printable(line)), soft_wrap=True)

    def update(self, observed: Observed, now: float, elapsed_s: float) -> None:
        """Prints what changed since the last call."""
        del now
        for line in self.changes(observed):
            self.note(f"{elapsed_s:6.1f} s  {line}")

    def changes(self, observed: Observed) -> list[str]:
        """What changed since the last call, one line each."""
        lines = []
        for task in observed.mission.tasks if observed.mission is not None else ():
            state = f"{task.state.lower()} {task.verdict}".strip()
            if self._tasks.get(task.text) != state:
                self._tasks[task.text] = state
                why = f" ({task.reason})" if task.reason else ""
                lines.append(f"task    {task.text}: {state}{why}")
        kernel = observed.kernel
        if kernel is not None and kernel.state not in (self._kernel, "ACTIVE", "HOLDING"):
            lines.append(f"kernel  {kernel.state} epoch {kernel.epoch} {kernel.message}".rstrip())
        self._kernel = kernel.state if kernel is not None else ""
        skill = observed.skill
        stage = f"{skill.skill_id} {skill.stage}" if skill and skill.state == "RUNNING" else ""
        if stage and stage != self._stage:
            lines.append(f"skill   {stage}")
        self._stage = stage
        if observed.scores and abs(observed.scores[-1].score - self._score) >= SCORE_STEP:
            self._score = observed.scores[-1].score
            lines.append(f"reward  {self._score:.2f} {observed.scores[-1].stage}")
        lines += [
            f"failure {failure.layer} {failure.severity} {failure.message}"
            for failure in observed.failures[self._told_failures :]
        ]
        self._told_failures = len(observed.failures)
        lines += [f"say     {said.text}" for said in observed.says[self._told_says :]]
        self._told_says = len(observed.says)
        return lines

"""What a run came to: the closing table, and the same as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from rich.table import Table
from rich.text import Text

from openral.cli.exit_code import ExitCode
from openral.cli.judgement import Judgement
from openral.cli.observed import Kernel, Mission


@dataclass(frozen=True)
class Summary:
    """A run's result; times in s."""

    prompt: str
    seed: int | None
    exit_code: ExitCode
    verdict: str
    ending: str
    words: str
    startup_s: float
    mission_s: float
    mission: Mission | None
    kernel: Kernel | None
    judgements: tuple[Judgement, ...]
    referee_error: str
    missing_artifacts: tuple[str, ...]
    folder: str

    def to_json(self) -> str:
        """Every field, with the exit code's name beside its number; null for what is no number."""
        fields = {**asdict(self), "exit_code": int(self.exit_code), "exit": self.exit_code.name}
        return json.dumps(_finite(fields), indent=2, ensure_ascii=False, allow_nan=False)


def _finite(value: object) -> object:
    """`value` with None for NaN and the infinities, which RFC 8259 knows no word for."""
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def task_table(mission: Mission | None) -> Table:
    """One row a subtask."""
    table = Table(title="Subtasks", title_justify="left")
    for heading in ("subtask", "state", "verdict", "time", "attempts", "reason"):
        table.add_column(heading, justify="right" if heading in ("time", "attempts") else "left")
    for task in mission.tasks if mission is not None else ():
        table.add_row(
            Text(task.text),
            Text(task.state),
            # ABANDONED is the state, and the verdict too: said once.
            Text(task.verdict if task.verdict not in ("", task.state.lower()) else "-"),
            f"{task.elapsed_s:.1f} s",
            str(task.attempts),
            Text(task.reason),
        )
    return table


def referee_table(judgements: Sequence[Judgement], error: str) -> Table:
    """One row an object, by the referee."""
    table = Table(title="Referee", title_justify="left")
    for heading in ("object", "in the basket", "inside its walls", "below its rim", "moved"):
        table.add_column(heading)
    for one in judgements:
        marks = ["yes" if mark else "no" for mark in (one.in_basket, one.inside_footprint)]
        # All that lies on the table is lower than the rim.
        height = "-" if not one.inside_footprint else "yes" if one.below_rim else "no"
        table.add_row(Text(one.label), *marks, height, f"{one.moved:.3f} m")
    if error:
        table.caption = Text(error)
    return table


def closing_lines(summary: Summary) -> list[str]:
    """Figures and the verdict, for below the tables."""
    mission, kernel = summary.mission, summary.kernel
    calls = mission.model_calls if mission is not None else 0
    brain = mission.brain if mission is not None and mission.brain else "none"
    lines = [
        f"brain {brain}: {calls} model calls; "
        f"start-up {summary.startup_s:.1f} s, mission {summary.mission_s:.1f} s"
    ]
    if kernel is not None:
        lines.append(
            f"kernel: {kernel.admitted} chunks admitted, {kernel.refused} refused, "
            f"{kernel.stops} stops, {kernel.commands} commands, {kernel.late_ticks} late ticks"
        )
    if summary.missing_artifacts:
        lines.append(f"not made: {'; '.join(summary.missing_artifacts)}")
    lines.append(f"run folder: {summary.folder}")
    lines.append(f"verdict: {summary.verdict}")
    return lines

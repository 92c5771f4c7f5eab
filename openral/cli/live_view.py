"""The live terminal view: mission queue, skill, reward, kernel, rates and what is said."""

from __future__ import annotations

import math

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from openral.cli.observed import Kernel, Mission, Observed, Said, Score, Skill
from openral.terminal_text import printable

_TASK_STYLE = {
    "PENDING": "dim",
    "ACTIVE": "bold cyan",
    "VERIFYING": "bold yellow",
    "DONE": "green",
    "ABANDONED": "red",
}
_KERNEL_STYLE = {
    "DISARMED": "yellow",
    "HOLDING": "cyan",
    "ACTIVE": "green",
    "BRAKING": "bold yellow",
    "LATCHED": "bold red",
}
_BAR_WIDTH = 30
_SAYS = 6


def reward_bar(score: Score, width: int = _BAR_WIDTH) -> Text:
    """A bar of the score, with a mark at a finite threshold; "cannot tell" for NaN."""
    if math.isnan(score.score):
        return Text("cannot tell", style="dim")
    filled = round(max(0.0, min(1.0, score.score)) * width)
    # Whoever publishes a score may say nonsense: it must not end the view.
    marked = math.isfinite(score.threshold)
    mark = min(width - 1, round(score.threshold * width)) if marked else None
    passed = score.score >= score.threshold
    style = "green" if passed else "cyan" if score.score >= score.floor else "yellow"
    cells = ["█" if cell < filled else "│" if cell == mark else "·" for cell in range(width)]
    return Text("".join(cells), style=style).append(f" {score.score:.2f} {score.stage}", "default")


def _mission_panel(mission: Mission | None) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    if mission is None or not mission.tasks:
        table.add_row(Text("no subtasks yet", style="dim"))
    else:
        for task in mission.tasks:
            style = _TASK_STYLE.get(task.state, "default")
            table.add_row(
                Text(task.state.lower(), style=style),
                Text(task.text),
                Text(f"{task.elapsed_s:.0f} s", style="dim"),
                Text(f"try {task.attempts}" if task.attempts else "", style="dim"),
                Text(task.reason, style="dim"),
            )
    goal = f"mission: {mission.goal}" if mission is not None and mission.goal else "mission"
    state = f"{mission.state.lower()}, brain {mission.brain}" if mission is not None else "idle"
    return Panel(table, title=Text(goal), subtitle=Text(state), title_align="left")


def _kernel_line(kernel: Kernel | None) -> Text:
    if kernel is None:
        return Text("not heard", style="dim")
    line = Text(kernel.state, style=_KERNEL_STYLE.get(kernel.state, "default"))
    line.append(
        f"  epoch {kernel.epoch}  {kernel.tick_rate:.0f} Hz  "
        f"admitted {kernel.admitted}  refused {kernel.refused}  stops {kernel.stops}",
        "default",
    )
    if kernel.reason:
        line.append(f"  last: {kernel.reason}", "dim")
    return line


def _skill_line(skill: Skill | None) -> Text:
    if skill is None or skill.state == "IDLE":
        return Text("none", style="dim")
    line = Text(f"{skill.skill_id} ", style="bold").append(skill.state.lower(), "default")
    line.append(f"  {skill.stage}  {skill.progress:.0%} of the plan", "default")
    return line


def _say_line(said: Said) -> Text:
    return Text(f"{said.kind:>17}  ", style="dim").append(said.text, "default")


def render(observed: Observed, now: float, elapsed_s: float) -> RenderableType:
    """The whole view at `now` [s]."""
    lines = Table.grid(padding=(0, 2))
    lines.add_row("skill", _skill_line(observed.skill))
    last = observed.scores[-1] if observed.scores else None
    lines.add_row("reward", reward_bar(last) if last is not None else Text("none yet", "dim"))
    lines.add_row("kernel", _kernel_line(observed.kernel))
    rates = "  ".join(f"{name} {win.rate(now):.0f} Hz" for name, win in observed.rates.items())
    lines.add_row("rates", Text(rates or "nothing heard", style="dim"))
    says = Group(*(_say_line(said) for said in observed.says[-_SAYS:]))
    return Group(
        _mission_panel(observed.mission),
        Panel(lines, title=f"robot  {elapsed_s:.0f} s", title_align="left"),
        Panel(says, title="say", title_align="left"),
    )


class LiveView:
    """Redraws the view in place; for terminals."""

    def __init__(self, console: Console) -> None:
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> LiveView:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def note(self, line: str) -> None:
        """Prints one line above the view."""
        self._live.console.print(Text(printable(line)))

    def update(self, observed: Observed, now: float, elapsed_s: float) -> None:
        """Draws what is known now."""
        self._live.update(render(observed, now, elapsed_s), refresh=True)

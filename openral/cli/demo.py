"""`openral demo`: one mission in the simulator from nothing to a judged end."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from openral.bringup import domain, run_folder, stack_file, supervisord
from openral.bringup.processes import Choices, sim_processes
from openral.bringup.run_folder import RunFolder
from openral.bringup.session import StackError
from openral.bringup.supervisord import SupervisedStack
from openral.cli import clip, judgement, plot, prompted, summary
from openral.cli.arm import arm
from openral.cli.bring_up import NotReadyError, losses, wait_ready
from openral.cli.exit_code import ExitCode
from openral.cli.joint_history import read_joint_history
from openral.cli.live_view import LiveView
from openral.cli.mission_end import End, Ending
from openral.cli.observed import Observed
from openral.cli.operator import Operator
from openral.cli.plain_view import PlainView
from openral.cli.prompt import checked, send
from openral.cli.recorder import Recorder
from openral.cli.verdict import verdict
from openral.errors import OpenralError
from openral.terminal_text import printable

_DRAW_PERIOD_S = 0.25
_YIELDS = 10
_POLL_PROCESSES_S = 2.0
# What was let go of comes to rest before the referee looks.
_SETTLE_S = 1.0


@dataclass(frozen=True)
class DemoOptions:
    """What the user chose.

    Attributes:
        prompt: The operator's words.
        seed: Of the table; None = the configured one.
        model: The reasoner's brain; None = the configured one.
        deadline_s: Longest mission [s].
        runs: Folder of the run folders.
        media: Whether to keep frames and make the clip and the plot.
    """

    prompt: str
    seed: int | None
    model: str | None
    deadline_s: float
    runs: Path
    media: bool


@dataclass(frozen=True)
class _Ran:
    end: End
    startup_s: float
    mission_s: float


def run_demo(options: DemoOptions, console: Console) -> ExitCode:
    """Runs the demo and returns its exit status.

    Raises:
        OpenralError: If it could not be started; nothing is left running.
    """
    began = time.monotonic()
    checked(options.prompt)
    number = domain.isolate(os.environ)
    with stack_file.alone(number):
        return _run_alone(options, console, number, began)


def _run_alone(options: DemoOptions, console: Console, number: int, began: float) -> ExitCode:
    folder = run_folder.create(options.runs, datetime.now())
    processes = sim_processes(
        Choices(
            seed=options.seed,
            model=options.model,
            record_path=str(folder.record),
            trace_path=str(folder.trace),
        )
    )
    view = LiveView(console) if console.is_terminal else PlainView(console)
    recorder = Recorder(folder)
    stack = supervisord.start(processes, folder, os.environ)
    # From here on this process only watches: the robot's processes come first.
    os.nice(_YIELDS)
    try:
        with Operator(recorder.on_frame if options.media else None) as operator, view:
            view.note(f"openral demo: ROS domain {number}, run folder {folder.path}")
            ran = _run_mission(options, operator, stack, view, recorder, began)
            observed = operator.observed
    finally:
        stack.stop()
    result = _conclude(options, folder, observed, recorder, ran)
    unsaved = _why_not_made(lambda: _save(result, folder))
    console.print(summary.task_table(result.mission))
    console.print(summary.referee_table(result.judgements, result.referee_error))
    for line in summary.closing_lines(result):
        console.print(Text(printable(line)), soft_wrap=True)
    if unsaved:
        console.print(Text(f"not saved: {folder.summary.name}: {printable(unsaved)}"))
    return result.exit_code


def _save(result: summary.Summary, folder: RunFolder) -> None:
    folder.summary.write_text(result.to_json() + "\n", encoding="utf-8")


def _run_mission(
    options: DemoOptions,
    operator: Operator,
    stack: SupervisedStack,
    view: LiveView | PlainView,
    recorder: Recorder,
    began: float,
) -> _Ran:
    def on_ready(name: str) -> None:
        view.note(f"  ready: {name}")

    wait_ready(operator, lambda: losses(stack), on_ready)
    armed, words = arm(operator)
    if not armed:
        raise NotReadyError(f"the kernel does not arm: {words}")
    startup_s = time.monotonic() - began
    view.note(f"armed after {startup_s:.1f} s; prompt: {options.prompt}")
    watch = send(operator, options.prompt, options.deadline_s)
    prompted_at = time.monotonic()
    next_poll = prompted_at
    told: set[str] = set()
    while True:
        operator.spin(_DRAW_PERIOD_S)
        now = time.monotonic()
        recorder.update(operator.observed)
        view.update(operator.observed, now, now - prompted_at)
        if now >= next_poll:
            next_poll = now + _POLL_PROCESSES_S
            lost = losses(stack)
            if lost and lost not in told:
                told.add(lost)
                view.note(lost)
            if stack.ended():
                raise StackError(f"{lost}: its processes ended with it")
        end = watch.end_by(operator.observed, now)
        if end is not None:
            break
    if end.ending is Ending.DONE:
        operator.spin(_SETTLE_S)
    return _Ran(end, startup_s, now - prompted_at)


def _conclude(
    options: DemoOptions, folder: RunFolder, observed: Observed, recorder: Recorder, ran: _Ran
) -> summary.Summary:
    judgements: tuple[judgement.Judgement, ...] = ()
    referee_error = ""
    try:
        judgements = judgement.judge(folder.record)
    except OpenralError as error:
        referee_error = str(error)
    wanted = prompted.prompted_objects(options.prompt, [one.label for one in judgements])
    lying = judgement.in_basket(judgements) if judgements else None
    code, words = verdict(ran.end, wanted, lying)
    missing = [*recorder.lost]
    if options.media:
        missing += _make_media(folder, observed, recorder)
    return summary.Summary(
        prompt=options.prompt,
        seed=options.seed,
        exit_code=code,
        verdict=words,
        ending=ran.end.ending.value,
        words=ran.end.words,
        startup_s=ran.startup_s,
        mission_s=ran.mission_s,
        mission=observed.mission,
        kernel=observed.kernel,
        judgements=judgements,
        referee_error=referee_error,
        missing_artifacts=tuple(missing),
        folder=str(folder.path),
    )


def _make_media(folder: RunFolder, observed: Observed, recorder: Recorder) -> list[str]:
    """Makes plot and clip; what cannot be made is told, and costs no mission its result."""

    def draw() -> None:
        with folder.record.open(encoding="utf-8") as record:
            plot.plot_run(observed.scores, read_joint_history(record), folder.plot)

    makers: dict[str, Callable[[], None]] = {
        folder.plot.name: draw,
        folder.clip.name: lambda: clip.write_clip(recorder.frames.get("front", []), folder.clip),
    }
    reasons = ((name, _why_not_made(make)) for name, make in makers.items())
    return [f"{name}: {why}" for name, why in reasons if why]


def _why_not_made(make: Callable[[], None]) -> str:
    try:
        make()
    except (OpenralError, OSError, ImportError) as error:
        return str(error)
    except Exception as error:
        # A library's own, as PyAV's for a codec that it was built without.
        return f"{type(error).__name__}: {error}"
    return ""

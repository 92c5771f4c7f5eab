"""The `openral` command: one command a call, ended by a line and an exit code."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from openral import __version__
from openral.cli.exit_code import ExitCode
from openral.errors import ConfigError, InputError, OpenralError
from openral.realtime import refuse_huge_pages
from openral.terminal_text import printable

_LOG_WIDTH = 160
_INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_STOPPED = "interrupted; everything that it started is stopped"
_INTERRUPTED = {
    "demo": _STOPPED,
    "up": _STOPPED,
    "prompt": "interrupted; a mission goes on without it: `openral prompt stop` ends it",
}

DEMO_PROMPT = "put all the groceries into the basket"


def parser() -> argparse.ArgumentParser:
    """The command line's grammar."""
    top = argparse.ArgumentParser(
        prog="openral",
        description="Language models propose, deterministic code decides, a C++ kernel alone moves "
        "the robot.",
    )
    top.add_argument("--version", action="version", version=f"openral {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    demo = commands.add_parser("demo", help="one mission in the simulator, judged at its end")
    demo.add_argument("--prompt", default=DEMO_PROMPT, help="what to do (default: %(default)s)")
    _add_choices(demo)
    demo.add_argument(
        "--deadline", type=_positive, default=300.0, metavar="S", help="longest mission [s] (300)"
    )
    demo.add_argument("--plain", action="store_true", help="lines instead of the live view")
    demo.add_argument("--no-media", action="store_true", help="no frames, clip and plot")

    up = commands.add_parser("up", help="start the system and keep it running")
    _add_choices(up)
    up.add_argument(
        "--robot", default="panda", help="file of config/robots/ (default: %(default)s)"
    )
    up.add_argument("--real-robot", action="store_true", help="without the simulated robot")
    up.add_argument("--arm", action="store_true", help="arm the safety kernel once all is ready")
    up.add_argument(
        "--detach", action="store_true", help="return once ready; `openral stop` ends it"
    )

    prompt = commands.add_parser("prompt", help="tell the running system what to do")
    prompt.add_argument("text", help="what to do, in words")
    prompt.add_argument("--wait", action="store_true", help="stay until the mission has ended")
    prompt.add_argument(
        "--deadline", type=_positive, default=600.0, metavar="S", help="longest wait [s] (600)"
    )

    commands.add_parser("status", help="which nodes answer, what kernel and mission do")
    arm = commands.add_parser("arm", help="arm the safety kernel")
    arm.add_argument(
        "--recovery",
        action="store_true",
        help="for a robot outside its limits: motion back inside only, slowly",
    )
    arm.add_argument(
        "--when-ready", action="store_true", help="wait until every node answers before it"
    )
    commands.add_parser("reset", help="clear the safety kernel's latch")
    commands.add_parser("stop", help="end the system that `openral up` started")
    replay = commands.add_parser("replay", help="decide a recorded run anew, and compare")
    replay.add_argument("run", type=Path, metavar="RUN", help="run folder, or trace file")
    return top


def _add_choices(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=_seed, help="of the simulated table")
    command.add_argument("--model", help="brain: 'rules' or a model of config/models.yaml")
    command.add_argument(
        "--runs", type=Path, default=Path("runs"), help="folder of the run folders (runs/)"
    )


def _positive(text: str) -> float:
    value = float(text)
    if not 0.0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r}: expected seconds above 0")
    return value


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**31:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number from 0 to 2147483647")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit status."""
    chosen = parser().parse_args(arguments)
    for number in _INTERRUPTS:
        # Whoever started it may want it to outlive the terminal: nohup(1) ignores SIGHUP.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    refuse_huge_pages()
    code = _run(chosen)
    try:
        sys.stdout.flush()
    except OSError:
        # What is left in the buffer cannot be written: Python's own last flush need not try again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _run(chosen: argparse.Namespace) -> int:
    try:
        return int(_COMMANDS[chosen.command](chosen))
    except KeyboardInterrupt:
        _complain(_INTERRUPTED.get(chosen.command, "interrupted"))
        return ExitCode.INTERRUPTED
    except (ConfigError, InputError) as error:
        _complain(str(error))
        return ExitCode.USAGE
    except OpenralError as error:
        _complain(str(error))
        return ExitCode.NOT_READY
    except ModuleNotFoundError as error:
        _complain(f"{error}: source ROS 2 and build the workspace (`make build`)")
        return ExitCode.USAGE
    except BrokenPipeError:
        return ExitCode.NO_MEANS  # who read the output is gone, as with `| head`
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        _complain(f"{error.strerror or error}{where}")
        return ExitCode.NO_MEANS


def _interrupt(number: int, frame: object) -> NoReturn:
    # What was started is being stopped from here on, in bounded time: a second Ctrl-C would leave
    # it running.
    for other in _INTERRUPTS:
        signal.signal(other, signal.SIG_IGN)
    raise KeyboardInterrupt


# Each command imports what it needs: --help has to work, and at once, where no ROS is sourced.
def _demo(chosen: argparse.Namespace) -> ExitCode:
    from rich.console import Console

    from openral.cli.demo import DemoOptions, run_demo

    in_terminal = sys.stdout.isatty() and not chosen.plain
    return run_demo(
        DemoOptions(
            prompt=chosen.prompt,
            seed=chosen.seed,
            model=chosen.model,
            deadline_s=chosen.deadline,
            runs=chosen.runs,
            media=not chosen.no_media,
        ),
        # A log has no width of its own: its tables need not be folded.
        Console() if in_terminal else Console(force_terminal=False, width=_LOG_WIDTH),
    )


def _up(chosen: argparse.Namespace) -> ExitCode:
    from openral.cli.up import UpOptions, up

    up(
        UpOptions(
            seed=chosen.seed,
            model=chosen.model,
            robot=chosen.robot,
            real_robot=chosen.real_robot,
            arm=chosen.arm,
            detach=chosen.detach,
            runs=chosen.runs,
        ),
        _say,
    )
    return ExitCode.OK


def _prompt(chosen: argparse.Namespace) -> ExitCode:
    from openral.cli.operator import Operator
    from openral.cli.prompt import checked, send, wait

    text = checked(chosen.text)
    with Operator() as operator:
        watch = send(operator, text, chosen.deadline)
        if not chosen.wait:
            operator.spin(0.5)  # until the message has left
            return ExitCode.OK
        told: list[str] = []

        def on_say(kind: str, text: str) -> None:
            told.append(text)
            _say(f"{kind}: {text}")

        end = wait(operator, watch, on_say)
    # The reasoner's own last word need not be said twice.
    _say(end.ending.value if end.words in told else f"{end.ending.value}: {end.words}")
    return end.ending.exit_code


def _status(chosen: argparse.Namespace) -> ExitCode:
    import time

    from openral.bringup import domain, stack_file
    from openral.bringup.run_folder import RunFolder
    from openral.bringup.session import StackError
    from openral.bringup.supervisord import ProcessStatus, SupervisedStack
    from openral.cli import status
    from openral.cli.operator import Operator
    from openral.cli.readiness import missing

    note = stack_file.read(domain.of(os.environ))
    supervised = note is not None and note.kind == "supervisor"
    processes: Sequence[ProcessStatus] = ()
    if note is not None and supervised:
        try:
            processes = SupervisedStack(RunFolder(note.folder)).processes()
        except StackError as error:
            _complain(str(error))  # the nodes' own answers follow all the same
    with Operator() as operator:
        operator.spin_until(lambda: not missing(operator.observed), status.LISTEN_S)
        operator.spin(status.RATES_S)
        for line in status.lines(operator.observed, processes, time.monotonic()):
            _say(line)
        return ExitCode.NOT_READY if missing(operator.observed) else ExitCode.OK


def _arm(chosen: argparse.Namespace) -> ExitCode:
    from openral.cli.arm import arm, arm_recovery
    from openral.cli.bring_up import wait_ready
    from openral.cli.operator import Operator

    with Operator() as operator:
        if chosen.when_ready:
            wait_ready(operator, lambda: "", lambda name: _say(f"ready: {name}"))
        ask = arm_recovery if chosen.recovery else arm
        return _answered("arm", *ask(operator))


def _reset(chosen: argparse.Namespace) -> ExitCode:
    from openral.cli.arm import reset
    from openral.cli.operator import Operator

    with Operator() as operator:
        return _answered("reset", *reset(operator))


def _stop(chosen: argparse.Namespace) -> ExitCode:
    from openral.cli.stop import stop

    _say(stop())
    return ExitCode.OK


def _replay(chosen: argparse.Namespace) -> ExitCode:
    from openral.cli.replay import ReplayError, replay

    try:
        return replay(chosen.run, _say)
    except ReplayError as error:
        _complain(str(error))
        return ExitCode.CRASHED


def _answered(what: str, done: bool, words: str) -> ExitCode:
    if done:
        _say(f"{what}: {words or 'done'}")
        return ExitCode.OK
    _complain(f"{what} refused: {words}")
    return ExitCode.NOT_DONE


def _say(line: str) -> None:
    print(printable(line), flush=True)


def _complain(line: str) -> None:
    print(f"openral: {printable(line)}", file=sys.stderr)


_COMMANDS = {
    "demo": _demo,
    "up": _up,
    "prompt": _prompt,
    "status": _status,
    "arm": _arm,
    "reset": _reset,
    "stop": _stop,
    "replay": _replay,
}


if __name__ == "__main__":
    sys.exit(main())

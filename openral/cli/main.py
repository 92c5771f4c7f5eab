"""The `openral` command: one command a call, ended by a line and an exit code."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from openral import __version__
from openral.cli.exit_code import ExitCode
from openral.errors import ConfigError, OpenralError

_LOG_WIDTH = 160

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
    commands.add_parser("arm", help="arm the safety kernel")
    commands.add_parser("reset", help="clear the safety kernel's latch")
    commands.add_parser("stop", help="end the system that `openral up` started")
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
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        return int(_COMMANDS[chosen.command](chosen))
    except KeyboardInterrupt:
        print("openral: interrupted; everything that it started is stopped", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except ConfigError as error:
        print(f"openral: {error}", file=sys.stderr)
        return ExitCode.USAGE
    except OpenralError as error:
        print(f"openral: {error}", file=sys.stderr)
        return ExitCode.NOT_READY
    except ModuleNotFoundError as error:
        print(
            f"openral: {error}: source ROS 2 and build the workspace (`make build`)",
            file=sys.stderr,
        )
        return ExitCode.USAGE


def _interrupt(number: int, frame: object) -> NoReturn:
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
    from openral.cli.prompt import send, wait

    with Operator() as operator:
        watch = send(operator, chosen.text, chosen.deadline)
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
    import os
    import time

    from openral.bringup import domain, stack_file
    from openral.bringup.run_folder import RunFolder
    from openral.bringup.supervisord import SupervisedStack
    from openral.cli import status
    from openral.cli.operator import Operator
    from openral.cli.readiness import missing

    note = stack_file.read(domain.of(os.environ))
    supervised = note is not None and note.kind == "supervisor"
    processes = SupervisedStack(RunFolder(note.folder)).processes() if note and supervised else ()
    with Operator() as operator:
        operator.spin_until(lambda: not missing(operator.observed), status.LISTEN_S)
        operator.spin(status.RATES_S)
        for line in status.lines(operator.observed, processes, time.monotonic()):
            _say(line)
        return ExitCode.NOT_READY if missing(operator.observed) else ExitCode.OK


def _arm(chosen: argparse.Namespace) -> ExitCode:
    from openral.cli.arm import arm
    from openral.cli.operator import Operator

    with Operator() as operator:
        return _answered("arm", *arm(operator))


def _reset(chosen: argparse.Namespace) -> ExitCode:
    from openral.cli.arm import reset
    from openral.cli.operator import Operator

    with Operator() as operator:
        return _answered("reset", *reset(operator))


def _stop(chosen: argparse.Namespace) -> ExitCode:
    from openral.cli.stop import stop

    _say(stop())
    return ExitCode.OK


def _answered(what: str, done: bool, words: str) -> ExitCode:
    if done:
        _say(f"{what}: {words or 'done'}")
        return ExitCode.OK
    print(f"openral: {what} refused: {words}", file=sys.stderr)
    return ExitCode.NOT_DONE


def _say(line: str) -> None:
    print(line, flush=True)


_COMMANDS = {
    "demo": _demo,
    "up": _up,
    "prompt": _prompt,
    "status": _status,
    "arm": _arm,
    "reset": _reset,
    "stop": _stop,
}


if __name__ == "__main__":
    sys.exit(main())

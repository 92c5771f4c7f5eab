"""`openral up`: starts the system, by supervisor or, where ROS 2 launch is installed, by launch."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from openral.bringup import domain, run_folder, session, stack_file, supervisord
from openral.bringup.processes import Choices, robot_processes, sim_processes
from openral.bringup.run_folder import RunFolder
from openral.bringup.session import Leader, StackError
from openral.bringup.supervisord import ProcessStatus, SupervisedStack
from openral.bringup.tether import tethered
from openral.cli.arm import arm
from openral.cli.bring_up import NotReadyError, dead_processes, last_line, losses, wait_ready
from openral.cli.operator import Operator
from openral.cli.stop import LAUNCH_STOP_S

_POLL_S = 1.0

_ON_REQUEST = (0, -signal.SIGINT)
"""Exit statuses of a `ros2 launch` that was told to end, after or before it could listen."""


@dataclass(frozen=True)
class UpOptions:
    """What the user chose; None = the configured value."""

    seed: int | None
    model: str | None
    robot: str
    real_robot: bool
    arm: bool
    detach: bool
    runs: Path


def has_launch() -> bool:
    """True on a machine where ROS 2 launch and its command are installed."""
    return shutil.which("ros2") is not None and importlib.util.find_spec("launch_ros") is not None


def launch_command(options: UpOptions, folder: RunFolder) -> list[str]:
    """The `ros2 launch` line that does the same as the supervisor."""
    file = "robot.launch.py" if options.real_robot else "sim.launch.py"
    line = ["ros2", "launch", "openral", file, f"robot:={options.robot}"]
    line.append(f"trace_path:={folder.trace}")
    if not options.real_robot:
        line.append(f"record_path:={folder.record}")
        if options.seed is not None:
            line.append(f"seed:={options.seed}")
    if options.model is not None:
        line.append(f"model:={options.model}")
    return line


def up(options: UpOptions, say: Callable[[str], None]) -> None:
    """Starts everything and, unless detached, stays until Ctrl-C.

    Raises:
        ConfigError: If a stack runs in this domain already, or something to run is missing.
        NotReadyError: If a node does not answer; everything is stopped again.
        StackError: If what runs the nodes ended unasked; what is left of them is stopped.
    """
    number = domain.of(os.environ)
    with stack_file.alone(number):
        folder = run_folder.create(options.runs, datetime.now())
        say(f"ROS domain {number}, run folder {folder.path}")
        if has_launch():
            _by_launch(options, folder, number, say)
        else:
            _by_supervisor(options, folder, number, say)


def _by_supervisor(
    options: UpOptions, folder: RunFolder, number: int, say: Callable[[str], None]
) -> None:
    choices = Choices(
        robot=options.robot,
        seed=options.seed,
        model=options.model,
        trace_path=str(folder.trace),
        record_path=None if options.real_robot else str(folder.record),
    )
    processes = robot_processes(choices) if options.real_robot else sim_processes(choices)
    stack = supervisord.start(processes, folder, os.environ, detached=options.detach)
    keep, note = False, None
    try:
        note = stack_file.write(number, "supervisor", stack.pid, folder.path)
        _make_ready(options, lambda: losses(stack), say)
        if options.detach:
            keep = True
            return
        say("Ctrl-C ends it")
        _tell_changes(stack, say)
    finally:
        if not keep:
            stack.stop()
            if note is not None:
                stack_file.remove(number, note)


def _by_launch(
    options: UpOptions, folder: RunFolder, number: int, say: Callable[[str], None]
) -> None:
    line = launch_command(options, folder)
    say(" ".join(line))
    if not options.detach:
        # As the supervisor: whatever ends this program, SIGKILL included, ends the system.
        line = tethered(line, parent=os.getpid(), signal_name="SIGINT")
    with (folder.logs / "launch.log").open("wb") as log:
        process = subprocess.Popen(
            line,
            stdin=subprocess.DEVNULL,
            stdout=log if options.detach else None,
            stderr=subprocess.STDOUT if options.detach else None,
            # `ros2 launch` ends its nodes in order on SIGINT: here, or from `openral stop`.
            start_new_session=True,
        )
    leader = Leader.of(process.pid)
    keep, note = False, None
    try:
        note = stack_file.write(number, "launch", process.pid, folder.path)
        _make_ready(options, lambda: _launch_ended(process, options, folder), say)
        if options.detach:
            keep = True
            return
        if process.wait() not in _ON_REQUEST:
            raise StackError(_launch_ended(process, options, folder))
    finally:
        if not keep:
            # Also where `ros2 launch` is gone: its nodes do not die with it.
            session.end(leader, signal.SIGINT, LAUNCH_STOP_S)
            process.wait()
            if note is not None:
                stack_file.remove(number, note)


def _launch_ended(process: subprocess.Popen[bytes], options: UpOptions, folder: RunFolder) -> str:
    if process.poll() is None:
        return ""
    why = f": {last_line(folder.logs / 'launch.log')}" if options.detach else ""
    return f"`ros2 launch` ended with status {process.returncode}{why}"


def _make_ready(options: UpOptions, ended: Callable[[], str], say: Callable[[str], None]) -> None:
    with Operator() as operator:
        # A real robot's driver may come later, and its cameras with it.
        driver = not options.real_robot
        wait_ready(operator, ended, lambda name: say(f"ready: {name}"), driver=driver)
        if options.arm:
            armed, words = arm(operator)
            if not armed:
                raise NotReadyError(f"the kernel does not arm: {words}")
            say("armed")
        else:
            say("the kernel is disarmed: `openral arm`")


def _tell_changes(stack: SupervisedStack, say: Callable[[str], None]) -> None:
    """Says which process ended (for good: with its last words) or came back.

    Returns once the supervisor was told to end.

    Raises:
        StackError: If the supervisor ended unasked.
    """
    before: dict[str, ProcessStatus] = {}
    answered = True
    while not stack.ended():
        try:
            processes = stack.processes()
        except StackError as error:
            if answered and not stack.ended():
                say(f"{error}; asking again")
            answered = False
            processes = ()
        else:
            answered = True
        for process in processes:
            old = before.get(process.name)
            before[process.name] = process
            if old is not None and (old.state, old.pid) == (process.state, process.pid):
                continue
            if dead := dead_processes((process,)):
                say(dead[0])
            elif old is not None:
                say(f"{process.name}: {process.state.lower()} pid {process.pid}")
        time.sleep(_POLL_S)
    if not stack.ended_on_request():
        raise StackError(f"{stack.ended()}: its processes ended with it")

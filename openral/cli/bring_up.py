"""Waits until every node answers, and says which one does not and why."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from openral.bringup.session import StackError
from openral.bringup.supervisord import ProcessStatus, SupervisedStack
from openral.cli.operator import Operator
from openral.cli.readiness import missing, ready
from openral.errors import OpenralError
from openral.terminal_text import printable

READY_TIMEOUT_S = 60.0
"""For all nodes to answer; the first start on a cold disk reads several hundred megabytes."""

_POLL_PROCESSES_S = 1.0


class NotReadyError(OpenralError):
    """A node did not answer in time, or its process ended."""


def wait_ready(
    operator: Operator,
    ended: Callable[[], str],
    on_ready: Callable[[str], None],
    timeout_s: float = READY_TIMEOUT_S,
    *,
    driver: bool = True,
) -> None:
    """Returns once every node was heard.

    Args:
        operator: Who listens.
        ended: Says which process has ended for good and why; empty = none. Asked once a second.
        on_ready: Told each node's name as it comes.
        timeout_s: Longest wait [s].
        driver: Whether the robot and its cameras are waited for too.

    Raises:
        NotReadyError: Names what is missing; at once when a process has ended for good.
    """
    end = time.monotonic() + timeout_s
    next_poll = 0.0
    told: set[str] = set()
    while True:
        operator.spin(0.1)
        for name in ready(operator.observed, driver=driver):
            if name not in told:
                told.add(name)
                on_ready(name)
        absent = missing(operator.observed, driver=driver)
        now = time.monotonic()
        # Once more where all were heard: one may have spoken and ended since.
        if not absent or now >= next_poll:
            next_poll = now + _POLL_PROCESSES_S
            dead = ended()
            if dead:
                raise NotReadyError(dead)
        if not absent:
            return
        if now >= end:
            raise NotReadyError(f"not ready after {timeout_s:.0f} s: {', '.join(absent)}")


def losses(stack: SupervisedStack) -> str:
    """What of a supervised stack has ended for good, in one line; empty = nothing.

    A supervisor that does not answer has not ended: its process says whether it has.
    """
    if ended := stack.ended():
        return ended
    try:
        return "; ".join(dead_processes(stack.processes()))
    except StackError:
        return stack.ended()


def dead_processes(processes: Sequence[ProcessStatus]) -> list[str]:
    """One line for each process that will not come back by itself."""
    # The supervisor keeps no exit status of a process that never stayed up.
    ends = {"FATAL": "did not stay up", "EXITED": "ended with status {status}"}
    return [
        f"{process.name} {ends[process.state].format(status=process.exit_status)}:"
        f" {last_line(Path(process.log))}"
        for process in processes
        if process.state in ends
    ]


def last_line(log: Path) -> str:
    """The last line of a log that says something."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    told = (printable(line.strip()) for line in reversed(lines) if line.strip())
    return next(told, f"see {log}")

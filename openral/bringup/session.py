"""Ends a started system whole: every process of the session that its first process leads.

The supervisor and `ros2 launch` are each started as the leader of a session of their own, and a
child stays in it whatever process group it takes and whoever its parent becomes: setsid(2).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL, SIGTERM, Signals

from openral.errors import OpenralError

LEFT_WAIT_S = 5.0
"""After SIGTERM, before SIGKILL, for what is left of a session whose leader is gone."""
KILL_WAIT_S = 5.0
"""For the operating system to end what got SIGKILL."""
_POLL_S = 0.02


class StackError(OpenralError):
    """The processes could not be started, asked or stopped."""


@dataclass(frozen=True)
class Leader:
    """A session's first process.

    Attributes:
        pid: Also the session's number.
        start_ticks: Its start [clock ticks since boot]: a process id may be given anew.
    """

    pid: int
    start_ticks: int

    @classmethod
    def of(cls, pid: int) -> Leader:
        """The process that has this id now."""
        return cls(pid, start_ticks(pid) or 0)

    @property
    def lives(self) -> bool:
        """True while it runs; one that ended and was not waited for does not."""
        return start_ticks(self.pid) == self.start_ticks


def _stat(pid: int) -> list[str]:
    """Fields of proc(5) stat from the third, the state, on; empty if the process is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    # The command's name, field 2, may hold spaces and brackets.
    fields = text.rpartition(")")[2].split()
    return [] if fields[0] in ("Z", "X") else fields


def start_ticks(pid: int) -> int | None:
    """When a process started [clock ticks since boot], by proc(5) stat field 22; None if gone."""
    fields = _stat(pid)
    return int(fields[19]) if fields else None


def members(leader: Leader) -> tuple[int, ...]:
    """Process ids of the session that still run.

    Linux gives a number to no new process while a session has it.
    """
    now = start_ticks(leader.pid)
    if now not in (None, leader.start_ticks):
        return ()  # the number was given anew: nothing of the session is left
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and (fields := _stat(int(entry.name))):
            own, began = int(fields[3]) == leader.pid, int(fields[19])
            if own and began >= leader.start_ticks:
                found.append(int(entry.name))
    return tuple(found)


def end(
    leader: Leader, first: Signals, wait_s: float, wake: Callable[[], None] | None = None
) -> None:
    """Ends the session: `first` to its leader, and SIGKILL if that is left after `wait_s` [s].

    What outlives its leader gets SIGTERM, all at once, and SIGKILL after `LEFT_WAIT_S`: a safety
    kernel that is killed beside a runner that lives brakes nothing.

    Args:
        leader: The session's first process.
        first: What it is told to end by.
        wait_s: [s] for it to end.
        wake: Called again and again until it has; for a leader that looks round now and then only.

    Raises:
        StackError: If a process of it is left even then.
    """

    def ended() -> bool:
        if not leader.lives:
            return True
        if wake is not None:
            wake()
        return False

    if leader.lives:
        _send(leader.pid, first)
        _until(ended, wait_s)
    if leader.lives:
        _send(leader.pid, SIGKILL)  # first: it would start again what ends
    for number, left_s in ((SIGTERM, LEFT_WAIT_S), (SIGKILL, KILL_WAIT_S)):
        for pid in members(leader):
            _send(pid, number)
        if _until(lambda: not members(leader), left_s):
            return
    left = ", ".join(map(str, members(leader)))
    raise StackError(f"SIGKILL did not end process {left} within {KILL_WAIT_S:.0f} s")


def _send(pid: int, number: Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def _until(condition: Callable[[], bool], wait_s: float) -> bool:
    deadline = time.monotonic() + wait_s
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL_S)
    return True

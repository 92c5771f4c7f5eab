"""Runs a command and ends every process that it leaves behind.

    python3 -I tools/contained.py COMMAND...

System tests start real nodes, each in a session of its own so that it can be killed
alone. If a test dies before it ends them they would live on: this process is made
their reaper, so they come back to it and none escapes. Linux only (prctl).
Exit status: the command's, or 1 if it succeeded but left a process behind.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

#: How long a left-over process may take to end by itself after SIGTERM [s].
GRACE_S = 3.0
#: How long a process that is already ending may take before it counts as left over [s].
ENDING_S = 1.0

_PR_SET_CHILD_SUBREAPER = 36


def main(command: list[str]) -> int:
    """Runs `command`; returns the exit status for this process."""
    if not command:
        print("contained: expected a command, got none", file=sys.stderr)
        return 2
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        print(f"contained: prctl: {os.strerror(ctypes.get_errno())}", file=sys.stderr)
        return 2
    child = subprocess.Popen(command)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _frame: child.send_signal(received))
    status = child.wait()
    _reap_until(time.monotonic() + ENDING_S)
    left = {pid: _command_line(pid) for pid in _descendants()}
    _end(left)
    for line in left.values():
        print(f"contained: left behind and ended: {line}", file=sys.stderr)
    if status < 0:
        return 128 - status
    return 1 if left and status == 0 else status


def _end(left: dict[int, str]) -> None:
    for number, patience in ((signal.SIGTERM, GRACE_S), (signal.SIGKILL, GRACE_S)):
        # A process may start another while it ends, so look again each time.
        for pid in _descendants():
            left.setdefault(pid, _command_line(pid))
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue
        if _reap_until(time.monotonic() + patience):
            return


def _reap_until(deadline: float) -> bool:
    """Reaps ended children until none is left (True) or the deadline is over (False)."""
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)


def _descendants() -> list[int]:
    """Every process below this one."""
    parent_of: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                # The name in parentheses may hold anything: the fields start after the last one.
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z":
                parent_of[int(folder.name)] = int(fields[1])
    below: set[int] = set()
    frontier = {os.getpid()}
    while frontier:
        frontier = {pid for pid, parent in parent_of.items() if parent in frontier} - below
        below |= frontier
    return sorted(below)


def _command_line(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        words = []
    text = b" ".join(words).decode(errors="replace").strip()
    return f"{text[:160] or 'a process'} (pid {pid})"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`openral replay`: decides a recorded run anew, in a process of its own, and compares."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from openral.bringup import installed
from openral.cli.exit_code import ExitCode
from openral.errors import InputError, OpenralError

TIMEOUT_S = 600.0
"""A mission of some minutes is decided anew in seconds."""


class ReplayError(OpenralError):
    """The replay did not end as one does."""


def replay(run: Path, say: Callable[[str], None]) -> ExitCode:
    """Replays a run folder's trace, or a trace file: OK where every decision is the same.

    Raises:
        InputError: The run has no trace that can be replayed.
        ReplayError: The replay did not end, or not as one does.
    """
    command = [str(installed.executable("openral", "replay")), "--", str(run)]
    try:
        done = subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        raise ReplayError(f"the replay of {run} did not end within {TIMEOUT_S:.0f} s") from None
    for line in done.stdout.splitlines():
        say(line)
    if done.returncode in (ExitCode.OK, ExitCode.NOT_DONE):
        return ExitCode(done.returncode)
    why = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
    if done.returncode == ExitCode.USAGE:
        raise InputError("a run with a whole trace", why)
    raise ReplayError(f"the replay of {run} ended with status {done.returncode}: {why}")

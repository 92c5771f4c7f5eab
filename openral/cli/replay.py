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


# The replay's exit statuses beside 0; its 1 is a crash, as of every Python program.
_UNUSABLE = 2
_DECIDED_OTHERWISE = 3


class ReplayError(OpenralError):
    """The replay did not end as one does."""


def replay(run: Path, say: Callable[[str], None]) -> ExitCode:
    """Replays a run folder's trace, or a trace file: OK where every decision is the same.

    NOT_DONE where one is not.

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
    if done.returncode == 0:
        return ExitCode.OK
    if done.returncode == _DECIDED_OTHERWISE:
        return ExitCode.NOT_DONE
    why = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
    if done.returncode == _UNUSABLE:
        raise InputError("a run with a whole trace", why)
    raise ReplayError(f"the replay of {run} ended with status {done.returncode}: {why}")

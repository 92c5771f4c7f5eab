"""Runs a command that ends with the process that started it, however that one ends.

Usage: ``python -I -S tether.py SIGNAL PARENT NICENESS COMMAND [ARGUMENT…]``, where PARENT is a
process id, or ``@FILE``: the file that holds it.

Linux sends `SIGNAL` to the command when its parent dies (prctl(2), PR_SET_PDEATHSIG; kept across
execve(2)), so not even a SIGKILL of the parent leaves a process behind. Standard library only, and
no import of openral: it stands between every process and its start, and has to be quick.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1  # linux/prctl.h

_THIS_FILE = os.path.abspath(__file__)  # noqa: PTH100 (pathlib would double the start-up time)


def tethered(
    command: Sequence[str], *, parent: int | str, signal_name: str, niceness: int = 0
) -> list[str]:
    """`command` with the tether before it.

    Args:
        command: Program and arguments.
        parent: Process id of the one that will start it, or "@" and the path of its pid file.
        signal_name: For example "SIGTERM".
        niceness: Added to the parent's, as nice(1) does.
    """
    tether = [sys.executable, "-I", "-S", _THIS_FILE, signal_name, str(parent), str(niceness)]
    return [*tether, *command]


def main(arguments: Sequence[str]) -> int:
    """Ties this process to its parent, then becomes the command."""
    if len(arguments) < 4:
        print("tether: expected SIGNAL PARENT NICENESS COMMAND", file=sys.stderr)
        return 2
    name, parent, niceness, *command = arguments
    number = int(signal.Signals[name])
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, number, 0, 0, 0) != 0:
        print(f"tether: prctl failed: {os.strerror(ctypes.get_errno())}", file=sys.stderr)
        return 2
    # The parent may have died before the line above: its death would never be told.
    try:
        expected = int(_read(parent[1:]) if parent.startswith("@") else parent)
    except (OSError, ValueError) as error:
        print(f"tether: no process id in {parent}: {error}", file=sys.stderr)
        return 2
    if os.getppid() != expected:
        return 128 + number
    os.nice(int(niceness))
    try:
        os.execvp(command[0], command)  # noqa: S606 (becoming the command is the purpose)
    except OSError as error:
        print(f"tether: cannot run {command[0]}: {error.strerror}", file=sys.stderr)
        return 127


def _read(path: str) -> str:
    with open(path, encoding="ascii") as file:  # noqa: PTH123 (as above)
        return file.read()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

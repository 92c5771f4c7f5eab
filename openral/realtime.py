"""What a process asks of the system so that nothing stalls it."""

from __future__ import annotations

import contextlib
import ctypes
import os
from pathlib import Path

# Of Linux's <sys/prctl.h>.
_PR_SET_THP_DISABLE = 41


def refuse_huge_pages() -> bool:
    """Keeps the memory of this process, and of those it starts, out of transparent huge pages.

    NumPy asks for them. To make one, the system copies half a megabyte while it holds the process's
    address space and does not leave the processor: five to nine milliseconds, at any time, for
    every thread there whatever its priority. Returns whether the system took it.
    """
    try:
        prctl = ctypes.CDLL(None, use_errno=True).prctl
    except (OSError, AttributeError):  # not Linux
        return False
    return bool(prctl(_PR_SET_THP_DISABLE, 1, 0, 0, 0) == 0)


def schedule_realtime(priority: int) -> bool:
    """Schedules every thread of this process round-robin at `priority`; new threads inherit it.

    Round-robin, because a nice value counts only among the processes of one session. Every thread,
    because one that waits for a processor while it holds Python's lock, or a message that DDS has
    received, would stall the others. Returns whether the system allowed it: it takes root or
    CAP_SYS_NICE.
    """
    try:
        for task in Path("/proc/self/task").iterdir():
            # One that has ended since the list was made needs no priority.
            with contextlib.suppress(ProcessLookupError):
                os.sched_setscheduler(int(task.name), os.SCHED_RR, os.sched_param(priority))
    except (PermissionError, FileNotFoundError):
        return False
    return True


def schedule_as_usual() -> None:
    """Gives the calling thread the usual scheduling again: what takes long can wait."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))

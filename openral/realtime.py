"""The share of the processor that a process has when the machine is busy."""

from __future__ import annotations

import os
from pathlib import Path


def schedule_realtime(priority: int) -> bool:
    """Schedules every thread of this process round-robin at `priority`; new threads inherit it.

    Round-robin, because a nice value counts only among the processes of one session. Every thread,
    because one that waits for a processor while it holds Python's lock, or a message that DDS has
    received, would stall the others. Returns whether the system allowed it: it takes root or
    CAP_SYS_NICE.
    """
    try:
        for task in Path("/proc/self/task").iterdir():
            os.sched_setscheduler(int(task.name), os.SCHED_RR, os.sched_param(priority))
    except (PermissionError, ProcessLookupError, FileNotFoundError):
        return False
    return True


def schedule_as_usual() -> None:
    """Gives the calling thread the usual scheduling again: what takes long can wait."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))

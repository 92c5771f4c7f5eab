"""The share of the processor that the simulated robot has: hardware does not wait for software."""

from __future__ import annotations

import os
from pathlib import Path


def schedule_realtime(priority: int) -> bool:
    """Schedule every thread of this process round-robin at `priority`; new threads inherit it.

    Round-robin, because a nice value counts only among the processes of one session. All threads,
    because a starved one that holds Python's lock would stall the others. Returns whether the
    system allowed it: it takes root or CAP_SYS_NICE.
    """
    try:
        for task in Path("/proc/self/task").iterdir():
            os.sched_setscheduler(int(task.name), os.SCHED_RR, os.sched_param(priority))
    except (PermissionError, ProcessLookupError, FileNotFoundError):
        return False
    return True

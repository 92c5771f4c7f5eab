"""`openral stop`: ends the system that `openral up` started in this ROS domain."""

from __future__ import annotations

import os
import signal
import time

from openral.bringup import domain, stack_file
from openral.bringup.run_folder import RunFolder
from openral.bringup.supervisord import StackError, SupervisedStack

LAUNCH_STOP_S = 20.0
"""For `ros2 launch` to end its nodes."""


def stop() -> str:
    """Ends it, and returns one line that says what was ended. The robot brakes and holds.

    Raises:
        StackError: If nothing runs here, or it does not end.
    """
    number = domain.of(os.environ)
    note = stack_file.read(number)
    if note is None:
        stack_file.remove(number)
        raise StackError(f"no system that `openral up` started runs in ROS domain {number}")
    if note.kind == "supervisor":
        SupervisedStack(RunFolder(note.folder)).stop()
    else:
        _stop_launch(note)
    stack_file.remove(number)
    return f"stopped the system of ROS domain {number} ({note.folder})"


def _stop_launch(note: stack_file.StackNote) -> None:
    os.kill(note.pid, signal.SIGINT)
    end = time.monotonic() + LAUNCH_STOP_S
    while stack_file.start_ticks(note.pid) == note.start_ticks:
        if time.monotonic() >= end:
            raise StackError(f"`ros2 launch` (pid {note.pid}) does not end")
        time.sleep(0.05)

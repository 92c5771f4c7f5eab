"""`openral stop`: ends the system that `openral up` started in this ROS domain."""

from __future__ import annotations

import os
from signal import SIGINT, SIGTERM

from openral.bringup import domain, session, stack_file
from openral.bringup.run_folder import RunFolder
from openral.bringup.session import StackError
from openral.bringup.supervisord import STOP_TIMEOUT_S, wake

LAUNCH_STOP_S = 20.0
"""For `ros2 launch` to end its nodes."""


def stop() -> str:
    """Ends it, and returns one line that says what was ended. The robot brakes and holds.

    Nodes whose `ros2 launch` is gone are ended too, all at once.

    The note of what runs here goes last: until all is down no other system may start.

    Raises:
        StackError: If nothing runs here, or it runs in another container, or a process of it is
            left even after SIGKILL.
    """
    number = domain.of(os.environ)
    note = stack_file.read(number)
    if note is None:
        raise StackError(f"no system that `openral up` started runs in ROS domain {number}")
    if elsewhere := stack_file.in_another_container(number, note):
        raise StackError(elsewhere)
    if note.kind == "supervisor":
        folder = RunFolder(note.folder)
        session.end(note.leader, SIGTERM, STOP_TIMEOUT_S, lambda: wake(folder))
    else:
        session.end(note.leader, SIGINT, LAUNCH_STOP_S)
    stack_file.remove(number, note)
    return f"stopped the system of ROS domain {number} ({note.folder})"

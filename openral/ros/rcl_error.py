"""What rclpy raises where ROS cannot start, in one line for a person."""

from __future__ import annotations

import re

# rcl tells where in its own sources it gave up.
_IN_RCL = re.compile(r"\s*, at \S+:\d+")


def in_one_line(error: RuntimeError) -> str:
    """Kind and words of an error of rclpy, all of which are `RuntimeError`s."""
    said = " ".join(_IN_RCL.sub("", str(error)).split())
    return f"ROS does not start: {type(error).__name__}: {said}"

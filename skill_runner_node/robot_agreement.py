"""Whether a node's robot is the one that everything else was started with.

The launch hands every node the parameters of one robot file, and the kernel limits motion by them.
A node that read another file would plan for another arm.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from rcl_interfaces.msg import ParameterDescriptor

from openral.errors import ConfigError
from skill_runner_node.robot_file import robot_section


class Declaring(Protocol):
    """Of `rclpy.node.Node`."""

    def declare_parameter(self, name: str, value: Any, descriptor: ParameterDescriptor) -> Any:
        """The parameter as the launch set it, else with `value`."""


def check_agreement(path: Path, node: Declaring) -> None:
    """Declares the robot file's ``robot.*`` on a node: the launch may set none to another value.

    Args:
        path: The file that parameter `robot_file` names; it has been read before.
        node: Started with what the launch gave; without ``robot.*`` every value is the file's.

    Raises:
        ConfigError: Names the first that differs, and both values.
    """
    own = _flat("robot", robot_section(path))
    descriptor = ParameterDescriptor(read_only=True, dynamic_typing=True)
    for name in sorted(own):
        value = _plain(node.declare_parameter(name, own[name], descriptor).value)
        if own[name] != value:
            raise ConfigError(
                f"parameter 'robot_file' names {path.name}: expected '{name}' ="
                f" {own[name]!r} as there, got {value!r} from the launch;"
                " start every node with the same robot file"
            )


def _flat(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {name: _plain(value)}
    found: dict[str, Any] = {}
    for key, inner in value.items():
        found.update(_flat(f"{name}.{key}", inner))
    return found


def _plain(value: Any) -> Any:
    """ROS hands arrays over in containers of its own."""
    if isinstance(value, (str, bytes, bool, int, float)) or value is None:
        return value
    return list(value)

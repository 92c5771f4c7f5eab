"""Whether a node's robot is the one that everything else was started with.

The launch hands every node the parameters of one robot file, and the kernel limits motion by them.
A node that read another file would plan for another arm.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from openral.errors import ConfigError

PREFIX = "robot."


def check_agreement(path: Path, given: Mapping[str, Any]) -> None:
    """Compares the ``robot.*`` parameters that a node was started with with its robot file's.

    Args:
        path: The file that parameter `robot_file` names; it has been read before.
        given: Parameters by name, as the launch gave them; without ``robot.*`` nothing is compared.

    Raises:
        ConfigError: Names the first that differs, and both values.
    """
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    own = _flat("robot", document["/**"]["ros__parameters"]["robot"])
    for name in sorted(given):
        if not name.startswith(PREFIX):
            continue
        value = _plain(given[name])
        if name not in own or own[name] != value:
            raise ConfigError(
                f"parameter 'robot_file' names {path.name}: expected '{name}' ="
                f" {own.get(name, 'not set')!r} as there, got {value!r} from the launch;"
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

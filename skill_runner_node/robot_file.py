"""A robot's configuration file, the one that the kernel reads: its section `robot`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from openral import yaml_file
from openral.errors import ConfigError


def robot_section(path: Path) -> dict[str, Any]:
    """What ``/**: ros__parameters: robot:`` holds.

    Raises:
        ConfigError: Names the file, and the line where there is one.
    """
    found: Any = yaml_file.read(path)
    for key in ("/**", "ros__parameters", "robot"):
        found = found.get(key) if isinstance(found, dict) else None
    if not isinstance(found, dict):
        raise ConfigError(f"{path}: expected '/**: ros__parameters: robot: …', a mapping of fields")
    return found

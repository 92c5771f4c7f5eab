"""The parameter files of a process, checked before anything is started.

ROS takes the last of two values that a file gives one parameter, and says nothing: of a limit that
is given twice, nobody would know which one the kernel enforces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from openral import yaml_file
from openral.bringup import installed
from openral.bringup.processes import Process
from openral.errors import ConfigError


def parameter_files(process: Process) -> tuple[Path, ...]:
    """The installed files that the process reads, in order.

    Raises:
        ConfigError: One is missing, is no YAML, or gives a parameter twice: names file, parameter
            and line.
    """
    files = tuple(installed.config_file(relative) for relative in process.parameter_files)
    for path in files:
        check(path)
    return files


def check(path: Path) -> None:
    """Passes a file that gives each parameter of a node once.

    Raises:
        ConfigError: Names file and parameter, and the line where it is the same key.
    """
    for node, parameters in _sections("", yaml_file.read(path)):
        # To ROS, `robot.name: a` and `robot: {name: a}` are one parameter.
        seen = set()
        for name in _names("", parameters):
            if name in seen:
                raise ConfigError(f"{path}: parameter '{name}' is given twice under '{node}'")
            seen.add(name)


def _sections(node: str, content: Mapping[Any, Any]) -> Iterator[tuple[str, Mapping[Any, Any]]]:
    for key, inner in content.items():
        if isinstance(inner, Mapping):
            if key == "ros__parameters":
                yield node, inner
            else:
                yield from _sections(f"{node}/{key}" if node else str(key), inner)


def _names(prefix: str, parameters: Mapping[Any, Any]) -> Iterator[str]:
    for key, value in parameters.items():
        if isinstance(value, Mapping):
            yield from _names(f"{prefix}{key}.", value)
        else:
            yield f"{prefix}{key}"

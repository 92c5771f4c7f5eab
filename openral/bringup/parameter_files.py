"""The parameter files of a process, checked before anything is started.

ROS takes the last of two values that a file gives one parameter of a node, even one for every node
over the node's own, and says nothing: of a limit that is given twice, nobody would know which one
the kernel enforces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from openral import yaml_file
from openral.bringup import installed
from openral.bringup.processes import NAMESPACE, Process
from openral.errors import ConfigError

_PART = re.compile(r"\w+|\*\*?", re.ASCII)


def parameter_files(process: Process) -> tuple[Path, ...]:
    """The installed files that the process reads, in order.

    Raises:
        ConfigError: One is missing, is no YAML, or gives a parameter twice: names file, parameter
            and line.
    """
    files = tuple(installed.config_file(relative) for relative in process.parameter_files)
    for path in files:
        check(path, f"{NAMESPACE}/{process.name}")
    return files


def check(path: Path, node: str) -> None:
    """Passes a file that gives each parameter of a node once, under whichever of its names.

    Args:
        path: The file.
        node: The node's full name.

    Raises:
        ConfigError: Names file, parameter and both lines.
    """
    of_node: dict[str, int] = {}
    of_others: dict[str, dict[str, int]] = {}
    for section, parameters in _sections("", yaml_file.read_nodes(path)):
        pattern = _pattern(section)
        if pattern is None:
            line = parameters.start_mark.line + 1
            raise ConfigError(f"{path}, line {line}: '{section}' is no name of a node")
        is_of_node = re.fullmatch(pattern, node, re.ASCII) is not None
        seen = of_node if is_of_node else of_others.setdefault(pattern, {})
        # To ROS, `robot.name: a` and `robot: {name: a}` are one parameter.
        for name, line in _names("", parameters):
            if name in seen:
                raise ConfigError(
                    f"{path}, line {line}: parameter '{name}' of '{section}' is given twice:"
                    f" line {seen[name]} gives it already"
                )
            seen[name] = line


def _sections(node: str, content: yaml.MappingNode) -> Iterator[tuple[str, yaml.MappingNode]]:
    for key, inner in content.value:
        if isinstance(inner, yaml.MappingNode):
            # ROS compares the beginning alone.
            if key.value.startswith("ros__parameters"):
                yield node, inner
            else:
                yield from _sections(f"{node}/{key.value}" if node else key.value, inner)


def _names(prefix: str, parameters: yaml.MappingNode) -> Iterator[tuple[str, int]]:
    for key, value in parameters.value:
        if isinstance(value, yaml.MappingNode):
            yield from _names(f"{prefix}{key.value}.", value)
        else:
            yield f"{prefix}{key.value}", key.start_mark.line + 1


def _pattern(section: str) -> str | None:
    """The full names of nodes that a section is for, as a regular expression; None if it is none.

    `*` stands for one part of a name and `**` for one or more.
    """
    parts = section.removeprefix("/").split("/")
    if not all(_PART.fullmatch(part) for part in parts):
        return None
    words = {"*": r"/\w+", "**": r"(?:/\w+)+"}
    return "".join(words.get(part, f"/{part}") for part in parts)

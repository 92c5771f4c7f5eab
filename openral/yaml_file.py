"""Reads a YAML file into a pydantic model, or refuses it by file, field, value and what is valid.

Usage::

    class Lamp(BaseModel):
        power_w: float = Field(gt=0.0, le=100.0)

    lamp = load(Path("lamp.yaml"), Lamp)
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel

from openral import strict_yaml
from openral.errors import ConfigError
from openral.validation import validate

MAX_BYTES = 65536
"""Of one file: the largest of the project's own has a seventh of it."""

M = TypeVar("M", bound=BaseModel)


def load(path: Path, model: type[M], error: type[ConfigError] = ConfigError) -> M:
    """The content of a file as `model`.

    Args:
        path: The file.
        model: What it has to hold.
        error: Type of the refusal.

    Raises:
        ConfigError: Of type `error`. Names the file, and the line or every bad field.
    """
    return validate(read(path, error), model, str(path), error)


def read(path: Path, error: type[ConfigError] = ConfigError) -> dict[Any, Any]:
    """The mapping that a file holds; no key of any mapping in it is given twice.

    Raises:
        ConfigError: Of type `error`. Names the file, and the line where there is one.
    """
    return parse(_text(path, error), str(path), error)


def parse(text: str, source: str, error: type[ConfigError] = ConfigError) -> dict[Any, Any]:
    """As `read`, of text; `source` names it in errors."""
    content = strict_yaml.construct(text, source, error)
    if not isinstance(content, dict):
        got = "nothing" if content is None else f"a {type(content).__name__}"
        raise error(f"{source}: expected a mapping of fields, got {got}")
    return content


def read_nodes(path: Path) -> yaml.MappingNode:
    """The mapping that a file holds as it is written, with its lines and without any alias.

    Raises:
        ConfigError: Names the file, and the line where there is one.
    """
    node = strict_yaml.compose(_text(path, ConfigError), str(path))
    if not isinstance(node, yaml.MappingNode):
        raise ConfigError(f"{path}: expected a mapping of fields, got none")
    return node


def _text(path: Path, error: type[ConfigError]) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        text = data.decode("utf-8")
    except OSError as problem:
        raise error(f"{path}: cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        raise error(f"{path}: expected text in UTF-8, got {problem}") from None
    if len(data) > MAX_BYTES:
        raise error(f"{path}: expected at most {MAX_BYTES} bytes, got more")
    return text

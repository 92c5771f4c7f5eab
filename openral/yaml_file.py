"""Reads a YAML file into a pydantic model, or refuses it by file, field, value and what is valid.

Usage::

    class Lamp(BaseModel):
        power_w: float = Field(gt=0.0, le=100.0)

    lamp = load(Path("lamp.yaml"), Lamp)
"""

from __future__ import annotations

import reprlib
import types
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from openral.errors import ConfigError
from openral.llm.redaction import redact
from openral.ros.parameters import valid_range

MAX_BYTES = 65536
"""Of one file: the largest of the project's own has a seventh of it."""

M = TypeVar("M", bound=BaseModel)

_MERGE = "tag:yaml.org,2002:merge"
_SHOWN = reprlib.Repr()
_SHOWN.maxstring = _SHOWN.maxother = 120


class _GivenTwiceError(yaml.constructor.ConstructorError):
    """Proper YAML, yet no configuration."""


class _UniqueKeyLoader(yaml.SafeLoader):
    """YAML keeps the last of two equal keys in silence; two values of a limit are a mistake."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        lines: dict[Hashable, int] = {}
        for key_node, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            # The safe loader makes no object of `<<`.
            merge = key_node.tag == _MERGE
            key = key_node.value if merge else self.construct_object(key_node, deep=deep)
            if not isinstance(key, Hashable):
                continue  # refused by the safe loader
            line = key_node.start_mark.line + 1
            if key in lines:
                words = f"key {key!r} is given twice: line {lines[key]} gives it already"
                raise _GivenTwiceError(None, None, words, key_node.start_mark)
            lines[key] = line
        return super().construct_mapping(node, deep=deep)


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
    return parse(text, str(path), error)


def parse(text: str, source: str, error: type[ConfigError] = ConfigError) -> dict[Any, Any]:
    """As `read`, of text; `source` names it in errors."""
    try:
        # The loader derives from SafeLoader, so no tag builds a Python object.
        content = yaml.load(text, Loader=_UniqueKeyLoader)  # noqa: S506
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        where = f", line {mark.line + 1}" if mark is not None else ""
        words = ": ".join(part for part in (problem.context, problem.problem) if part)
        expected = "" if isinstance(problem, _GivenTwiceError) else "expected YAML, got "
        raise error(redact(f"{source}{where}: {expected}{_line(words)}")) from None
    except (yaml.YAMLError, RecursionError, ValueError) as problem:
        raise error(redact(f"{source}: expected YAML, got {_line(str(problem))}")) from None
    if not isinstance(content, dict):
        got = "nothing" if content is None else f"a {type(content).__name__}"
        raise error(f"{source}: expected a mapping of fields, got {got}")
    return content


def validate(
    content: Mapping[Any, Any],
    model: type[M],
    source: str,
    error: type[ConfigError] = ConfigError,
) -> M:
    """A mapping as `model`; `source` names where it is from.

    Raises:
        ConfigError: Of type `error`. Names the source and, for each bad field, its value and what
            is valid.
    """
    try:
        return model.model_validate(content)
    except ValidationError as refusal:
        problems = "; ".join(_explain(model, problem) for problem in refusal.errors())
        # A key that was put into the wrong field must not reach a log by its refusal.
        raise error(redact(f"{source}: {problems}")) from None


def _explain(model: type[BaseModel], problem: Any) -> str:
    place = problem["loc"]
    name = ".".join(str(part) for part in place)
    if problem["type"] == "extra_forbidden":
        owner = _field(model, place[:-1])
        known = getattr(owner.annotation, "model_fields", {}) if owner is not None else {}
        return f"field '{name}' is unknown; the fields are {', '.join(sorted(known)) or 'unknown'}"
    if problem["type"] == "value_error" and isinstance(problem["input"], Mapping):
        return f"fields of '{name or 'the file'}' disagree: {problem['msg']}"
    field = _field(model, place)
    valid = valid_range(field) if field is not None else problem["msg"]
    if problem["type"] == "missing":
        return f"field '{name}' is missing: valid is {valid}"
    why = f" ({problem['msg']})" if field is not None else ""
    return f"field '{name}' = {_SHOWN.repr(problem['input'])}: valid is {valid}{why}"


def _field(model: type[BaseModel], place: tuple[int | str, ...]) -> FieldInfo | None:
    """The field at `place`; None where a union leaves open which it is."""
    field: FieldInfo | None = FieldInfo.from_annotation(model)
    for part in place:
        field = _part(field.annotation, part) if field is not None else None
    return field


def _part(annotation: Any, part: int | str) -> FieldInfo | None:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        found = [_part(one, part) for one in inner if one is not type(None)]
        return found[0] if len(found) == 1 else None
    if isinstance(part, int) and origin in (tuple, list):
        each = origin is list or inner[-1] is Ellipsis
        index = 0 if each else part
        return FieldInfo.from_annotation(inner[index]) if index < len(inner) else None
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return FieldInfo.from_annotation(inner[1])
    fields: dict[str, FieldInfo] = getattr(annotation, "model_fields", {})
    return fields.get(str(part))


def _line(words: str) -> str:
    return " ".join(words.split())[:300]

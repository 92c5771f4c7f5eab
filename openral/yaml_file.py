"""Reads a YAML file into a pydantic model, or refuses it by file, field, value and what is valid.

Usage::

    class Lamp(BaseModel):
        power_w: float = Field(gt=0.0, le=100.0)

    lamp = load(Path("lamp.yaml"), Lamp)
"""

from __future__ import annotations

import reprlib
import types
from collections.abc import Callable, Mapping
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

MAX_NODES = 65536
"""Of one text, with every alias written out: some lines of nested aliases are worth 2^30."""

M = TypeVar("M", bound=BaseModel)

_MERGE = "tag:yaml.org,2002:merge"
_VALUE = "tag:yaml.org,2002:value"
# What PyYAML's constructors raise beside its own errors at a text that is not of its tag's kind.
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class _Shown(reprlib.Repr):
    """Values for a person to read, in bounds."""

    def repr_int(self, x: int, level: int) -> str:
        # Python writes out no number of more than 4300 digits.
        return super().repr_int(x, level) if x.bit_length() <= 128 else "a number beyond 128 bits"


_SHOWN = _Shown()
_SHOWN.maxstring = _SHOWN.maxother = 120


class _UnfitError(yaml.constructor.ConstructorError):
    """Proper YAML, yet no configuration."""


class _Loader(yaml.SafeLoader):  # so no tag builds a Python object
    """Refuses what YAML allows and no configuration may hold.

    YAML keeps the last of two equal keys in silence; two values of a limit are a mistake. That is
    seen before merge keys are replaced by what they merge: a key may override a merged one.
    """

    aliases_allowed = True

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._count = 0
        self._counts: dict[yaml.Node, int] = {}

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        before = self._count
        node: Any = super().compose_node(parent, index)
        if not isinstance(event, yaml.AliasEvent):
            self._count += 1
            self._counts[node] = self._count - before
            return node
        if not self.aliases_allowed:
            raise _UnfitError(None, None, f"alias *{event.anchor}: none may stand here", _at(event))
        if node not in self._counts:
            words = f"alias *{event.anchor} stands inside of what it names"
            raise _UnfitError(None, None, words, _at(event))
        self._count += self._counts[node]
        if self._count > MAX_NODES:
            words = f"aliases, written out, make more than {MAX_NODES} values"
            raise _UnfitError(None, None, words, _at(event))
        return node

    def compose_mapping_node(self, anchor: Any) -> Any:
        node = super().compose_mapping_node(anchor)
        lines: dict[Any, int] = {}
        for key_node, _ in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise _no_mapping("found unhashable key", key_node)
            # The safe loader makes no object of `<<` and `=`.
            special = key_node.tag in (_MERGE, _VALUE)
            key = key_node.value if special else self.construct_object(key_node, deep=True)
            line = key_node.start_mark.line + 1
            if key in lines:
                words = f"key {_SHOWN.repr(key)} is given twice: line {lines[key]} gives it already"
                raise _UnfitError(None, None, words, _at(key_node))
            lines[key] = line
        return node

    def flatten_mapping(self, node: Any) -> None:
        """Puts in the place of merge keys what they merge, which the mapping's own keys override.

        PyYAML's own takes the overridden value where one merged mapping merges another.
        """
        merged: list[Any] = []
        own: list[Any] = []
        for key_node, value_node in node.value:
            if key_node.tag == _VALUE:
                key_node.tag = "tag:yaml.org,2002:str"
            if key_node.tag != _MERGE:
                own.append((key_node, value_node))
                continue
            several = isinstance(value_node, yaml.SequenceNode)
            # The first of several wins, and in a mapping the last.
            for source in reversed(value_node.value) if several else (value_node,):
                if not isinstance(source, yaml.MappingNode):
                    raise _no_mapping("expected a mapping to merge", source)
                self.flatten_mapping(source)
                merged += source.value
        node.value = merged + own

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep=deep)
        except _UNREADABLE:
            kind = node.tag.rpartition(":")[2]
            words = f"{_SHOWN.repr(node.value)}, which cannot be read as {kind}"
            raise yaml.constructor.ConstructorError(None, None, words, _at(node)) from None

    def construct_whole_number(self, node: Any) -> int:
        number = self.construct_yaml_int(node)
        if not -(2**63) <= number < 2**63:
            raise _UnfitError(None, None, "a whole number of more than 64 bits", _at(node))
        return int(number)


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.construct_whole_number)


class _LoaderWithoutAliases(_Loader):
    aliases_allowed = False


def _no_mapping(words: str, node: yaml.Node) -> yaml.constructor.ConstructorError:
    context = "while constructing a mapping"
    return yaml.constructor.ConstructorError(context, None, words, _at(node))


def _at(place: Any) -> yaml.Mark:
    mark: yaml.Mark = place.start_mark
    return mark


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
    content = _loaded(source, error, lambda: _Loader(text).get_single_data())
    if not isinstance(content, dict):
        got = "nothing" if content is None else f"a {type(content).__name__}"
        raise error(f"{source}: expected a mapping of fields, got {got}")
    return content


def read_nodes(path: Path) -> yaml.MappingNode:
    """The mapping that a file holds as it is written, with its lines and without any alias.

    Raises:
        ConfigError: Names the file, and the line where there is one.
    """
    text = _text(path, ConfigError)
    node = _loaded(str(path), ConfigError, lambda: _LoaderWithoutAliases(text).get_single_node())
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


def _loaded(source: str, error: type[ConfigError], load: Callable[[], Any]) -> Any:
    try:
        return load()
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        where = f", line {mark.line + 1}" if mark is not None else ""
        words = ": ".join(part for part in (problem.context, problem.problem) if part)
        expected = "" if isinstance(problem, _UnfitError) else "expected YAML, got "
        raise error(redact(f"{source}{where}: {expected}{_line(words)}")) from None
    except (yaml.YAMLError, RecursionError, ValueError) as problem:
        raise error(redact(f"{source}: expected YAML, got {_line(str(problem))}")) from None


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

"""Loads YAML, and refuses what it allows and no configuration may hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml

from openral.errors import ConfigError
from openral.llm.redaction import redact
from openral.shown import shown

MAX_NODES = 65536
"""Of one text, with every alias written out: some lines of nested aliases are worth 2^30."""

_MERGE = "tag:yaml.org,2002:merge"
_VALUE = "tag:yaml.org,2002:value"
# What PyYAML's constructors raise beside its own errors at a text that is not of its tag's kind.
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def construct(text: str, source: str, error: type[ConfigError] = ConfigError) -> Any:
    """What a text says; no key of any mapping in it is given twice.

    Args:
        text: The text.
        source: Names it in errors.
        error: Type of the refusal.

    Raises:
        ConfigError: Of type `error`. Names the source, and the line where there is one.
    """
    return _loaded(source, error, lambda: _Loader(text).get_single_data())


def compose(text: str, source: str, error: type[ConfigError] = ConfigError) -> yaml.Node | None:
    """As `construct`, of the text as it is written: nodes with their lines, and no alias."""
    node: yaml.Node | None = _loaded(
        source, error, lambda: _LoaderWithoutAliases(text).get_single_node()
    )
    return node


def _loaded(source: str, error: type[ConfigError], load: Callable[[], Any]) -> Any:
    try:
        return load()
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        where = f", line {mark.line + 1}" if mark is not None else ""
        words = ": ".join(part for part in (problem.context, problem.problem) if part)
        expected = "" if isinstance(problem, _UnfitError) else "expected YAML, got "
        raise error(redact(f"{source}{where}: {expected}{_line(words)}")) from None
    except (yaml.YAMLError, OverflowError, RecursionError, ValueError) as problem:
        raise error(redact(f"{source}: expected YAML, got {_line(str(problem))}")) from None


def _line(words: str) -> str:
    return " ".join(words.split())[:300]


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
                words = f"key {shown(key)} is given twice: line {lines[key]} gives it already"
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
            words = f"{shown(node.value)}, which cannot be read as {kind}"
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

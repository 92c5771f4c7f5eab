"""From what a brain answered to one valid tool call, or to words that say what was wrong with it.

Models send nested arguments as a JSON string. Such a string is decoded once, only where the schema
holds an object or a list, and never inside of what was decoded: a text that looks like JSON stays
text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from openral.errors import InputError
from reasoner_node.tools import TOOL_CALL, TOOLS, ReasonerToolCall, arguments_schema

MAX_ARGUMENT_CHARS = 65536


class InvalidCallError(InputError):
    """A brain's answer is no valid tool call; the text is fit to be sent back to it."""


def parse_call(
    name: str,
    arguments: Mapping[str, Any] | str,
    allowed: Iterable[str],
    known_names: Iterable[str] = (),
) -> ReasonerToolCall:
    """The typed tool call behind a brain's answer.

    Args:
        name: Name of the tool that it chose.
        arguments: Its arguments, an object or the JSON text of one.
        allowed: Tools that may be called now.
        known_names: Labels that are in view or located: each is one thing, even in the plural.

    Raises:
        InvalidCallError: Says what was wrong and lists what is valid.
    """
    names = sorted(allowed)
    if name not in names:
        known = "is not possible now" if name in TOOLS else "does not exist"
        raise InvalidCallError(
            f"one of the tools {', '.join(names)}", f"{_short(name)}, which {known}"
        )
    schema = arguments_schema(name)
    values = _decode(arguments, schema, schema.get("$defs", {}))
    if not isinstance(values, Mapping):
        raise InvalidCallError(f"the arguments of {name} as an object", type(values).__name__)
    stated = values.get("tool", name)
    if stated != name:
        raise InvalidCallError(f"tool {name!r} in its own arguments", _short(stated))
    try:
        return TOOL_CALL.validate_python(
            {**values, "tool": name}, context={"known_names": tuple(known_names)}
        )
    except ValidationError as error:
        raise InvalidCallError(
            f"arguments of {name}: {_form(schema)}", "; ".join(_explain(error))
        ) from None


def _decode(value: Any, schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    schema = _resolve(schema, definitions)
    structured = schema.get("type") in ("object", "array")
    if structured and isinstance(value, str):
        try:
            decoded = json.loads(value) if len(value) <= MAX_ARGUMENT_CHARS else value
        except (ValueError, RecursionError):
            return value
        return decoded
    if schema.get("type") == "array" and isinstance(value, (list, tuple)):
        return [_decode(item, schema.get("items", {}), definitions) for item in value]
    if schema.get("type") == "object" and isinstance(value, Mapping):
        properties = schema.get("properties", {})
        return {k: _decode(v, properties.get(k, {}), definitions) for k, v in value.items()}
    return value


def _resolve(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = schema.get("$ref")
    if isinstance(reference, str):
        resolved = definitions.get(reference.rsplit("/", 1)[-1], {})
        return resolved if isinstance(resolved, Mapping) else {}
    return schema


def _form(schema: Mapping[str, Any]) -> str:
    """The valid form in one line: each field with its description."""
    required = schema.get("required", [])
    parts = [
        f"{field}{'' if field in required else ' (optional)'}: {spec.get('description', '')}"
        for field, spec in schema.get("properties", {}).items()
    ]
    return "{" + "; ".join(parts) + "}"


def _explain(error: ValidationError) -> list[str]:
    lines = []
    for problem in error.errors()[:5]:
        # The first part of the place is the discriminator's tag.
        place = ".".join(str(part) for part in problem["loc"][1:]) or "arguments"
        message = problem["msg"].removeprefix("Value error, ")
        given = "" if problem["type"] in ("missing", "value_error") else _short(problem["input"])
        lines.append(f"{place}{' = ' + given if given else ''}: {message}")
    return lines


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."

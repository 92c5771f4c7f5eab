"""Takes a mapping as a pydantic model, or refuses it by field, value and what is valid."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from openral.errors import ConfigError
from openral.llm.redaction import redact
from openral.ros.parameters import valid_range
from openral.shown import shown

M = TypeVar("M", bound=BaseModel)


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
    return f"field '{name}' = {shown(problem['input'])}: valid is {valid}{why}"


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

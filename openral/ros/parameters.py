"""Declares a node's parameters from a frozen pydantic model; refuses a bad one by name.

Usage::

    class Params(ParameterModel):
        period_s: float = seconds(0.5, 0.05, 10.0, "between scores")
        tries: int = count(3, 1, 9, "before it is given up", env="OPENRAL_TRIES")

    params = declare(node, Params)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import annotated_types
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from openral import strict_yaml
from openral.errors import ConfigError
from openral.llm.redaction import redact

if TYPE_CHECKING:
    from rclpy.node import Node


class ParameterError(ConfigError):
    """A parameter is missing, unknown, of the wrong type or out of its range."""


class ParameterModel(BaseModel):
    """Base of every node's parameters: frozen, no unknown field, defaults checked like values."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_default=True)


def number(
    default: float,
    low: float,
    high: float,
    description: str,
    *,
    unit: str = "",
    env: str = "",
    low_open: bool = False,
    high_open: bool = False,
) -> Any:
    """A field that holds a number within [`low`, `high`].

    Args:
        default: Where nothing is set.
        low: Lowest value.
        high: Highest value.
        description: What it means, for `ros2 param describe`.
        unit: Of the value and its range.
        env: Environment variable that sets it too.
        low_open: `low` itself is outside.
        high_open: `high` itself is outside.
    """
    extra: dict[str, Any] = {key: text for key, text in (("unit", unit), ("env", env)) if text}
    return Field(
        default,
        ge=None if low_open else low,
        gt=low if low_open else None,
        le=None if high_open else high,
        lt=high if high_open else None,
        description=description,
        json_schema_extra=extra or None,
    )


seconds = partial(number, unit="s")
"""As `number`, of a time."""


def count(
    default: int, low: int, high: int, description: str, *, unit: str = "", env: str = ""
) -> Any:
    """As `number`, of a field that holds a whole number."""
    return number(default, low, high, description, unit=unit, env=env)


M = TypeVar("M", bound=ParameterModel)

# rclpy declares these itself, and launch tools set them for any node.
_OWN_TO_ROS = ("use_sim_time", "qos_overrides.", "start_type_description_service")


def valid_range(field: FieldInfo) -> str:
    """The values that a field admits, in words: ``[0.05, 10.0] s``, ``one of 'a', 'b'``."""
    low, high = "(-inf", "inf)"
    bounded = False
    for rule in field.metadata:
        bounded = bounded or isinstance(
            rule, (annotated_types.Ge, annotated_types.Gt, annotated_types.Le, annotated_types.Lt)
        )
        if isinstance(rule, annotated_types.Ge):
            low = f"[{rule.ge}"
        elif isinstance(rule, annotated_types.Gt):
            low = f"({rule.gt}"
        elif isinstance(rule, annotated_types.Le):
            high = f"{rule.le}]"
        elif isinstance(rule, annotated_types.Lt):
            high = f"{rule.lt})"
    choices = get_args(field.annotation)
    each = get_args(choices[0]) if choices and choices[-1] is Ellipsis else ()
    if bounded:
        text = f"{low}, {high}"
    elif choices and all(isinstance(choice, str) for choice in choices):
        text = "one of " + ", ".join(repr(choice) for choice in choices)
    elif each and all(isinstance(choice, str) for choice in each):
        text = "any of " + ", ".join(repr(choice) for choice in each)
    else:
        text = getattr(field.annotation, "__name__", str(field.annotation))
        if getattr(field.annotation, "__args__", ()):
            text = str(field.annotation)
    unit = _extra(field, "unit")
    return f"{text} {unit}" if unit else text


def _extra(field: FieldInfo, key: str) -> str:
    extra = field.json_schema_extra
    return str(extra.get(key, "")) if isinstance(extra, dict) else ""


def validate(model: type[M], values: Mapping[str, Any]) -> M:
    """Builds `model` from parameter values.

    Raises:
        ParameterError: Names every bad parameter with its value and its valid range.
    """
    # ROS arrays arrive as lists or array.array, and the models hold tuples.
    plain = {
        name: value
        if isinstance(value, (str, bytes)) or not isinstance(value, Iterable)
        else tuple(value)
        for name, value in values.items()
    }
    try:
        return model(**plain)
    except ValidationError as error:
        lines = []
        for problem in error.errors():
            name = str(problem["loc"][0]) if problem["loc"] else ""
            field = model.model_fields.get(name)
            if field is None and name:
                known = ", ".join(sorted(model.model_fields))
                lines.append(f"parameter '{name}' is unknown; the parameters are {known}")
            elif field is None:
                lines.append(f"parameters disagree: {problem['msg']}")
            else:
                value = plain.get(name, field.default)
                lines.append(
                    f"parameter '{name}' = {value!r}: valid is {valid_range(field)}"
                    f" ({problem['msg']})"
                )
        # A key that was put into the wrong parameter must not reach a log by its refusal.
        raise ParameterError(redact("; ".join(lines))) from None


def environment_overrides(
    model: type[ParameterModel], environ: Mapping[str, str]
) -> dict[str, Any]:
    """Values of the variables that fields name in ``json_schema_extra['env']``.

    Raises:
        ParameterError: If a variable does not hold one plain value.
    """
    found: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        variable = _extra(field, "env")
        text = environ.get(variable, "") if variable else ""
        if not text:
            continue
        if field.annotation is str:
            found[name] = text
            continue
        try:
            found[name] = strict_yaml.construct(text, variable)
        except ConfigError:
            raise ParameterError(
                redact(
                    f"environment variable {variable} = {text!r} sets '{name}':"
                    f" valid is {valid_range(field)}"
                )
            ) from None
    return found


def declare(
    node: Node,
    model: type[M],
    *,
    shared_prefixes: tuple[str, ...] = ("robot.",),
    environ: Mapping[str, str] | None = None,
) -> M:
    """Declares every field of `model` on `node`, read-only, and returns the values in force.

    An environment variable that a field names wins over the parameter, and the log says so. A
    parameter that the configuration sets and no field knows is refused, since a misspelt limit
    would silently keep its default; `shared_prefixes` belong to every node of the robot.

    Raises:
        ParameterError: Names the parameter, its value and its valid range.
    """
    from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor

    known_elsewhere = (*_OWN_TO_ROS, *shared_prefixes)
    for name in getattr(node, "_parameter_overrides", {}):
        if name not in model.model_fields and not name.startswith(known_elsewhere):
            known = ", ".join(sorted(model.model_fields))
            raise ParameterError(f"parameter '{name}' is unknown; the parameters are {known}")

    values: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        bounds = _numeric_bounds(field)
        descriptor = ParameterDescriptor(
            description=field.description or "",
            additional_constraints=valid_range(field),
            read_only=True,
            dynamic_typing=True,
        )
        if bounds is not None and field.annotation is float:
            descriptor.floating_point_range = [
                FloatingPointRange(from_value=bounds[0], to_value=bounds[1])
            ]
        elif bounds is not None and field.annotation is int:
            descriptor.integer_range = [
                IntegerRange(from_value=int(bounds[0]), to_value=int(bounds[1]))
            ]
        default = field.get_default(call_default_factory=True)
        initial = list(default) if isinstance(default, tuple) else default
        values[name] = _declare_one(node, name, initial, descriptor, field)
    for name, value in environment_overrides(
        model, os.environ if environ is None else environ
    ).items():
        variable = _extra(model.model_fields[name], "env")
        if value != values[name]:
            node.get_logger().info(
                redact(f"{variable} overrides parameter '{name}': {values[name]!r} -> {value!r}")
            )
        values[name] = value
    return validate(model, values)


def _declare_one(node: Node, name: str, initial: Any, descriptor: Any, field: FieldInfo) -> Any:
    from rclpy.exceptions import InvalidParameterTypeException, InvalidParameterValueException

    try:
        return node.declare_parameter(name, initial, descriptor).value
    except (InvalidParameterValueException, InvalidParameterTypeException):
        overrides = getattr(node, "_parameter_overrides", {})
        got = overrides[name].value if name in overrides else initial
        raise ParameterError(
            redact(f"parameter '{name}' = {got!r}: valid is {valid_range(field)}")
        ) from None


def _numeric_bounds(field: FieldInfo) -> tuple[float, float] | None:
    """Closed bounds for the ROS descriptor; None where one is open: pydantic alone checks it."""
    low: float | None = None
    high: float | None = None
    for rule in field.metadata:
        if isinstance(rule, annotated_types.Ge):
            low = float(rule.ge)  # type: ignore[arg-type]
        elif isinstance(rule, annotated_types.Le):
            high = float(rule.le)  # type: ignore[arg-type]
    return None if low is None or high is None else (low, high)

"""Parameters are declared from a model, and a bad one is refused by name, value and valid range."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Literal

import pytest
import rclpy
from pydantic import Field
from rclpy.context import Context
from rclpy.node import Node
from rclpy.parameter import Parameter

from openral.ros.parameters import (
    ParameterError,
    ParameterModel,
    count,
    declare,
    environment_overrides,
    number,
    seconds,
    valid_range,
    validate,
)


class Params(ParameterModel):
    period_s: float = Field(
        0.5,
        ge=0.05,
        le=10.0,
        description="time between scores",
        json_schema_extra={"unit": "s", "env": "OPENRAL_TEST_PERIOD"},
    )
    cap: int = Field(3, ge=1, le=9, description="tries")
    margin: float = Field(0.1, gt=0.0, description="distance", json_schema_extra={"unit": "m"})
    mode: Literal["fast", "safe"] = Field("safe", description="how")
    cameras: tuple[str, ...] = Field(("front", "top"), description="names")
    enabled: bool = Field(True, description="on")
    label: str = Field("", description="text", json_schema_extra={"env": "OPENRAL_TEST_LABEL"})


class Short(ParameterModel):
    period_s: float = seconds(0.5, 0.05, 10.0, "time between scores", env="OPENRAL_TEST_PERIOD")
    cap: int = count(3, 1, 9, "tries")
    margin: float = number(0.1, 0.0, 1.0, "distance", unit="m", low_open=True)
    share: float = number(0.5, 0.0, 1.0, "part", unit="1", high_open=True)


@pytest.mark.parametrize(
    ("name", "valid", "good", "bad"),
    [
        ("period_s", "[0.05, 10.0] s", 10.0, 10.01),
        ("cap", "[1, 9]", 9, 10),
        ("margin", "(0.0, 1.0] m", 1.0, 0.0),
        ("share", "[0.0, 1.0) 1", 0.0, 1.0),
    ],
)
def test_a_number_is_declared_with_its_range_and_unit(
    name: str, valid: str, good: float, bad: float
) -> None:
    assert valid_range(Short.model_fields[name]) == valid
    assert getattr(validate(Short, {name: good}), name) == good
    with pytest.raises(ParameterError, match=re.escape(f"'{name}' = {bad}: valid is {valid}")):
        validate(Short, {name: bad})


def test_a_whole_number_takes_no_fraction_and_a_number_names_its_variable() -> None:
    with pytest.raises(ParameterError, match=r"'cap' = 2\.5"):
        validate(Short, {"cap": 2.5})
    assert environment_overrides(Short, {"OPENRAL_TEST_PERIOD": "2.5"}) == {"period_s": 2.5}
    assert Short.model_fields["period_s"].description == "time between scores"


@pytest.fixture
def context() -> Iterator[Context]:
    context = Context()
    rclpy.init(context=context)
    yield context
    rclpy.shutdown(context=context)


def declared(
    context: Context, overrides: dict[str, object], environ: dict[str, str] | None = None
) -> Params:
    node = Node(
        "parameters_under_test",
        context=context,
        parameter_overrides=[Parameter(name, value=value) for name, value in overrides.items()],
        enable_rosout=False,
        start_parameter_services=False,
    )
    try:
        return declare(node, Params, environ=environ or {})
    finally:
        node.destroy_node()


def test_defaults_hold_where_nothing_is_set(context: Context) -> None:
    assert declared(context, {}) == Params()


def test_set_values_win_and_an_integer_serves_as_a_float(context: Context) -> None:
    params = declared(context, {"period_s": 2, "cameras": ["wrist"], "mode": "fast"})
    assert params.period_s == 2.0
    assert params.cameras == ("wrist",)
    assert params.mode == "fast"


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        ({"period_s": 99.0}, ["'period_s'", "99.0", "[0.05, 10.0] s"]),
        ({"period_s": float("nan")}, ["'period_s'", "nan", "[0.05, 10.0] s"]),
        ({"period_s": "fast"}, ["'period_s'", "'fast'", "[0.05, 10.0] s"]),
        ({"cap": 0}, ["'cap'", "0", "[1, 9]"]),
        ({"cap": 2.5}, ["'cap'", "2.5", "[1, 9]"]),
        ({"margin": 0.0}, ["'margin'", "0.0", "(0.0, inf) m"]),
        ({"mode": "wild"}, ["'mode'", "'wild'", "'fast', 'safe'"]),
        ({"enabled": "yes"}, ["'enabled'", "'yes'", "bool"]),
        ({"cameras": [1, 2]}, ["'cameras'", "(1, 2)", "tuple[str, ...]"]),
        ({"perod_s": 1.0}, ["'perod_s' is unknown", "period_s"]),
    ],
)
def test_a_bad_value_is_refused_by_name_value_and_range(
    context: Context, overrides: dict[str, object], said: list[str]
) -> None:
    with pytest.raises(ParameterError) as caught:
        declared(context, overrides)
    for part in said:
        assert part in str(caught.value)


def test_a_parameter_of_the_robot_is_every_nodes(context: Context) -> None:
    assert declared(context, {"robot.name": "panda"}) == Params()


def test_a_parameter_cannot_change_while_the_node_runs(context: Context) -> None:
    node = Node(
        "read_only_under_test", context=context, enable_rosout=False, start_parameter_services=False
    )
    declare(node, Params, environ={})
    (result,) = node.set_parameters([Parameter("period_s", value=1.0)])
    assert not result.successful
    node.destroy_node()


def test_the_environment_wins_and_is_checked_like_a_parameter(context: Context) -> None:
    assert declared(context, {"period_s": 2.0}, {"OPENRAL_TEST_PERIOD": "3.5"}).period_s == 3.5
    assert declared(context, {}, {"OPENRAL_TEST_LABEL": "3.5"}).label == "3.5"
    with pytest.raises(ParameterError, match=r"period_s.*99"):
        declared(context, {}, {"OPENRAL_TEST_PERIOD": "99"})


SECRET = "sk-lab-0123456789abcdef"
URL = f"https://robot:{SECRET}@llm.example.com"


def test_a_key_in_the_wrong_place_is_in_no_refusal(context: Context) -> None:
    refusals = [
        ({"mode": SECRET}, {}),
        ({"cap": SECRET}, {}),
        ({}, {"OPENRAL_TEST_PERIOD": SECRET}),
        ({}, {"OPENRAL_TEST_PERIOD": f"[1, {SECRET}"}),
    ]
    for overrides, environ in refusals:
        with pytest.raises(ParameterError) as caught:
            declared(context, overrides, environ)
        assert SECRET not in str(caught.value)
        assert "[redacted]" in str(caught.value)


def test_a_key_in_a_variable_that_overrides_is_in_no_log(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    monkeypatch.setattr(
        Node, "get_logger", lambda _: SimpleNamespace(info=lines.append, warning=lines.append)
    )
    # The value itself arrives: whether such a URL can be used is for its user to say.
    assert declared(context, {}, {"OPENRAL_TEST_LABEL": URL}).label == URL
    (line,) = lines
    assert line == (
        "OPENRAL_TEST_LABEL overrides parameter 'label': '' -> 'https://[redacted]@llm.example.com'"
    )


@pytest.mark.parametrize("text", ["[1, ", "2026-02-30", "!!int x", "9" * 5000])
def test_an_environment_value_that_is_no_value_names_the_variable(text: str) -> None:
    with pytest.raises(ParameterError, match="OPENRAL_TEST_PERIOD"):
        environment_overrides(Params, {"OPENRAL_TEST_PERIOD": text})

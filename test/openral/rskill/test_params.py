"""A goal's parameters are checked against the manifest before anything runs."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openral.rskill import ParamsError, ParamSpec, ParamsSchema

SCHEMA = ParamsSchema(
    fields={
        "object": ParamSpec(type="string", required=True, description="label"),
        "container": ParamSpec(type="string", description="label"),
        "position": ParamSpec(
            type="numbers", length=2, minimum=-0.9, maximum=0.9, unit="m", description="place"
        ),
        "count": ParamSpec(type="integer", minimum=1, maximum=3, description="how many"),
        "gently": ParamSpec(type="boolean", description="slower"),
        "side": ParamSpec(type="string", choices=("left", "right"), description="side"),
    },
    exactly_one_of=("container", "position"),
)


def test_good_parameters_come_back_as_they_are() -> None:
    text = '{"object": "milk", "position": [0.4, -0.2], "count": 2, "gently": true, "side": "left"}'
    assert SCHEMA.parse(text) == json.loads(text)


def test_nothing_given_is_nothing_where_nothing_is_required() -> None:
    assert ParamsSchema().parse("") == {}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no 'object'"),
        ('{"container": "basket"}', "no 'object'"),
        ('{"object": "", "container": "basket"}', "'object'"),
        ('{"object": 3, "container": "basket"}', "'object' = '3'"),
        ('{"object": "milk"}', "exactly one of container, position"),
        ('{"object": "milk", "container": "b", "position": [0, 0]}', "container, position"),
        ('{"object": "milk", "position": [0.1]}', "'position'"),
        ('{"object": "milk", "position": [0.1, 5]}', "'position.1' = '5'"),
        ('{"object": "milk", "position": [0.1, NaN]}', "'position.1'"),
        ('{"object": "milk", "position": "[0, 0]"}', "'position'"),
        ('{"object": "milk", "container": "b", "count": 4}', "'count' = '4'"),
        ('{"object": "milk", "container": "b", "count": true}', "'count'"),
        ('{"object": "milk", "container": "b", "gently": "yes"}', "'gently'"),
        ('{"object": "milk", "container": "b", "side": "up"}', "'side' = 'up'"),
        ('{"object": "milk", "container": "b", "speed": 1}', "unknown 'speed'"),
        ('{"object": "milk", "object": "soup can", "container": "b"}', "'object' more than once"),
        ('{"object": "milk", "container": "b", "count": 1' + "0" * 400 + "}", "'count'"),
        ('{"object": "milk", "position": [1' + "0" * 400 + ", 0]}", "'position.0'"),
        ('{"object": "milk", "position": [[0.1], 0]}', "'position.0'"),
        ('{"object": {"object": "milk"}, "container": "b"}', "'object'"),
        ('{"object": "' + "x" * 201 + '", "container": "b"}', "'object'"),
        ('{"object": "\\ud800", "container": "b"}', "unicode"),
        ('{"' + "x" * 3000 + '": 1, "object": "milk", "container": "b"}', "unknown 'xxx"),
        ("[]", "list"),
        ("{", "not JSON"),
        ("[" * 3000, "not JSON"),
        (" " * 5000, "5000"),
    ],
)
def test_bad_parameters_are_refused_by_name(text: str, word: str) -> None:
    with pytest.raises(ParamsError) as error:
        SCHEMA.parse(text)
    assert word in str(error.value)
    assert len(str(error.value)) < 600
    str(error.value).encode("utf-8")


@given(st.text(max_size=200) | st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
).map(json.dumps))  # fmt: skip
def test_whatever_comes_is_parsed_or_refused(text: str) -> None:
    try:
        values = SCHEMA.parse(text)
    except ParamsError:
        return
    assert set(values) <= set(SCHEMA.fields)
    assert isinstance(values["object"], str)


def test_the_json_schema_names_what_is_required() -> None:
    schema = SCHEMA.json_schema()
    assert schema["required"] == ["object"]
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == set(SCHEMA.fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "numbers"},
        {"type": "string", "length": 2},
        {"type": "string", "minimum": 0.0},
        {"type": "number", "choices": ("a",)},
        {"type": "number", "minimum": 2.0, "maximum": 1.0},
    ],
)
def test_a_contradictory_parameter_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        ParamSpec(description="x", **fields)  # type: ignore[arg-type]


def test_the_rule_of_one_names_only_optional_known_parameters() -> None:
    spec = ParamSpec(type="string", required=True, description="x")
    with pytest.raises(ValueError, match="cannot be required"):
        ParamsSchema(fields={"a": spec}, exactly_one_of=("a",))
    with pytest.raises(ValueError, match="exactly_one_of names 'b'"):
        ParamsSchema(fields={"a": spec}, exactly_one_of=("b",))

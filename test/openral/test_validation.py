"""A mapping is taken as its model, or refused by field, value and what is valid."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, model_validator

from openral.errors import ConfigError
from openral.validation import validate


class Lamp(BaseModel):
    model_config = ConfigDict(extra="forbid")

    power_w: float = Field(gt=0.0, le=100.0, allow_inf_nan=False)
    colour: Literal["warm", "cold"] = "warm"
    tags: tuple[Annotated[str, Field(min_length=2)], ...] = ()


class Room(BaseModel):
    model_config = ConfigDict(extra="forbid")

    lamps: Mapping[str, Lamp] = Field(min_length=1)
    spare: Lamp | None = None

    @model_validator(mode="after")
    def _fuse(self) -> Room:
        if sum(lamp.power_w for lamp in self.lamps.values()) > 150.0:
            raise ValueError("more than the fuse's 150 W")
        return self


def refusal(content: Mapping[Any, Any]) -> str:
    with pytest.raises(ConfigError) as caught:
        validate(content, Room, "it")
    assert str(caught.value).startswith("it: ")
    return str(caught.value)


def test_a_good_mapping_is_its_model() -> None:
    door, desk = {"power_w": 40}, {"power_w": 60.0, "tags": ["small", "green"]}
    room = validate({"lamps": {"door": door, "desk": desk}}, Room, "it")
    assert room.lamps["door"] == Lamp(power_w=40.0)
    assert room.lamps["desk"].tags == ("small", "green")


@pytest.mark.parametrize(
    ("door", "said"),
    [
        ({"power_w": 0}, "field 'lamps.door.power_w' = 0: valid is (0.0, 100.0]"),
        ({"power_w": math.nan}, "field 'lamps.door.power_w' = nan: valid is (0.0, 100.0]"),
        ({"power": 40}, "field 'lamps.door.power_w' is missing: valid is (0.0, 100.0]"),
        (
            {"power_w": 40, "colur": "cold"},
            "field 'lamps.door.colur' is unknown; the fields are colour, power_w, tags",
        ),
        (
            {"power_w": 40, "colour": "red"},
            "field 'lamps.door.colour' = 'red': valid is one of 'warm', 'cold'",
        ),
        (
            {"power_w": 40, "tags": ["small", "g"]},
            "field 'lamps.door.tags.1' = 'g': valid is str",
        ),
    ],
)
def test_a_bad_field_is_named_with_its_value_and_what_is_valid(
    door: dict[str, Any], said: str
) -> None:
    assert said in refusal({"lamps": {"door": door}})


def test_a_field_of_one_or_none_is_named_as_well() -> None:
    said = "'spare.power_w' = -1: valid is (0.0, 100.0]"
    assert said in refusal({"lamps": {"door": {"power_w": 1}}, "spare": {"power_w": -1}})


def test_an_unknown_field_is_told_which_there_are() -> None:
    said = "field 'room' is unknown; the fields are lamps, spare"
    assert said in refusal({"lamps": {"door": {"power_w": 1}}, "room": 1})


def test_fields_that_disagree_are_said_to() -> None:
    said = "fields of 'the file' disagree: Value error, more than the fuse's 150 W"
    assert said in refusal({"lamps": {"door": {"power_w": 99}, "desk": {"power_w": 60}}})


def test_every_bad_field_is_named_at_once() -> None:
    said = refusal({"lamps": {"a": {"power_w": -1}, "b": {"power_w": 101}}})
    assert "'lamps.a.power_w' = -1" in said
    assert "'lamps.b.power_w' = 101" in said


def test_a_value_is_shown_in_bounds_and_a_key_not_at_all() -> None:
    assert len(refusal({"lamps": "x" * 9000})) < 500
    key = "sk-ant-api03-" + "k" * 40
    assert key not in refusal({"lamps": key})


def test_a_number_of_any_size_is_shown_in_bounds() -> None:
    assert "'lamps' = a number beyond 128 bits: valid is" in refusal({"lamps": 10**5000})


def test_the_refusal_is_of_the_type_that_is_asked_for() -> None:
    class RoomError(ConfigError):
        pass

    with pytest.raises(RoomError):
        validate({"lamps": 1}, Room, "it", RoomError)

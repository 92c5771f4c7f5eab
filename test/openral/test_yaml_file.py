"""A YAML file is read whole or refused by file, line, field, value and what is valid."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, model_validator

from openral.errors import ConfigError
from openral.yaml_file import MAX_BYTES, load, parse, read, validate


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


GOOD = """
lamps:
  door: {power_w: 40}
  desk:
    power_w: 60.0
    tags: [small, green]
"""


def refusal(folder: Path, content: str | bytes) -> str:
    path = folder / "room.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ConfigError) as caught:
        load(path, Room)
    assert str(caught.value).startswith(str(path))
    return str(caught.value).removeprefix(str(path))


def test_a_good_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    path.write_text(GOOD)
    room = load(path, Room)
    assert {name: lamp.power_w for name, lamp in room.lamps.items()} == {"door": 40.0, "desk": 60.0}


@pytest.mark.parametrize(
    ("text", "line", "key", "first"),
    [
        ("lamps: {}\nlamps: {}\n", 2, "lamps", 1),
        (GOOD + "    power_w: 6.0\n", 7, "power_w", 5),
        ("lamps:\n  - {power_w: 1, colour: warm, power_w: 2}\n", 2, "power_w", 2),
        ('lamps: {}\n"lamps": {}\n', 2, "lamps", 1),
        ("a: &a {b: 1}\nc:\n  <<: *a\n  <<: *a\n", 4, "<<", 3),
    ],
)
def test_a_key_that_is_given_twice_is_refused_with_both_lines(
    tmp_path: Path, text: str, line: int, key: str, first: int
) -> None:
    said = f", line {line}: key '{key}' is given twice: line {first} gives it already"
    assert refusal(tmp_path, text) == said


def test_keys_that_are_equal_in_python_are_one_key(tmp_path: Path) -> None:
    assert "key True is given twice" in refusal(tmp_path, "1: a\ntrue: b\n")


def test_the_same_key_in_two_mappings_is_given_once() -> None:
    assert parse("a: {x: 1}\nb: {x: 2}\n", "it") == {"a": {"x": 1}, "b": {"x": 2}}


def test_a_key_may_override_a_merged_one() -> None:
    assert parse("a: &a {x: 1}\nb: {<<: *a, x: 2}\n", "it")["b"] == {"x": 2}
    chained = "a: &A {k: 1}\nx: {b: &B {<<: *A, k: 2}}\nc: {<<: *B, j: 1}\n"
    for key in ("k", "key"):
        expected = {key: 2, "j": 1}
        assert parse(chained.replace("k:", f"{key}:"), "it")["c"] == expected


def test_the_first_of_several_merged_mappings_wins() -> None:
    text = "a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b], z: 3}\n"
    assert parse(text, "it")["c"] == {"x": 1, "y": 2, "z": 3}


def test_only_mappings_are_merged(tmp_path: Path) -> None:
    for what in ("1", "[{x: 1}, 1]", "[[]]"):
        said = ", line 2: expected YAML, got while constructing a mapping: expected a mapping to me"
        assert refusal(tmp_path, f"a:\n  <<: {what}").startswith(said)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("power_w: 40", "power_w: 0", "field 'lamps.door.power_w' = 0: valid is (0.0, 100.0]"),
        ("power_w: 40", "power_w: .nan", "field 'lamps.door.power_w' = nan: valid is (0.0, 100.0]"),
        (
            "power_w: 40",
            "power: 40",
            "field 'lamps.door.power_w' is missing: valid is (0.0, 100.0]",
        ),
        (
            "power_w: 40",
            "power_w: 40, colur: cold",
            "field 'lamps.door.colur' is unknown; the fields are colour, power_w, tags",
        ),
        (
            "power_w: 40",
            "power_w: 40, colour: red",
            "field 'lamps.door.colour' = 'red': valid is one of 'warm', 'cold'",
        ),
        ("[small, green]", "[small, g]", "field 'lamps.desk.tags.1' = 'g': valid is str"),
        ("power_w: 40", "power_w: 99", "fields of 'the file' disagree: Value error, more than the"),
        ("lamps:", "spare: {power_w: -1}\nlamps:", "'spare.power_w' = -1: valid is (0.0, 100.0]"),
        ("lamps:", "room: 1\nlamps:", "field 'room' is unknown; the fields are lamps, spare"),
    ],
)
def test_a_bad_field_is_named_with_its_value_and_what_is_valid(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert said in refusal(tmp_path, GOOD.replace(old, new, 1))


def test_every_bad_field_is_named_at_once(tmp_path: Path) -> None:
    said = refusal(tmp_path, "lamps: {a: {power_w: -1}, b: {power_w: 101}}")
    assert "'lamps.a.power_w' = -1" in said
    assert "'lamps.b.power_w' = 101" in said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", ": expected a mapping of fields, got nothing"),
        (b"- a\n", ": expected a mapping of fields, got a list"),
        (b"\xff\xfe", ": expected text in UTF-8, got "),
        (b"x: \0", ": expected YAML, got unacceptable character"),
        (b"\nx: [", ", line 2: expected YAML, got while parsing a flow"),
        (b"x: !!python/object:os.system a", ", line 1: expected YAML, got could not determine a"),
        (
            b"\nx: 2024-99-99",
            ", line 2: expected YAML, got '2024-99-99', which cannot be read as time",
        ),
        (b"? [a]\n: b", ", line 1: expected YAML, got while constructing a mapping: found unhash"),
        (
            b"? !!seq a\n: b",
            ", line 1: expected YAML, got expected a sequence node, but found scalar",
        ),
        (b"a: 1\n---\nb: 2\n", ", line 2: expected YAML, got expected a single document"),
        (b"x: " + b"[" * 5000, ": expected YAML, got maximum recursion depth exceeded"),
        (b"x: " + b"y" * MAX_BYTES, f": expected at most {MAX_BYTES} bytes, got more"),
    ],
)
def test_what_is_no_mapping_in_yaml_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    assert refusal(tmp_path, content).startswith(said)


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("bool", "foo"),
        ("int", '""'),
        ("int", "0x"),
        ("int", "9" * 4301),  # Python reads no number of more than 4300 digits
        ("float", '""'),
        ("float", ":".join(["59"] * 200)),
        ("timestamp", "foo"),
        ("timestamp", "2001-01-01T00:00:00+99:99"),
    ],
)
def test_a_text_that_is_not_of_its_tags_kind_is_refused_with_its_line(
    tmp_path: Path, tag: str, text: str
) -> None:
    for content in (f"a: 1\nb: !!{tag} {text}", f"a: 1\n? !!{tag} {text}\n: 1"):
        said = refusal(tmp_path, content)
        assert said.startswith(", line 2: expected YAML, got '")
        assert said.endswith(f"', which cannot be read as {tag}")


def test_a_whole_number_of_more_than_64_bits_is_refused_with_its_line(tmp_path: Path) -> None:
    said = ", line 2: a whole number of more than 64 bits"
    for number in (2**63, -(2**63) - 1, "0x" + "f" * 9000):
        assert refusal(tmp_path, f"\na: {number}") == said
    assert parse(f"a: {2**63 - 1}\nb: {-(2**63)}", "it") == {"a": 2**63 - 1, "b": -(2**63)}


def test_a_number_of_any_size_is_shown_in_bounds() -> None:
    with pytest.raises(ConfigError, match="'lamps' = a number beyond 128 bits: valid is"):
        validate({"lamps": 10**5000}, Room, "it")


def test_an_alias_inside_of_what_it_names_is_refused_with_its_line(tmp_path: Path) -> None:
    for text in ("a: &x\n  b: *x", "a: &x\n  <<: *x", "a: &x\n  - [*x]"):
        assert refusal(tmp_path, text) == ", line 2: alias *x stands inside of what it names"


@pytest.mark.parametrize(
    "each", ["[*a{0}, *a{0}]", "{{b: *a{0}, c: *a{0}}}", "{{<<: [*a{0}, *a{0}]}}"]
)
def test_nested_aliases_are_refused_before_they_are_written_out(tmp_path: Path, each: str) -> None:
    text = "a0: &a0 {k: 1}\n"
    text += "".join(f"a{n + 1}: &a{n + 1} {each.format(n)}\n" for n in range(30))
    assert refusal(tmp_path, text).endswith("aliases, written out, make more than 65536 values")


def test_an_alias_stands_for_what_it_names() -> None:
    assert parse("a: &a [1, 2]\nb: [*a, *a]", "it")["b"] == [[1, 2], [1, 2]]


def test_a_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "it.yaml"
    path.write_text("x: " + "y" * (MAX_BYTES - 3))
    assert len(read(path)["x"]) == MAX_BYTES - 3


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml: cannot be read: No such file"):
        read(tmp_path / "none.yaml")


def test_a_value_is_shown_in_bounds_and_a_key_not_at_all(tmp_path: Path) -> None:
    assert len(refusal(tmp_path, "lamps: " + "x" * 9000)) < 500
    key = "sk-ant-api03-" + "k" * 40
    assert key not in refusal(tmp_path, f"lamps: {key}")


def test_the_refusal_is_of_the_type_that_is_asked_for(tmp_path: Path) -> None:
    class RoomError(ConfigError):
        pass

    for content in ("lamps: 1", "a: 1\na: 2", "- a", "\x85\0"):
        (tmp_path / "room.yaml").write_text(content)
        with pytest.raises(RoomError):
            load(tmp_path / "room.yaml", Room, RoomError)

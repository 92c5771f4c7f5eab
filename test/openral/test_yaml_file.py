"""A YAML file is read whole or refused by file, line, field, value and what is valid."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, Field

from openral.errors import ConfigError
from openral.yaml_file import MAX_BYTES, load, parse, read, read_nodes


class Lamp(BaseModel):
    model_config = ConfigDict(extra="forbid")

    power_w: float = Field(gt=0.0, le=100.0)


def refusal(folder: Path, content: str | bytes) -> str:
    path = folder / "lamp.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ConfigError) as caught:
        load(path, Lamp)
    assert str(caught.value).startswith(str(path))
    return str(caught.value).removeprefix(str(path))


def test_a_good_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "lamp.yaml"
    path.write_text("power_w: 40")
    assert load(path, Lamp) == Lamp(power_w=40.0)


def test_a_bad_field_is_named_behind_its_file(tmp_path: Path) -> None:
    said = refusal(tmp_path, "power_w: 101")
    assert said.startswith(": field 'power_w' = 101: valid is (0.0, 100.0]")


def test_a_key_that_is_given_twice_is_named_behind_its_file_and_line(tmp_path: Path) -> None:
    said = refusal(tmp_path, "power_w: 1\npower_w: 2\n")
    assert said == ", line 2: key 'power_w' is given twice: line 1 gives it already"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", ": expected a mapping of fields, got nothing"),
        (b"- a\n", ": expected a mapping of fields, got a list"),
        (b"\xff\xfe", ": expected text in UTF-8, got "),
        (b"x: \0", ": expected YAML, got unacceptable character"),
        (b"x: " + b"y" * MAX_BYTES, f": expected at most {MAX_BYTES} bytes, got more"),
    ],
)
def test_what_is_no_mapping_in_yaml_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    assert refusal(tmp_path, content).startswith(said)


def test_nodes_are_those_of_a_mapping(tmp_path: Path) -> None:
    path = tmp_path / "it.yaml"
    path.write_text("a: 1\n\nb: 2\n")
    assert [key.start_mark.line for key, _ in read_nodes(path).value] == [0, 2]
    path.write_text("- a")
    with pytest.raises(ConfigError, match=r"it\.yaml: expected a mapping of fields, got none"):
        read_nodes(path)


def test_a_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "it.yaml"
    path.write_text("x: " + "y" * (MAX_BYTES - 3))
    assert len(read(path)["x"]) == MAX_BYTES - 3


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml: cannot be read: No such file"):
        read(tmp_path / "none.yaml")


def test_a_text_is_read_as_a_file_is() -> None:
    assert parse("a: {x: 1}", "it") == {"a": {"x": 1}}


def test_the_refusal_is_of_the_type_that_is_asked_for(tmp_path: Path) -> None:
    class LampError(ConfigError):
        pass

    for content in ("power_w: -1", "a: 1\na: 2", "- a", "\x85\0"):
        (tmp_path / "lamp.yaml").write_text(content)
        with pytest.raises(LampError):
            load(tmp_path / "lamp.yaml", Lamp, LampError)

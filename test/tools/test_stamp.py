"""An environment is remade exactly when what it was made from is another."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from bare_ros import prefix
from bare_ros.stamp import (
    STAMP_NAME,
    Stamp,
    Work,
    read_stamp,
    remove_stamp,
    wanted_stamp,
    work_to_do,
    write_stamp,
)

STAMP = Stamp(venv="/a/.venv", python="/usr 3.11.2", repairs="r1", lock="l1", scripts="s1")


def test_a_written_stamp_is_read_back(tmp_path: Path) -> None:
    write_stamp(tmp_path, STAMP)
    assert read_stamp(tmp_path) == STAMP


def test_the_same_stamp_leaves_nothing_to_do() -> None:
    assert work_to_do(STAMP, STAMP) is Work.NOTHING


def test_another_lock_alone_is_an_update() -> None:
    assert work_to_do(replace(STAMP, lock="l0"), STAMP) is Work.UPDATE
    assert work_to_do(replace(STAMP, lock="l0", scripts="s0"), STAMP) is Work.UPDATE


def test_other_scripts_alone_are_written_anew() -> None:
    assert work_to_do(replace(STAMP, scripts="s0"), STAMP) is Work.SCRIPTS


def test_a_stamp_from_before_there_was_one_of_the_scripts_only_lacks_them(tmp_path: Path) -> None:
    fields = {"venv": "/a/.venv", "python": "/usr 3.11.2", "repairs": "r1", "lock": "l1"}
    (tmp_path / STAMP_NAME).write_text(json.dumps(fields))
    assert work_to_do(read_stamp(tmp_path), STAMP) is Work.SCRIPTS


@pytest.mark.parametrize("field", ["venv", "python", "repairs"])
def test_another_place_python_or_repair_needs_a_new_environment(field: str) -> None:
    assert work_to_do(replace(STAMP, **{field: "other"}), STAMP) is Work.MAKE_NEW


def test_no_stamp_needs_a_new_environment(tmp_path: Path) -> None:
    assert read_stamp(tmp_path / "absent") is None
    assert work_to_do(None, STAMP) is Work.MAKE_NEW


def test_a_removed_stamp_is_no_stamp(tmp_path: Path) -> None:
    write_stamp(tmp_path, STAMP)
    remove_stamp(tmp_path)
    assert read_stamp(tmp_path) is None
    remove_stamp(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"venv": "/a"}', '{"more": 1}', "\x00"])
def test_a_damaged_stamp_is_no_stamp(tmp_path: Path, text: str) -> None:
    (tmp_path / STAMP_NAME).write_text(text)
    assert read_stamp(tmp_path) is None


def test_the_wanted_stamp_follows_the_lock_the_repair_code_and_the_scripts(tmp_path: Path) -> None:
    names = ("lock", "repair.py", "prefix.py", "openral")
    lock, code, writer, script = (tmp_path / name for name in names)
    for path in (lock, code, writer, script):
        path.write_text("1")

    def wanted() -> Stamp:
        return wanted_stamp(tmp_path, lock, code, (writer, script))

    before = wanted()
    assert wanted() == before
    for path, work in (
        (lock, Work.UPDATE),
        (script, Work.SCRIPTS),
        (writer, Work.SCRIPTS),
        (code, Work.MAKE_NEW),
    ):
        path.write_text("2")
        assert work_to_do(before, wanted()) is work
        before = wanted()


def test_the_scripts_of_an_environment_come_from_files_that_its_stamp_follows() -> None:
    tools = Path(prefix.__file__).parents[1]
    assert set(prefix.sources(tools)) == {tools / "openral", tools / "bare_ros" / "prefix.py"}
    assert all(path.is_file() for path in prefix.sources(tools))

"""An environment is remade exactly when what it was made from is another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
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

STAMP = Stamp(venv="/a/.venv", python="/usr 3.11.2", repairs="r1", lock="l1")


def test_a_written_stamp_is_read_back(tmp_path: Path) -> None:
    write_stamp(tmp_path, STAMP)
    assert read_stamp(tmp_path) == STAMP


def test_the_same_stamp_leaves_nothing_to_do() -> None:
    assert work_to_do(STAMP, STAMP) is Work.NOTHING


def test_another_lock_alone_is_an_update() -> None:
    assert work_to_do(replace(STAMP, lock="l0"), STAMP) is Work.UPDATE


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


def test_the_wanted_stamp_follows_the_lock_and_the_repair_code(tmp_path: Path) -> None:
    lock, code = tmp_path / "lock", tmp_path / "repair.py"
    lock.write_text("a==1")
    code.write_text("1")
    first = wanted_stamp(tmp_path, lock, code)
    assert wanted_stamp(tmp_path, lock, code) == first
    lock.write_text("a==2")
    second = wanted_stamp(tmp_path, lock, code)
    assert work_to_do(first, second) is Work.UPDATE
    code.write_text("2")
    assert work_to_do(second, wanted_stamp(tmp_path, lock, code)) is Work.MAKE_NEW

import os
import subprocess
import sys

import pytest

from openral.bringup import stack_file


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def test_a_running_stack_is_found_by_its_domain(tmp_path):
    stack_file.write(18, "supervisor", os.getpid(), tmp_path)
    note = stack_file.read(18)
    assert (note.kind, note.pid, note.folder) == ("supervisor", os.getpid(), tmp_path)
    assert stack_file.read(19) is None


def test_a_stack_that_is_gone_is_not_found(tmp_path):
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    stack_file.write(18, "launch", child.pid, tmp_path)
    assert stack_file.read(18).pid == child.pid
    child.kill()
    child.wait()
    assert stack_file.read(18) is None


def test_a_process_id_that_was_given_anew_is_not_the_stack(tmp_path):
    stack_file.write(18, "launch", os.getpid(), tmp_path)
    note = stack_file.read(18)
    path = stack_file.note_path(18)
    path.write_text(note.model_copy(update={"start_ticks": 1}).model_dump_json())
    assert stack_file.read(18) is None


def test_a_note_that_is_damaged_is_no_note():
    stack_file.note_path(18).write_text("{")
    assert stack_file.read(18) is None


def test_a_removed_note_is_gone(tmp_path):
    stack_file.write(18, "supervisor", os.getpid(), tmp_path)
    stack_file.remove(18)
    stack_file.remove(18)
    assert stack_file.read(18) is None

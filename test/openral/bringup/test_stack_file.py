import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from openral.bringup import stack_file
from openral.bringup.session import start_ticks
from openral.errors import ConfigError

ROOT = Path(__file__).resolve().parents[3]


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


# Forks a node, says so, and is killed; the node ends with its standard input.
KILLED = "import os, signal, sys\n"
KILLED += "if os.fork() == 0: print(flush=True); sys.stdin.read(); os._exit(0)\n"
KILLED += "signal.pause()\n"


@pytest.fixture
def orphaned(tmp_path):
    """The node of a `ros2 launch` that was killed, as noted for domain 18."""
    launch = subprocess.Popen(
        [sys.executable, "-c", KILLED],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    launch.stdout.readline()
    stack_file.write(18, "launch", launch.pid, tmp_path)
    launch.kill()
    launch.wait()
    yield launch
    launch.stdin.close()
    launch.stdout.read()  # until the node is gone, too
    launch.stdout.close()


def test_a_stack_whose_leader_was_killed_runs_as_long_as_a_node_of_it(orphaned):
    assert stack_file.read(18).pid == orphaned.pid
    refused = "a system runs already in ROS domain 18"
    with pytest.raises(ConfigError, match=refused), stack_file.alone(18):
        pass


@pytest.mark.usefixtures("orphaned")
@pytest.mark.parametrize("namespace", [stack_file.pid_namespace(), "pid:[1]"])
def test_a_note_of_another_boot_is_of_other_processes(monkeypatch, namespace):
    monkeypatch.setattr(stack_file, "boot_id", lambda: "another")
    monkeypatch.setattr(stack_file, "pid_namespace", lambda: namespace)
    assert stack_file.read(18) is None
    with stack_file.alone(18):
        pass


def test_what_runs_in_another_pid_namespace_is_not_taken_for_dead(tmp_path, monkeypatch):
    # No process here has its number: 2**22 is above them all, proc(5), pid_max.
    stack_file.write(18, "supervisor", 2**22, tmp_path)
    assert stack_file.read(18) is None
    noted = stack_file.note_path(18).read_bytes()
    monkeypatch.setattr(stack_file, "pid_namespace", lambda: "pid:[1]")
    refused = f"the system of ROS domain 18 runs in another container .run folder {tmp_path}."
    with pytest.raises(ConfigError, match=refused) as told, stack_file.alone(18):
        pass
    assert f"remove {stack_file.note_path(18)}" in str(told.value)
    assert stack_file.note_path(18).read_bytes() == noted


def test_where_the_boot_cannot_be_told_nothing_is_taken_for_dead_by_it(tmp_path, monkeypatch):
    stack_file.write(18, "launch", os.getpid(), tmp_path)
    monkeypatch.setattr(stack_file, "boot_id", lambda: None)
    assert stack_file.read(18).pid == os.getpid()


def test_where_neither_boot_nor_namespace_can_be_told_the_process_decides(tmp_path, monkeypatch):
    monkeypatch.setattr(stack_file, "boot_id", lambda: None)
    monkeypatch.setattr(stack_file, "pid_namespace", lambda: None)
    stack_file.write(18, "launch", os.getpid(), tmp_path)
    assert stack_file.read(18).pid == os.getpid()
    stack_file.write(18, "launch", 2**22, tmp_path)
    assert stack_file.read(18) is None


@pytest.mark.parametrize("more", [{}, {"pid_space": "boot pid:[1]"}])
def test_the_note_of_another_version_is_judged_by_its_process(tmp_path, more):
    ticks = start_ticks(os.getpid())
    note = {"kind": "launch", "pid": os.getpid(), "start_ticks": ticks, "folder": str(tmp_path)}
    stack_file.note_path(18).write_text(json.dumps(note | more))
    assert stack_file.read(18).pid == os.getpid()
    stack_file.note_path(18).write_text(json.dumps(note | more | {"start_ticks": ticks + 1}))
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
    note = stack_file.write(18, "supervisor", os.getpid(), tmp_path)
    assert stack_file.read(18) == note
    stack_file.remove(18, note)
    stack_file.remove(18, note)
    assert not stack_file.note_path(18).exists()


def test_the_note_of_whoever_came_after_is_not_removed(tmp_path):
    ended = stack_file.write(18, "supervisor", 2**22, tmp_path)
    new = stack_file.write(18, "supervisor", os.getpid(), tmp_path)
    stack_file.remove(18, ended)
    assert stack_file.read(18) == new


def test_only_one_starts_a_stack_in_a_domain_at_a_time():
    with (
        stack_file.alone(18),
        pytest.raises(ConfigError, match="another system is started or runs in ROS domain 18"),
        stack_file.alone(18),
    ):
        pass
    with stack_file.alone(18), stack_file.alone(19):
        pass


def test_where_a_stack_runs_none_is_started(tmp_path):
    stack_file.write(18, "supervisor", os.getpid(), tmp_path)
    refused = f"a system runs already in ROS domain 18 .run folder {tmp_path}.: `openral stop`"
    with pytest.raises(ConfigError, match=refused), stack_file.alone(18):
        pass


def test_the_lock_ends_with_its_process():
    hold = "from openral.bringup import stack_file\n"
    hold += f"import tempfile; tempfile.tempdir = {tempfile.tempdir!r}\n"
    hold += "with stack_file.alone(18): print('held', flush=True); input()"
    child = subprocess.Popen(
        [sys.executable, "-c", hold],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert child.stdout.readline() == b"held\n"
    with pytest.raises(ConfigError), stack_file.alone(18):
        pass
    child.kill()
    child.communicate()
    with stack_file.alone(18):
        pass

"""`openral stop` says that all is down when it is, and not before."""

import os
import signal
import subprocess
import sys

import pytest

from openral.bringup import session, stack_file
from openral.bringup.run_folder import RunFolder
from openral.bringup.session import Leader, StackError, members
from openral.cli import stop as cli_stop
from openral.cli.stop import stop

DOMAIN = 18
DEAF = "import signal; [signal.signal(n, signal.SIG_IGN) for n in (2, 15)]"


@pytest.fixture(autouse=True)
def own_domain(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("ROS_DOMAIN_ID", str(DOMAIN))
    monkeypatch.setattr(cli_stop, "STOP_TIMEOUT_S", 0.3)
    monkeypatch.setattr(cli_stop, "LAUNCH_STOP_S", 0.3)


@pytest.fixture(params=["supervisor", "launch"])
def running(request, tmp_path):
    """What runs the nodes, mute: it has no socket, and hears no signal that can be ignored."""
    process = subprocess.Popen(
        [sys.executable, "-c", f"{DEAF}; print(flush=True); import time; time.sleep(60)"],
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    process.stdout.readline()
    stack_file.write(DOMAIN, request.param, process.pid, tmp_path)
    yield process
    process.kill()
    process.communicate()


def test_what_does_not_answer_is_down_when_stop_says_so(running):
    leader = Leader.of(running.pid)
    assert "stopped the system of ROS domain 18" in stop()
    assert members(leader) == ()
    assert stack_file.read(DOMAIN) is None


def test_nodes_that_outlive_their_killed_launch_are_ended(tmp_path):
    forks = "import os, time; os.fork() or print(flush=True); time.sleep(60)"
    launch = subprocess.Popen(
        [sys.executable, "-c", forks], stdout=subprocess.PIPE, start_new_session=True
    )
    launch.stdout.readline()
    stack_file.write(DOMAIN, "launch", launch.pid, tmp_path)
    leader = Leader.of(launch.pid)
    launch.kill()
    launch.wait()
    assert len(members(leader)) == 1
    assert "stopped the system of ROS domain 18" in stop()
    assert members(leader) == ()
    launch.communicate()
    with pytest.raises(StackError, match="no system that `openral up` started"):
        stop()


@pytest.mark.parametrize("running", ["supervisor"], indirect=True)
def test_a_supervisor_is_woken_to_end(running, monkeypatch, tmp_path):
    woken = []
    monkeypatch.setattr(cli_stop, "wake", woken.append)
    stop()
    assert woken
    assert set(woken) == {RunFolder(tmp_path)}


def test_what_cannot_be_ended_keeps_its_note_and_its_domain(running, monkeypatch):
    sent = []
    monkeypatch.setattr(session, "LEFT_WAIT_S", 0.1)
    monkeypatch.setattr(session, "_send", lambda pid, number: sent.append(number))
    monkeypatch.setattr(session, "KILL_WAIT_S", 0.1)
    with pytest.raises(StackError, match="SIGKILL did not end process"):
        stop()
    assert stack_file.read(DOMAIN).pid == running.pid
    assert sent[0] in (signal.SIGTERM, signal.SIGINT)
    assert sent[-1] == signal.SIGKILL


def test_what_runs_in_another_container_is_left_alone(running, monkeypatch):
    noted = stack_file.note_path(DOMAIN).read_bytes()
    monkeypatch.setattr(stack_file, "pid_namespace", lambda: "pid:[1]")
    with pytest.raises(StackError, match="the system of ROS domain 18 runs in another container"):
        stop()
    assert running.poll() is None
    assert stack_file.note_path(DOMAIN).read_bytes() == noted


def test_what_is_started_as_stop_ends_another_keeps_its_note(running, monkeypatch, tmp_path):
    def meanwhile(*_):
        stack_file.write(DOMAIN, "launch", os.getpid(), tmp_path)

    monkeypatch.setattr(session, "end", meanwhile)
    stop()
    assert stack_file.read(DOMAIN).pid == os.getpid()


def test_what_is_started_as_stop_finds_nothing_keeps_its_note(monkeypatch, tmp_path):
    def meanwhile(_):
        stack_file.write(DOMAIN, "launch", os.getpid(), tmp_path)

    monkeypatch.setattr(stack_file, "read", meanwhile)
    with pytest.raises(StackError, match="no system that `openral up` started"):
        stop()
    assert stack_file.note_path(DOMAIN).exists()


def test_where_nothing_runs_there_is_nothing_to_stop():
    assert stack_file.read(DOMAIN) is None
    with pytest.raises(StackError, match="no system that `openral up` started"):
        stop()
    assert not os.path.exists(stack_file.note_path(DOMAIN))  # noqa: PTH110

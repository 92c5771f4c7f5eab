import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from openral.bringup import session
from openral.bringup.session import Leader, StackError, end, members

# A leader, and a child in a process group of its own that outlives it.
LEADER = """
import os, signal, sys, time
if os.fork() == 0:
    os.setpgid(0, 0)
    {child}
    print("up", flush=True)
    time.sleep(60)
{leader}
time.sleep(60)
"""
IGNORES = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"
BRAKES = "signal.signal(signal.SIGTERM, lambda *_: sys.exit(print('braked', flush=True)))"


def started(leader, child=""):
    process = subprocess.Popen(
        [sys.executable, "-c", LEADER.format(leader=leader, child=child)],
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout.readline() == b"up\n"
    return process


@pytest.fixture(params=["", IGNORES], ids=["obeys", "deaf"])
def process(request):
    made = started(request.param)
    yield made
    end(Leader.of(made.pid), signal.SIGKILL, 1.0)
    made.communicate()


def test_a_session_ends_whole_whether_its_leader_obeys_or_not(process):
    leader = Leader.of(process.pid)
    there = members(leader)
    assert process.pid in there
    assert len(there) == 2
    end(leader, signal.SIGTERM, 0.3)
    assert members(leader) == ()


def test_a_leader_is_woken_until_it_has_ended():
    # It ends once it is woken, as a supervisor that looks round now and then only.
    process = started("signal.signal(signal.SIGTERM, lambda *_: None)")
    woken = []

    def wake():
        woken.append(True)
        process.kill()

    end(Leader.of(process.pid), signal.SIGTERM, 10.0, wake)
    assert process.wait() == -signal.SIGKILL
    assert woken
    process.communicate()


def test_what_a_killed_leader_left_is_ended(process):
    leader = Leader.of(process.pid)
    process.kill()
    process.wait()
    assert len(members(leader)) == 1
    end(leader, signal.SIGTERM, 0.3)
    assert members(leader) == ()


@pytest.mark.parametrize("killed", ["before", "for being deaf"])
def test_what_outlives_its_leader_is_told_to_end_before_it_is_killed(killed):
    process = started(IGNORES, BRAKES)
    leader = Leader.of(process.pid)
    if killed == "before":
        process.kill()
        process.wait()
    end(leader, signal.SIGTERM, 0.1)
    assert members(leader) == ()
    assert process.communicate()[0] == b"braked\n"


def test_what_outlives_its_leader_and_is_deaf_is_killed(monkeypatch):
    monkeypatch.setattr(session, "LEFT_WAIT_S", 0.1)
    process = started("", IGNORES)
    leader = Leader.of(process.pid)
    process.kill()
    process.wait()
    end(leader, signal.SIGTERM, 60.0)
    assert members(leader) == ()
    process.communicate()


def test_a_number_that_was_given_anew_is_left_alone(process):
    end(Leader(process.pid, 1), signal.SIGKILL, 0.1)
    assert process.poll() is None
    assert members(Leader(process.pid, 1)) == ()


def test_what_survives_even_sigkill_is_no_success(process, monkeypatch):
    monkeypatch.setattr(session, "_send", lambda pid, number: None)
    monkeypatch.setattr(session, "LEFT_WAIT_S", 0.1)
    monkeypatch.setattr(session, "KILL_WAIT_S", 0.1)
    with pytest.raises(StackError, match=f"SIGKILL did not end process .*{process.pid}"):
        end(Leader.of(process.pid), signal.SIGTERM, 0.1)


def test_what_has_ended_already_is_not_waited_for(monkeypatch):
    def never(duration_s):
        raise AssertionError(f"it waits {duration_s} s")

    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=time.monotonic, sleep=never))
    gone = Leader(2**22 + 1, 5)  # above every process id: proc(5), pid_max
    end(gone, signal.SIGTERM, 60.0)
    assert not gone.lives
    assert Leader.of(os.getpid()).lives

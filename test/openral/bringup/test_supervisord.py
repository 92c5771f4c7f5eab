import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from openral.bringup import supervisord, supervisord_config
from openral.bringup.processes import Process
from openral.bringup.run_folder import RunFolder
from openral.bringup.session import StackError
from openral.bringup.supervisord import SlowAnswerError, SupervisedStack, start

HERE = Path(__file__)


def tree(folder: Path) -> list[int]:
    """Processes whose command line names `folder`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if os.fsencode(str(folder)) in line:
                found.append(int(entry.name))
    return found


def until(condition, timeout_s=10.0):
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


def sleeper(process, folder):
    return ["sh", "-c", f"echo {process.name} is up; exec sleep 60", str(folder.path)]


@pytest.fixture
def folder(tmp_path):
    made = RunFolder(tmp_path)
    for part in (made.logs, made.supervisor):
        part.mkdir()
    return made


@pytest.fixture
def stack(folder):
    processes = [Process("a", "p", "e", ()), Process("b", "p", "e", (), respawn=False)]
    running = start(processes, folder, os.environ, command_of=sleeper)
    yield running
    running.stop()
    assert until(lambda: not tree(folder.path))


def is_running(stack, name):
    return lambda: stack.process(name).state == "RUNNING"


def test_processes_run_each_in_its_own_group_and_log(stack, folder):
    assert until(is_running(stack, "a"))
    pid = stack.process("a").pid
    assert os.getpgid(pid) == pid
    assert until(lambda: (folder.logs / "a.log").read_text() == "a is up\n")


def test_a_killed_process_comes_back_only_where_declared(stack):
    assert until(is_running(stack, "a"))
    assert until(is_running(stack, "b"))
    before = stack.process("a").pid
    os.kill(before, signal.SIGKILL)
    os.kill(stack.process("b").pid, signal.SIGKILL)
    assert until(lambda: stack.process("a").pid not in (0, before))
    assert until(lambda: stack.process("b").state == "EXITED")


def test_an_unknown_process_is_refused_with_the_known_ones(stack):
    with pytest.raises(StackError, match="'c' is unknown; the processes are a, b"):
        stack.process("c")


def test_a_second_program_reaches_the_stack_by_its_folder(stack, folder):
    other = SupervisedStack(folder)
    assert other.pid == stack.pid


def test_killing_the_supervisor_ends_its_processes(stack, folder):
    assert until(is_running(stack, "a"))
    os.kill(stack.pid, signal.SIGKILL)
    assert until(lambda: not tree(folder.path))


CALLER = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from openral.bringup.processes import Process
from openral.bringup.run_folder import RunFolder
from openral.bringup.supervisord import start
folder = RunFolder(Path(sys.argv[2]))
command = lambda process, folder: ["sh", "-c", "exec sleep 60", str(folder.path)]
stack = start([Process("a", "p", "e", ())], folder, os.environ, command_of=command)
while stack.process("a").state != "RUNNING":
    time.sleep(0.02)
print("up", flush=True)
time.sleep(60)
"""


def test_killing_the_caller_leaves_nothing_behind(folder):
    root = str(HERE.parents[3])
    caller = subprocess.Popen(
        [sys.executable, "-c", CALLER, root, str(folder.path)], stdout=subprocess.PIPE
    )
    assert caller.stdout.readline() == b"up\n"
    assert tree(folder.path)
    caller.kill()
    caller.wait()
    assert until(lambda: not tree(folder.path))


def test_stopping_a_stack_that_is_down_does_nothing(folder):
    SupervisedStack(folder).stop()


def test_asking_a_stack_that_is_down_is_a_typed_error(folder):
    with pytest.raises(StackError, match="no supervisor answers in"):
        SupervisedStack(folder).processes()


def test_a_supervisor_that_cannot_start_says_why(folder):
    (folder.logs / "a.log").mkdir()
    folder.logs.joinpath("supervisord.log").mkdir()
    with pytest.raises(StackError, match="the supervisor did not start: "):
        start([Process("a", "p", "e", ())], folder, os.environ, command_of=sleeper)


def test_another_program_stops_a_detached_stack(folder):
    owner = start(
        [Process("a", "p", "e", ())], folder, os.environ, command_of=sleeper, detached=True
    )
    # As after `openral up --detach`: nobody waits for the supervisor, so it stays a zombie.
    SupervisedStack(folder).stop()
    assert until(lambda: not tree(folder.path))
    owner.stop()


def test_a_taken_socket_is_told(folder, monkeypatch):
    monkeypatch.setattr(supervisord, "START_TIMEOUT_S", 2.0)
    monkeypatch.setattr(supervisord, "ANSWER_TIMEOUT_S", 0.5)
    with socket.socket(socket.AF_UNIX) as taken:
        taken.bind(str(folder.supervisor / "supervisor.sock"))
        taken.listen()
        with pytest.raises(
            StackError, match=r"did not answer within 2 s on .*/supervisor\.sock; see "
        ):
            start([Process("a", "p", "e", ())], folder, os.environ, command_of=sleeper)
    assert until(lambda: not tree(folder.path))


def test_a_socket_that_takes_calls_and_never_answers_is_told(folder, monkeypatch):
    monkeypatch.setattr(supervisord, "ANSWER_TIMEOUT_S", 0.2)
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(str(folder.supervisor / "supervisor.sock"))
        mute.listen()
        with pytest.raises(SlowAnswerError, match=r"gave no answer within 0\.2 s"):
            SupervisedStack(folder).processes()


def test_an_interrupt_while_it_starts_leaves_nothing_behind(folder, monkeypatch):
    def interrupted(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(SupervisedStack, "is_running", interrupted)
    with pytest.raises(KeyboardInterrupt):
        start([Process("a", "p", "e", ())], folder, os.environ, command_of=sleeper, detached=True)
    assert until(lambda: not tree(folder.path))


def test_a_supervisor_that_answers_slowly_has_not_ended(stack, folder, monkeypatch):
    assert until(is_running(stack, "a"))
    os.kill(stack.pid, signal.SIGSTOP)
    monkeypatch.setattr(supervisord, "ANSWER_TIMEOUT_S", 0.2)
    with pytest.raises(SlowAnswerError):
        stack.processes()
    with pytest.raises(SlowAnswerError):
        SupervisedStack(folder).stop()
    assert stack.ended() == ""
    os.kill(stack.pid, signal.SIGCONT)
    monkeypatch.undo()
    assert until(is_running(stack, "a"))


def test_a_supervisor_that_hears_nothing_is_told_to_end_in_order_and_then_killed(stack, folder):
    assert until(is_running(stack, "a"))
    os.kill(stack.pid, signal.SIGSTOP)
    stack.stop(timeout_s=0.3)
    assert not tree(folder.path)
    assert stack.ended() == "the supervisor ended with status -9"
    assert not stack.ended_on_request()


def test_what_ends_last_ends_after_all_others(folder):
    names = ("a", "k", "z")
    processes = [Process(name, "p", "e", (), ends_last=name == "k") for name in names]
    stack = start(processes, folder, os.environ, command_of=sleeper)
    assert until(lambda: all(is_running(stack, name)() for name in names))
    stack.stop()
    log = (folder.logs / "supervisord.log").read_text()
    order = re.findall(r"stopped: (\w)", log)
    assert sorted(order[:2]) == ["a", "z"]
    assert order[2:] == ["k"]


def test_however_many_processes_hear_nothing_what_ends_last_ends_in_order(folder, monkeypatch):
    waits_s = 2 * supervisord_config.STOP_WAIT_S
    monkeypatch.setattr(supervisord_config, "STOP_WAIT_S", 1)
    deaf = [f"deaf_{number}" for number in range(8)]

    def command(process, folder):
        deafness = "trap : TERM; " if process.name in deaf else ""
        return ["sh", "-c", f"{deafness}echo up; while :; do sleep 1; done", str(folder.path)]

    processes = [Process(name, "p", "e", (), ends_last=name == "k") for name in ("k", *deaf)]
    stack = start(processes, folder, os.environ, command_of=command)
    logs = [folder.logs / f"{process.name}.log" for process in processes]
    assert until(lambda: all(log.exists() and log.read_text() == "up\n" for log in logs))
    stack.stop(timeout_s=supervisord.STOP_TIMEOUT_S - waits_s + 2 * 1)
    log = (folder.logs / "supervisord.log").read_text()
    assert log.count("(terminated by SIGKILL)") == len(deaf)
    assert "stopped: k (terminated by SIGTERM)" in log
    assert stack.ended_on_request()


def test_a_supervisor_is_woken_until_it_has_ended(stack, folder, monkeypatch):
    assert until(is_running(stack, "a"))
    woken = []
    wake = supervisord.wake
    monkeypatch.setattr(supervisord, "wake", lambda one: (woken.append(one), wake(one)))
    stack.stop()
    assert woken
    assert set(woken) == {folder}
    assert stack.ended_on_request()


def test_to_wake_a_supervisor_is_to_knock_at_its_socket(folder):
    with socket.socket(socket.AF_UNIX) as supervisor:
        supervisor.bind(str(folder.supervisor / "supervisor.sock"))
        supervisor.listen()
        supervisor.settimeout(5.0)
        supervisord.wake(folder)
        knock, _ = supervisor.accept()
        knock.close()
        for _ in range(1000):  # its queue is full then: nobody is held up
            supervisord.wake(folder)
    supervisord.wake(folder)  # nobody is there any more


def test_a_supervisor_whose_socket_is_gone_is_ended_in_order(stack, folder):
    assert until(is_running(stack, "a"))
    (folder.supervisor / "supervisor.sock").unlink()
    stack.stop()
    assert not tree(folder.path)
    assert stack.ended_on_request()

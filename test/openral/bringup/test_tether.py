import os
import signal
import subprocess
import sys

import pytest

from openral.bringup import tether
from openral.bringup.tether import tethered


def ends(pid: int, timeout_s: float) -> bool:
    """Waits for the end of a process that is no child, by its file descriptor."""
    import select

    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], timeout_s)[0])
    finally:
        os.close(descriptor)


PARENT = """
import subprocess, sys, os
from openral.bringup.tether import tethered
command = [sys.executable, "-c", "print('up', flush=True); import time; time.sleep(60)"]
child = subprocess.Popen(
    tethered(command, parent=os.getpid(), signal_name="SIGKILL"),
    stdout=subprocess.PIPE, start_new_session=True,
)
child.stdout.readline()
print(child.pid, flush=True)
child.wait()
"""


def test_a_command_dies_with_a_parent_that_was_killed():
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE)
    child = int(parent.stdout.readline())
    assert not ends(child, 0)
    parent.kill()
    parent.wait()
    assert ends(child, 5.0)


def test_the_command_keeps_its_arguments_and_exit_code():
    line = tethered(["sh", "-c", "exit $1", "sh", "7"], parent=os.getpid(), signal_name="SIGTERM")
    assert subprocess.run(line, check=False).returncode == 7


def test_the_command_yields_as_declared():
    line = tethered(["nice"], parent=os.getpid(), signal_name="SIGTERM", niceness=3)
    told = subprocess.run(line, check=True, capture_output=True, text=True).stdout
    assert int(told) == min(19, os.nice(0) + 3)


def test_a_parent_that_died_before_the_tether_ends_the_command():
    line = tethered(["echo", "ran"], parent=1, signal_name="SIGTERM")
    done = subprocess.run(line, check=False, capture_output=True)
    assert done.returncode == 128 + signal.SIGTERM
    assert done.stdout == b""


def test_the_parent_may_stand_in_a_file(tmp_path):
    (tmp_path / "pid").write_text(f"{os.getpid()}\n")
    line = tethered(["echo", "ran"], parent=f"@{tmp_path / 'pid'}", signal_name="SIGTERM")
    assert subprocess.run(line, check=True, capture_output=True).stdout == b"ran\n"


@pytest.mark.parametrize("parent", ["@/nowhere/pid", "x"])
def test_a_parent_that_is_none_is_an_error_in_one_line(parent):
    line = tethered(["echo", "ran"], parent=parent, signal_name="SIGTERM")
    done = subprocess.run(line, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith(f"tether: no process id in {parent}")
    assert done.stderr.count("\n") == 1


def test_a_command_that_does_not_exist_is_an_error_in_one_line():
    line = tethered(["/nowhere/program"], parent=os.getpid(), signal_name="SIGTERM")
    done = subprocess.run(line, check=False, capture_output=True, text=True)
    assert done.returncode == 127
    assert done.stderr == "tether: cannot run /nowhere/program: No such file or directory\n"


def test_too_few_arguments_are_refused(capsys):
    assert tether.main(["SIGTERM", "1", "0"]) == 2
    assert "expected SIGNAL PARENT NICENESS COMMAND" in capsys.readouterr().err

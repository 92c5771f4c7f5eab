"""No process outlives the command that started it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CONTAINED = Path(__file__).resolve().parents[2] / "tools" / "contained.py"

#: Starts a process in a session of its own, prints its id and ends without it.
ESCAPE = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {body!r}], start_new_session=True,
                         stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
"""
SLEEPS = "print(flush=True)\nimport time; time.sleep(60)"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + SLEEPS


def contained(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", str(CONTAINED), *command],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_the_status_of_the_command_is_passed_on() -> None:
    assert contained("true").returncode == 0
    assert contained("sh", "-c", "exit 7").returncode == 7


def test_a_command_killed_by_a_signal_gives_128_and_the_signal() -> None:
    assert contained("sh", "-c", "kill -9 $$").returncode == 128 + 9


def test_a_process_in_its_own_session_is_ended_and_makes_success_a_failure() -> None:
    done = contained(sys.executable, "-c", ESCAPE.format(body=SLEEPS))
    assert done.returncode == 1
    assert f"(pid {done.stdout.strip()})" in done.stderr
    assert not Path("/proc", done.stdout.strip()).exists()


def test_one_that_ignores_sigterm_is_killed() -> None:
    done = contained(sys.executable, "-c", ESCAPE.format(body=STUBBORN))
    assert done.returncode == 1
    assert not Path("/proc", done.stdout.strip()).exists()


def test_no_command_is_said_so() -> None:
    done = contained()
    assert done.returncode == 2
    assert "expected a command" in done.stderr

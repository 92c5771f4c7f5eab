"""Tests that share the machine: those that need it to themselves come last, and wait for it."""

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
WAIT_S = 60
REAL_TIME = "import pytest\npytestmark = pytest.mark.real_time\n"
TIMED = "import pytest\npytestmark = pytest.mark.timed\n"
WORDS = ("alone", "ordinary", "timed")


@pytest.fixture
def suite(tmp_path):
    """A module of each kind, the real-time one first by name, under this folder's conftest."""
    folder = tmp_path / "suite"
    folder.mkdir()
    shutil.copy(HERE / "conftest.py", folder)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n  real_time: x\n  timed: x\n")
    (folder / "test_a.py").write_text(f"{REAL_TIME}def test_alone(): print('alone')\n")
    (folder / "test_b.py").write_text(f"{TIMED}def test_timed(): print('timed')\n")
    (folder / "test_c.py").write_text("def test_ordinary(): print('ordinary')\n")
    return folder


def start(suite, *arguments, workers):
    environ = {**os.environ, "PYTHONPATH": f"{HERE.parent}:{os.environ.get('PYTHONPATH', '')}"}
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
        environ.pop(name, None)
    if workers > 1:
        environ |= {"PYTEST_XDIST_WORKER": "gw1", "PYTEST_XDIST_WORKER_COUNT": str(workers)}
    command = [sys.executable, "-m", "pytest", "-s", "-q", "-p", "no:xdist"]
    # As xdist gives them: a folder of each worker in that of the run.
    base = suite.parent / "run/popen-gw1"
    base.parent.mkdir(exist_ok=True)
    return subprocess.Popen(
        [*command, f"--basetemp={base}", *arguments],
        cwd=suite,
        env=environ,
        stdout=subprocess.PIPE,
        text=True,
    )


def said(run):
    words, _ = run.communicate(timeout=WAIT_S)
    assert run.returncode == 0, words
    return [word.lstrip(".") for word in words.split() if word.lstrip(".") in WORDS]


def is_waiting(file):
    """Whether somebody waits for a lock of this open file (proc_locks(5): lines with an arrow)."""
    inode = f":{os.fstat(file.fileno()).st_ino} "
    return any("->" in line and inode in line for line in Path("/proc/locks").open())


def holders(file):
    """Processes that hold a lock of this open file."""
    inode = f":{os.fstat(file.fileno()).st_ino} "
    lines = Path("/proc/locks").read_text().splitlines()
    return {int(line.split()[4]) for line in lines if "->" not in line and inode in line}


def until_it_waits(run, file):
    deadline = time.monotonic() + WAIT_S
    while not is_waiting(file):
        assert run.poll() is None, "it did not wait"
        assert time.monotonic() < deadline


def until_it_shares(run, file):
    deadline = time.monotonic() + WAIT_S
    while run.pid not in holders(file):
        assert run.poll() is None, "it did not wait"
        assert time.monotonic() < deadline


@pytest.mark.parametrize("workers", [1, 2])
def test_what_needs_the_machine_to_itself_comes_last(suite, workers):
    assert said(start(suite, workers=workers)) == ["ordinary", "timed", "alone"]


def test_what_needs_the_machine_to_itself_waits_for_the_others(suite):
    lock = suite.parent / "run/machine.lock"
    lock.parent.mkdir()
    with lock.open("w") as other_worker:
        fcntl.flock(other_worker, fcntl.LOCK_SH)
        assert said(start(suite, "test_c.py", workers=2)) == ["ordinary"]
        alone = start(suite, "test_a.py", workers=2)
        until_it_waits(alone, other_worker)
        fcntl.flock(other_worker, fcntl.LOCK_UN)
        assert said(alone) == ["alone"]


def test_what_is_timed_waits_for_ordinary_ones_and_not_for_its_like(suite):
    (suite.parent / "run").mkdir()
    with (
        (suite.parent / "run/ordinary.lock").open("w") as ordinary,
        (suite.parent / "run/machine.lock").open("w") as machine,
    ):
        fcntl.flock(machine, fcntl.LOCK_SH)
        assert said(start(suite, "test_b.py", workers=2)) == ["timed"]
        fcntl.flock(ordinary, fcntl.LOCK_SH)
        timed = start(suite, "test_b.py", workers=2)
        until_it_waits(timed, ordinary)
        fcntl.flock(ordinary, fcntl.LOCK_UN)
        assert said(timed) == ["timed"]


def test_no_more_timed_modules_run_at_once_than_there_are_processors(suite):
    (suite.parent / "run").mkdir()
    with contextlib.ExitStack() as others, (suite.parent / "run/machine.lock").open("w") as machine:
        processors = [
            others.enter_context((suite.parent / f"run/processor_{i}.lock").open("w"))
            for i in range(os.cpu_count())
        ]
        for processor in processors:
            fcntl.flock(processor, fcntl.LOCK_EX)
        timed = start(suite, "test_b.py", workers=2)
        until_it_shares(timed, machine)
        with pytest.raises(subprocess.TimeoutExpired):
            timed.wait(1)
        fcntl.flock(processors[-1], fcntl.LOCK_UN)
        assert said(timed) == ["timed"]


def test_waiting_for_the_others_is_no_part_of_a_tests_time(suite):
    timeout_s = 1
    lock = suite.parent / "run/machine.lock"
    lock.parent.mkdir()
    with lock.open("w") as other_worker:
        fcntl.flock(other_worker, fcntl.LOCK_SH)
        limit = (f"--timeout={timeout_s}", "--timeout-method=thread")
        alone = start(suite, "test_a.py", *limit, workers=2)
        until_it_waits(alone, other_worker)
        with pytest.raises(subprocess.TimeoutExpired):
            alone.wait(2 * timeout_s)
        fcntl.flock(other_worker, fcntl.LOCK_UN)
        assert said(alone) == ["alone"]

import os
import select
import signal
import subprocess
import sys

import pytest

from openral.bringup.tether import tethered
from openral.errors import ConfigError
from sim_node.cameras import process as module
from sim_node.cameras.process import CameraProcess, Orders, Restarts, ros_arguments
from sim_node.parameters import SimParameters

PATIENCE = 20.0

# Reads its orders without the project's code, which takes a second to load.
HEAD = """
import json, os, signal, sys, time
orders = json.loads(sys.argv[1])
answer = orders["answer"]
"""
UP = "os.write(answer, b'ready')\nos.close(answer)\n"


@pytest.fixture
def camera_process(tmp_path, monkeypatch):
    """Makes a process whose program is given; ends it with the test."""
    monkeypatch.syspath_prepend(str(tmp_path))
    memory = os.memfd_create("state")
    os.write(memory, b"the state")
    made: list[CameraProcess] = []

    def make(program: str, *arguments: str) -> CameraProcess:
        (tmp_path / "fake_cameras.py").write_text(HEAD + program)
        parameters = SimParameters(seed=5, objects=("milk",))
        made.append(CameraProcess(parameters, memory, arguments, os.environ, module="fake_cameras"))
        return made[-1]

    yield make
    for one in made:
        one.stop()
    os.close(memory)


def wait_end(pid: int) -> bool:
    """Whether a process ended in time; it may be no child of this one."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    ended = select.select([descriptor], [], [], PATIENCE)[0]
    os.close(descriptor)
    return bool(ended)


def test_it_is_ready_when_it_says_so_and_runs_on(camera_process):
    cameras = camera_process(UP + "time.sleep(60)")
    cameras.start()
    cameras.wait_ready(lambda: True)
    assert cameras.ended() is None


def test_it_is_told_the_parameters_the_memory_and_the_ros_arguments(camera_process):
    cameras = camera_process(
        "scene = orders['parameters']\n"
        "told = [str(scene['seed']), *scene['objects'], *sys.argv[2:],"
        " os.pread(orders['memory'], 9, 0).decode()]\n"
        "os.write(answer, ' '.join(told).encode())",
        "--ros-args",
        "-r",
        "__ns:=/arm",
    )
    cameras.start()
    with pytest.raises(ConfigError, match=r"^5 milk --ros-args -r __ns:=/arm the state$"):
        cameras.wait_ready(lambda: True)


def test_nothing_is_imported_from_the_folder_it_is_started_in(
    camera_process, tmp_path, monkeypatch
):
    # Python before 3.11 does not know the variable that keeps that folder out.
    monkeypatch.setattr(
        module,
        "tethered",
        lambda command, **tie: ["/usr/bin/env", "-u", "PYTHONSAFEPATH", *tethered(command, **tie)],
    )
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    elsewhere = tmp_path / "another checkout"
    elsewhere.mkdir()
    for name in ("fake_cameras", "runpy", "json"):
        (elsewhere / f"{name}.py").write_text("import os; os._exit(7)")
    monkeypatch.chdir(elsewhere)
    cameras = camera_process(UP + "time.sleep(60)")
    cameras.start()
    cameras.wait_ready(lambda: True)
    assert cameras.ended() is None


def test_what_it_cannot_do_stops_the_start_in_its_words(camera_process):
    cameras = camera_process("os.write(answer, b'no off-screen OpenGL')")
    cameras.start()
    with pytest.raises(ConfigError, match=r"^no off-screen OpenGL$"):
        cameras.wait_ready(lambda: True)


def test_one_that_ends_without_a_word_stops_the_start(camera_process):
    cameras = camera_process("sys.exit(3)")
    cameras.start()
    with pytest.raises(ConfigError, match="does not start"):
        cameras.wait_ready(lambda: True)


def test_a_simulator_that_is_told_to_end_waits_no_longer(camera_process):
    cameras = camera_process("time.sleep(60)")
    cameras.start()
    cameras.wait_ready(lambda: False)
    assert cameras.ended() is None


def test_its_end_is_told_with_its_last_word(camera_process):
    cameras = camera_process("os.write(answer, b'no GL')\nsys.exit(2)")
    cameras.start()
    assert wait_end(cameras.pid)
    assert cameras.ended() == "exit status 2: no GL"


def test_a_killed_one_can_be_started_again(camera_process):
    cameras = camera_process(UP + "time.sleep(60)")
    cameras.start()
    cameras.wait_ready(lambda: True)
    first = cameras.pid
    os.kill(first, signal.SIGKILL)
    assert wait_end(first)
    assert cameras.ended() == "SIGKILL"
    cameras.start()
    cameras.wait_ready(lambda: True)
    assert cameras.ended() is None
    assert cameras.pid != first


def test_one_that_does_not_listen_is_killed(camera_process, monkeypatch):
    monkeypatch.setattr(module, "_END_S", 0.1)
    cameras = camera_process(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + UP + "time.sleep(60)"
    )
    cameras.start()
    cameras.wait_ready(lambda: True)
    cameras.stop()
    assert cameras.ended() == "SIGKILL"


def test_it_runs_at_the_usual_priority_whatever_its_starters(camera_process):
    before, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
    cameras = camera_process("os.write(answer, str(os.sched_getscheduler(0)).encode())")
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    mine = os.sched_getscheduler(0)
    try:
        cameras.start()
        assert os.sched_getscheduler(0) == mine
    finally:
        os.sched_setscheduler(0, before, parameters)
    with pytest.raises(ConfigError, match=f"^{os.SCHED_OTHER}$"):
        cameras.wait_ready(lambda: True)


PARENT = """
import os, sys
from sim_node.cameras.process import CameraProcess
from sim_node.parameters import SimParameters
cameras = CameraProcess(
    SimParameters(), os.memfd_create("state"), [], os.environ, module="fake_cameras"
)
cameras.start()
cameras.wait_ready(lambda: True)
print(cameras.pid, flush=True)
sys.stdin.read()
"""


def test_it_ends_with_a_simulator_that_was_killed(tmp_path):
    (tmp_path / "fake_cameras.py").write_text(HEAD + UP + "time.sleep(60)")
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )
    pid = int(parent.stdout.readline())
    os.kill(pid, 0)
    parent.kill()
    parent.communicate()
    assert wait_end(pid)


def test_one_that_never_started_can_be_stopped(camera_process):
    cameras = camera_process("")
    cameras.stop()
    assert (cameras.pid, cameras.ended()) == (None, None)


def test_restarts_are_allowed_so_many_times_in_a_window():
    restarts = Restarts(limit=2, window=60.0)
    assert [restarts.allow(now) for now in (0.0, 10.0, 20.0, 59.9)] == [True, True, False, False]
    # The first is a minute old, the second not yet.
    assert [restarts.allow(now) for now in (60.0, 61.0, 70.0)] == [True, False, True]


def test_only_what_is_for_ros_is_handed_on():
    assert ros_arguments(["node.py", "-v", "--ros-args", "-p", "seed:=1"]) == [
        "--ros-args",
        "-p",
        "seed:=1",
    ]
    assert ros_arguments(["node.py"]) == []


def test_orders_survive_the_way():
    orders = Orders(parameters=SimParameters(objects=("soup can",)), memory=3, answer=4)
    assert Orders.model_validate_json(orders.model_dump_json()) == orders

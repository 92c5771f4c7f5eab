"""The `openral` command as a person meets it: every bad start is one line and an exit code."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from openral.bringup import stack_file
from openral.bringup.domain import isolate

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def environ(tmp_path):
    """Nobody else's ROS domain, and a place for notes of this test alone."""
    found = {key: value for key, value in os.environ.items() if key != "ROS_DOMAIN_ID"}
    isolate(found)
    paths = f"{ROOT}:{os.environ.get('PYTHONPATH', '')}"
    return {**found, "PYTHONPATH": paths, "TMPDIR": str(tmp_path)}


def openral(environ, *arguments, patch="", **options):
    """Runs the command; `patch` is Python that runs before it, with `main` as its module."""
    start = f"import sys; from openral.cli import main\n{patch}\nsys.exit(main.main(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", start, *arguments],
        env=environ,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=60,
        **{"capture_output": True, **options},
    )


def one_line(done, code, *words):
    told = done.stderr.decode()
    assert done.returncode == code, told
    assert told.count("\n") == 1, told
    assert told.startswith("openral: ")
    assert told.strip().isprintable()
    for word in words:
        assert word in told


@pytest.mark.parametrize("command", ["prompt", "demo"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "an empty prompt"),
        (" \n\t", "an empty prompt"),
        (b"put the \xff in", "a prompt in UTF-8"),
    ],
)
def test_a_prompt_that_is_none_is_refused_before_anything_starts(
    environ, tmp_path, command, text, words
):
    arguments = ["prompt", text] if command == "prompt" else ["demo", "--prompt", text]
    one_line(openral(environ, *arguments, cwd=tmp_path), 2, words)
    assert not (tmp_path / "runs").exists()


def test_a_prompt_to_nobody_says_that_nobody_listens(environ):
    patch = "from openral.cli import prompt; prompt.REASONER_TIMEOUT_S = 1.0"
    done = openral(environ, "prompt", "x" * 100_000, patch=patch)
    one_line(done, 3, "no reasoner_node within 1 s")


def test_the_status_of_nothing_names_every_node_as_silent(environ):
    patch = "from openral.cli import status; status.LISTEN_S = status.RATES_S = 0.3"
    done = openral(environ, "status", patch=patch)
    assert done.returncode == 3
    assert done.stdout.decode().count("silent (no ") == 6
    assert done.stderr == b""


def test_there_is_nothing_to_stop(environ):
    one_line(openral(environ, "stop"), 3, "no system that `openral up` started")


@pytest.mark.parametrize("number", ["900", "abc"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("demo",),
        ("up",),
        ("prompt", "x"),
        ("status",),
        ("arm",),
        ("arm", "--recovery"),
        ("reset",),
        ("stop",),
    ],
)
def test_a_domain_that_is_none_is_named(environ, tmp_path, arguments, number):
    environ["ROS_DOMAIN_ID"] = number
    done = openral(environ, *arguments, cwd=tmp_path)
    one_line(done, 2, f"ROS_DOMAIN_ID = '{number}': valid is [0, 232]")


@pytest.mark.parametrize("command", ["up", "demo"])
def test_a_place_for_runs_that_cannot_be_written_is_named(environ, tmp_path, command):
    (tmp_path / "file").write_text("")
    done = openral(environ, command, "--runs", str(tmp_path / "file/runs"))
    one_line(done, 9, "cannot be made: Not a directory")


@pytest.mark.parametrize("command", ["up", "demo"])
def test_a_disk_that_is_full_from_the_first_is_the_same(environ, tmp_path, command):
    patch = (
        "import errno, pathlib\n"
        "def full(self, *_, **__):\n"
        "    raise OSError(errno.ENOSPC, 'No space left on device', str(self))\n"
        "from openral.bringup import run_folder; run_folder._first_free = full\n"
    )
    done = openral(environ, command, "--runs", str(tmp_path / "runs"), patch=patch)
    one_line(done, 9, "cannot be made: No space left on device")


@pytest.mark.parametrize("command", ["up", "demo"])
def test_a_full_disk_is_one_line(environ, tmp_path, command):
    def no_byte():
        # Like a full disk: folders can be made, and no file can grow above 8 bytes.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8))

    # Pipes are no files: what is said still arrives.
    done = openral(environ, command, "--runs", str(tmp_path / "runs"), preexec_fn=no_byte)
    one_line(done, 9, "File too large")


@pytest.mark.parametrize("command", ["up", "demo"])
def test_a_second_system_in_a_domain_is_refused(environ, tmp_path, monkeypatch, command):
    # Two would move one robot: each has a kernel that commands the motors.
    monkeypatch.setattr("tempfile.tempdir", environ["TMPDIR"])
    with stack_file.alone(int(environ["ROS_DOMAIN_ID"])):
        done = openral(environ, command, "--runs", str(tmp_path / "runs"))
    one_line(done, 2, "another system is started or runs in ROS domain")
    assert not (tmp_path / "runs").exists()


def test_a_ros_that_does_not_start_is_one_line(environ):
    patch = (
        "import rclpy\n"
        "def init(**_): raise RuntimeError('no memory, at /project/src/init.c:3')\n"
        "rclpy.init = init\n"
    )
    done = openral(environ, "reset", patch=patch)
    one_line(done, 2, "ROS does not start: RuntimeError: no memory\n")


WAITED = """
from openral.cli import arm, bring_up
bring_up.wait_ready = lambda operator, ended, on_ready: on_ready("sim_node")
arm.arm = lambda operator: (True, "armed")
"""


def test_arming_waits_for_the_nodes_where_it_is_asked_to(environ):
    assert openral(environ, "arm", patch=WAITED).stdout == b"arm: armed\n"
    waited = openral(environ, "arm", "--when-ready", patch=WAITED)
    assert waited.stdout == b"ready: sim_node\narm: armed\n"


def test_arming_names_what_it_waited_for_in_vain(environ):
    patch = "from openral.cli import bring_up; bring_up.wait_ready.__defaults__ = (0.5,)"
    done = openral(environ, "arm", "--when-ready", patch=patch)
    one_line(done, 3, "not ready after 0 s: sim_node (no joint_states), safety_kernel")


SAY_ONLY = "main._COMMANDS['stop'] = lambda chosen: main._say('x' * 10) or main.ExitCode.OK"


def test_an_output_that_cannot_be_written_is_no_stack_trace(environ):
    with Path("/dev/full").open("wb") as full:
        options = {"stdout": full, "stderr": subprocess.PIPE, "capture_output": False}
        done = openral(environ, "stop", patch=SAY_ONLY, **options)
    one_line(done, 9, "No space left on device")


def test_a_reader_that_is_gone_ends_it_silently(environ):
    reading, writing = os.pipe()
    os.close(reading)
    options = {"stdout": writing, "stderr": subprocess.PIPE, "capture_output": False}
    done = openral(environ, "stop", patch=SAY_ONLY, **options)
    os.close(writing)
    assert (done.returncode, done.stderr) == (9, b"")


def test_what_a_command_says_cannot_steer_the_terminal(environ):
    patch = "main._COMMANDS['stop'] = lambda chosen: main._say(chr(27) + '[2J') or main.ExitCode.OK"
    assert openral(environ, "stop", patch=patch).stdout == b"\\x1b[2J\n"
    patch = (
        "from openral.errors import OpenralError\n"
        "def fail(chosen): raise OpenralError(chr(27) + '[2J\\nsecond')\n"
        "main._COMMANDS['stop'] = fail\n"
    )
    one_line(openral(environ, "stop", patch=patch), 3, "\\x1b[2J second")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_second_interrupt_does_not_cut_the_stopping_short(environ, number):
    patch = (
        "import os, time\n"
        "def command(chosen):\n"
        f"    try: os.kill(os.getpid(), {int(number)}); time.sleep(9)\n"
        f"    finally: os.kill(os.getpid(), {int(number)}); time.sleep(0.1); print('stopped')\n"
        "main._COMMANDS['up'] = command\n"
    )
    done = openral(environ, "up", patch=patch)
    assert done.stdout == b"stopped\n"
    one_line(done, 130, "everything that it started is stopped")


def test_an_interrupted_prompt_says_that_the_mission_goes_on(environ):
    patch = "main._COMMANDS['prompt'] = lambda chosen: main._interrupt(2, None)"
    one_line(openral(environ, "prompt", "x", patch=patch), 130, "`openral prompt stop` ends it")

"""The demo against a system that only talks: it must end as it should, and leave nothing behind."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from openral.bringup.domain import isolate
from openral.bringup.processes import Choices, sim_processes
from openral.cli.mission_end import RESTARTED

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def judged(*labels):
    one = {"inside_footprint": True, "below_rim": True, "moved": 0.1}
    return {
        "objects": {label: {**one, "in_basket": label in labels} for label in ("milk", "mustard")}
    }


@pytest.fixture
def world(tmp_path):
    """An installed workspace whose executables are fakes; its environment."""
    prefix = tmp_path / "prefix"
    for package in ("openral", "openral_safety_kernel"):
        script(prefix / "share/ament_index/resource_index/packages" / package, "")
    for process in sim_processes(Choices()):
        for file in process.parameter_files:
            script(prefix / "share/openral/config" / file, "/**: {ros__parameters: {}}\n")
        script(
            prefix / "lib" / process.package / process.executable,
            f'#!/bin/sh\nexec {sys.executable} {HERE / "fake_system.py"} "$@"\n'
            if process.name == "sim_node"
            else "#!/bin/sh\nexec sleep 1000\n",
        )
    shutil.copy(ROOT / "config/fastdds_localhost.xml", prefix / "share/openral/config")
    script(prefix / "lib/openral/referee", '#!/bin/sh\necho "$FAKE_REFEREE"\n')
    environ = {
        **os.environ,
        "AMENT_PREFIX_PATH": f"{prefix}:{os.environ['AMENT_PREFIX_PATH']}",
        "PYTHONPATH": f"{ROOT}:{os.environ.get('PYTHONPATH', '')}",
        "FAKE_REFEREE": json.dumps(judged("milk")),
    }
    environ.pop("ROS_DOMAIN_ID", None)
    isolate(environ)
    yield environ
    assert leftovers(tmp_path) == []


def leftovers(folder: Path) -> list[str]:
    """Command lines of processes that name `folder`."""
    lines = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if str(folder) in line:
                lines.append(line)
    return lines


def demo(environ, tmp_path, *arguments, mode="done", command=("-m", "openral.cli.main")):
    start = [sys.executable, *command, "demo", "--runs", str(tmp_path / "runs")]
    return subprocess.run(
        [*start, "--prompt", "put the milk into the basket", *arguments],
        env={**environ, "FAKE_REASONER": mode},
        check=False,
        capture_output=True,
        text=True,
        timeout=100,
    )


def summary(tmp_path):
    return json.loads((tmp_path / "runs/latest/summary.json").read_text())


def test_a_mission_that_is_done_and_judged_so_exits_zero(world, tmp_path):
    done = demo(world, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "verdict: done, and the referee agrees" in done.stdout
    run = tmp_path / "runs/latest"
    told = [json.loads(line)["text"] for line in (run / "say.jsonl").read_text().splitlines()]
    assert told == ["done, I say"]
    assert (run / "reward_and_joints.png").stat().st_size > 1000
    assert summary(tmp_path)["exit"] == "OK"
    # No camera: no clip, and the demo says so instead of failing.
    assert summary(tmp_path)["missing_artifacts"] == [
        "clip.mp4: expected at least one frame, got none"
    ]


def test_a_claim_that_the_referee_denies_is_told(world, tmp_path):
    denied = {**world, "FAKE_REFEREE": json.dumps(judged())}
    done = demo(denied, tmp_path, "--no-media")
    assert done.returncode == 7, done.stdout + done.stderr
    assert "the referee says no: not in the basket: milk" in done.stdout


def test_a_refused_prompt_keeps_its_own_exit_code(world, tmp_path):
    done = demo(world, tmp_path, "--no-media", mode="refuse")
    assert done.returncode == 5, done.stdout + done.stderr


NO_CODEC = """
import sys
from av.codec.codec import UnknownCodecError
from openral.cli import clip, main
def write_clip(*_):
    raise UnknownCodecError("libx264")
clip.write_clip = write_clip
sys.exit(main.main(sys.argv[1:]))
"""


def test_a_library_that_cannot_make_the_clip_costs_no_mission_its_result(world, tmp_path):
    done = demo(world, tmp_path, command=("-c", NO_CODEC))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "verdict: done, and the referee agrees" in done.stdout
    assert summary(tmp_path)["missing_artifacts"] == ["clip.mp4: UnknownCodecError: libx264"]


@pytest.mark.parametrize(
    ("mode", "code", "words"),
    [
        ("answer", 1, "not done (answered): I see milk."),
        ("replaced", 4, "not done (stopped): Stopped for the new goal 'sing'."),
        ("restart", 4, f"not done (stopped): {RESTARTED}"),
    ],
)
def test_whatever_is_no_end_of_the_prompts_own_mission_is_no_success(
    world, tmp_path, mode, code, words
):
    done = demo(world, tmp_path, "--no-media", "--deadline", "20", mode=mode)
    assert done.returncode == code, done.stdout + done.stderr
    assert f"verdict: {words}" in done.stdout


def test_a_hang_ends_at_the_deadline(world, tmp_path):
    done = demo(world, tmp_path, "--no-media", "--deadline", "2", mode="hang")
    assert done.returncode == 6, done.stdout + done.stderr
    assert "no end after 2 s: mission active" in done.stdout


def test_a_robot_that_is_gone_is_told(world, tmp_path):
    done = demo(world, tmp_path, "--no-media", "--deadline", "4", mode="crash")
    assert done.returncode == 6, done.stdout + done.stderr
    assert "sim_node ended with status 3" in done.stdout


def test_a_system_that_does_not_come_up_is_one_line(world, tmp_path):
    Path(world["AMENT_PREFIX_PATH"].split(":")[0], "lib/openral/sim_node").write_text(
        "#!/bin/sh\necho 'sim_node: no GL library'\nexit 2\n"
    )
    done = demo(world, tmp_path)
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].startswith("openral: ")
    # How it ended depends on whether the machine let it stay up for a second.
    assert "sim_node ended with status 2: " in done.stderr or (
        "sim_node did not stay up: " in done.stderr
    )
    assert "sim_node: no GL library" in done.stderr
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("moment", "number", "times"),
    [
        ("openral demo:", signal.SIGINT, 1),  # while it starts
        ("armed", signal.SIGINT, 1),
        ("armed", signal.SIGINT, 2),
        ("armed", signal.SIGTERM, 1),
        ("armed", signal.SIGHUP, 1),
        ("armed", signal.SIGKILL, 1),
    ],
)
def test_an_interrupted_demo_leaves_nothing_behind(world, tmp_path, moment, number, times):
    command = [sys.executable, "-m", "openral.cli.main", "demo", "--runs", str(tmp_path / "runs")]
    running = subprocess.Popen(
        command,
        env={**world, "FAKE_REASONER": "hang"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in running.stdout:
        if line.startswith(moment):
            break
    for _ in range(times):
        running.send_signal(number)
    _, told = running.communicate(timeout=20)
    if number != signal.SIGKILL:
        assert running.returncode == 130
        assert told == "openral: interrupted; everything that it started is stopped\n"
        assert leftovers(tmp_path) == []
    else:
        assert running.returncode == -signal.SIGKILL
        # The supervisor was told by the kernel, and ends its processes in order.
        wait_until(lambda: not leftovers(tmp_path))


def test_a_demo_whose_supervisor_is_killed_ends_with_a_line_and_no_process(world, tmp_path):
    command = [sys.executable, "-m", "openral.cli.main", "demo", "--runs", str(tmp_path / "runs")]
    running = subprocess.Popen(
        [*command, "--no-media"],
        env={**world, "FAKE_REASONER": "hang"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in running.stdout:
        if line.startswith("armed"):
            break
    pid_file = tmp_path / "runs/latest/supervisor/supervisord.pid"
    os.kill(int(pid_file.read_text()), signal.SIGKILL)
    _, told = running.communicate(timeout=40)
    assert running.returncode == 3
    last = "openral: the supervisor ended with status -9: its processes ended with it"
    assert told.splitlines()[-1] == last
    assert leftovers(tmp_path) == []


def wait_until(condition, timeout_s=15.0):
    import time

    end = time.monotonic() + timeout_s
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)

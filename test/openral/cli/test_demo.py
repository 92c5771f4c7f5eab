"""The demo against a system that only talks: it must end as it should, and leave nothing behind."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from av.codec.codec import UnknownCodecError
from made import MISSION, SCORE, replace

from openral.bringup.domain import isolate
from openral.bringup.processes import Choices, sim_processes
from openral.bringup.run_folder import RunFolder
from openral.cli import clip
from openral.cli.demo import DemoOptions, _conclude, _Ran
from openral.cli.mission_end import RESTARTED, End, Ending
from openral.cli.observed import Observed
from openral.cli.recorder import Recorder
from openral.cli.summary import closing_lines

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


def installed(folder: Path) -> dict[str, str]:
    """Environment of a workspace of fakes in `folder`, in a ROS domain of its own."""
    prefix = folder / "prefix"
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
    return environ


@pytest.fixture
def world(tmp_path):
    """The environment of a workspace of fakes; afterwards nothing of it runs."""
    yield installed(tmp_path)
    assert leftovers(tmp_path) == []


def leftovers(folder: Path) -> list[str]:
    """Command lines of processes that name `folder`."""
    lines = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                # Bytes that are no text too: another test's, beside this one.
                line = os.fsdecode((entry / "cmdline").read_bytes().replace(b"\0", b" "))
            except OSError:
                continue
            if str(folder) in line:
                lines.append(line)
    return lines


PROMPT = "put the milk into the basket"


def command(folder):
    return [sys.executable, "-m", "openral.cli.main", "demo", "--runs", str(folder / "runs")]


def demo(environ, tmp_path, *arguments, mode="done"):
    return subprocess.run(
        [*command(tmp_path), "--prompt", PROMPT, *arguments],
        env={**environ, "FAKE_REASONER": mode},
        check=False,
        capture_output=True,
        text=True,
        timeout=100,
    )


def summary(tmp_path):
    return json.loads((tmp_path / "runs/latest/summary.json").read_text())


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A demo that has come to its good end; several tests look at what it left."""
    folder = tmp_path_factory.mktemp("finished")
    environ = installed(folder)
    done = demo(environ, folder)
    assert leftovers(folder) == []
    return SimpleNamespace(done=done, folder=folder, environ=environ)


def test_a_mission_that_is_done_and_judged_so_exits_zero(finished):
    done = finished.done
    assert done.returncode == 0, done.stdout + done.stderr
    assert "verdict: done, and the referee agrees" in done.stdout
    run = finished.folder / "runs/latest"
    told = [json.loads(line)["text"] for line in (run / "say.jsonl").read_text().splitlines()]
    assert told == ["done, I say"]
    assert (run / "reward_and_joints.png").stat().st_size > 1000
    assert summary(finished.folder)["exit"] == "OK"
    # No camera: no clip, and the demo says so instead of failing.
    assert summary(finished.folder)["missing_artifacts"] == [
        "clip.mp4: expected at least one frame, got none"
    ]


@pytest.fixture
def conclude(finished, tmp_path, monkeypatch):
    """Concludes the finished mission anew, in a copy of its run folder."""

    def conclude(*in_basket, media=False):
        monkeypatch.setenv("AMENT_PREFIX_PATH", finished.environ["AMENT_PREFIX_PATH"])
        monkeypatch.setenv("FAKE_REFEREE", json.dumps(judged(*in_basket)))
        shutil.copytree(finished.folder / "runs/latest", tmp_path / "run")
        folder = RunFolder(tmp_path / "run")
        options = DemoOptions(PROMPT, None, None, 300.0, tmp_path, media)
        ran = _Ran(End(Ending.DONE, "done, I say"), startup_s=2.0, mission_s=1.0)
        heard = Observed(mission=replace(MISSION, state="DONE"), scores=[SCORE])
        return _conclude(options, folder, heard, Recorder(folder), ran)

    return conclude


def test_a_claim_that_the_referee_denies_is_told(conclude):
    result = conclude()
    assert result.exit_code == 7
    assert "the referee says no: not in the basket: milk" in "\n".join(closing_lines(result))


def test_a_library_that_cannot_make_the_clip_costs_no_mission_its_result(conclude, monkeypatch):
    def write_clip(frames, path):
        raise UnknownCodecError("libx264")

    monkeypatch.setattr(clip, "write_clip", write_clip)
    result = conclude("milk", media=True)
    assert result.exit_code == 0
    assert "verdict: done, and the referee agrees" in closing_lines(result)
    assert json.loads(result.to_json())["missing_artifacts"] == [
        "clip.mp4: UnknownCodecError: libx264"
    ]


def test_a_refused_prompt_keeps_its_own_exit_code(world, tmp_path):
    done = demo(world, tmp_path, "--no-media", mode="refuse")
    assert done.returncode == 5, done.stdout + done.stderr


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


def begin(environ, folder, until, *arguments):
    """A demo whose mission does not end; returned once it has told `until`."""
    running = launched(environ, folder, *arguments)
    wait_for_line(running, until)
    return running


def launched(environ, folder, *arguments):
    return subprocess.Popen(
        [*command(folder), *arguments],
        env={**environ, "FAKE_REASONER": "hang"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_line(running, start):
    for line in running.stdout:
        if line.startswith(start):
            return


def check_interrupted(running, folder):
    _, told = running.communicate(timeout=20)
    assert running.returncode == 130
    assert told == "openral: interrupted; everything that it started is stopped\n"
    assert leftovers(folder) == []


def test_a_demo_that_is_interrupted_while_it_starts_leaves_nothing_behind(world, tmp_path):
    running = begin(world, tmp_path, "openral demo:")
    running.send_signal(signal.SIGINT)
    check_interrupted(running, tmp_path)


INTERRUPTS = {
    "ctrl_c": (signal.SIGINT, 1),
    "ctrl_c_twice": (signal.SIGINT, 2),
    "sigterm": (signal.SIGTERM, 1),
    "hangup": (signal.SIGHUP, 1),
    "sigkill": (signal.SIGKILL, 1),
}


@pytest.fixture(scope="module")
def armed(tmp_path_factory):
    """For each interrupt a demo that is armed, with its folder. They start side by side."""
    demos = {}
    domains = set()
    try:
        for name in INTERRUPTS:
            folder = tmp_path_factory.mktemp(name)
            environ = installed(folder)
            while environ["ROS_DOMAIN_ID"] in domains:  # none of them listens in its own yet
                environ = installed(folder)
            domains.add(environ["ROS_DOMAIN_ID"])
            demos[name] = launched(environ, folder), folder
        for running, _ in demos.values():
            wait_for_line(running, "armed")
        yield demos
    finally:
        for running, _ in demos.values():
            running.kill()


@pytest.mark.parametrize("name", [name for name in INTERRUPTS if name != "sigkill"])
def test_an_interrupted_demo_leaves_nothing_behind(armed, name):
    running, folder = armed[name]
    number, times = INTERRUPTS[name]
    for _ in range(times):
        running.send_signal(number)
    check_interrupted(running, folder)


def test_a_killed_demo_leaves_nothing_behind(armed):
    running, folder = armed["sigkill"]
    running.kill()
    running.communicate(timeout=20)
    assert running.returncode == -signal.SIGKILL
    # The supervisor was told by the kernel, and ends its processes in order.
    wait_until(lambda: not leftovers(folder))
    assert leftovers(folder) == []


def test_a_demo_whose_supervisor_is_killed_ends_with_a_line_and_no_process(world, tmp_path):
    running = begin(world, tmp_path, "armed", "--no-media")
    pid_file = tmp_path / "runs/latest/supervisor/supervisord.pid"
    os.kill(int(pid_file.read_text()), signal.SIGKILL)
    _, told = running.communicate(timeout=40)
    assert running.returncode == 3
    last = "openral: the supervisor ended with status -9: its processes ended with it"
    assert told.splitlines()[-1] == last
    assert leftovers(tmp_path) == []


def wait_until(condition, timeout_s=15.0):
    end = time.monotonic() + timeout_s
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)

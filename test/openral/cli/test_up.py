import re
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from made import KERNEL, MISSION

from openral.bringup import run_folder, stack_file
from openral.bringup.run_folder import RunFolder
from openral.bringup.session import Leader, StackError, members
from openral.bringup.supervisord import ProcessStatus, SlowAnswerError
from openral.cli import up as cli_up
from openral.cli.bring_up import NotReadyError, losses
from openral.cli.observed import Observed
from openral.cli.up import UpOptions, _by_launch, _make_ready, _tell_changes, launch_command


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(cli_up, "_POLL_S", 0.0)


OPTIONS = UpOptions(
    seed=3,
    model="rules",
    robot="panda",
    real_robot=False,
    arm=True,
    detach=False,
    runs=Path("runs"),
)


def test_ros2_launch_is_given_what_the_user_chose():
    assert launch_command(OPTIONS, RunFolder(Path("/r"))) == [
        "ros2", "launch", "openral", "sim.launch.py", "robot:=panda",
        "trace_path:=/r/trace.jsonl", "record_path:=/r/record.jsonl", "seed:=3", "model:=rules",
    ]  # fmt: skip


def test_a_real_robot_has_no_seed_and_no_record():
    line = launch_command(replace(OPTIONS, real_robot=True), RunFolder(Path("/r")))
    assert line == [
        "ros2", "launch", "openral", "robot.launch.py", "robot:=panda",
        "trace_path:=/r/trace.jsonl", "model:=rules",
    ]  # fmt: skip


class Supervisor:
    """Answers in turn; then it has ended as `status` says."""

    def __init__(self, *answers, status=0):
        self.answers = list(answers)
        self.status = status

    def ended(self):
        return "" if self.answers else f"the supervisor ended with status {self.status}"

    def ended_on_request(self):
        return self.status == 0

    def processes(self):
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def process(pid):
    return (ProcessStatus("sim_node", "RUNNING", pid, 0, "/nowhere"),)


def test_a_slow_answer_is_told_once_and_asked_for_again():
    slow = SlowAnswerError("no answer within 3 s")
    said = []
    _tell_changes(Supervisor(process(5), slow, slow, process(6), process(6)), said.append)
    assert said == ["no answer within 3 s; asking again", "sim_node: running pid 6"]


def test_a_process_that_is_gone_is_told_with_its_last_words(tmp_path):
    log = tmp_path / "sim_node.log"
    log.write_text("up\nno off-screen OpenGL\n")
    gone = (ProcessStatus("sim_node", "EXITED", 0, 3, str(log)),)
    told = "sim_node ended with status 3: no off-screen OpenGL"
    for answers in ((process(5), gone, gone), (gone, gone)):  # before the first look, too
        said = []
        _tell_changes(Supervisor(*answers), said.append)
        assert said == [told]


def test_a_stack_that_is_stopped_elsewhere_ends_the_watch_without_an_error():
    said = []
    _tell_changes(Supervisor(StackError("no supervisor answers")), said.append)
    assert said == []


def test_a_supervisor_that_ended_unasked_is_an_error():
    with pytest.raises(StackError, match="the supervisor ended with status -9: its processes"):
        _tell_changes(Supervisor(process(5), status=-9), print)


@pytest.mark.parametrize("answer", [SlowAnswerError("slow"), StackError("no socket")])
def test_a_supervisor_that_does_not_answer_has_lost_nothing(answer):
    assert losses(Supervisor(answer, process(5))) == ""


def test_a_supervisor_that_is_gone_is_a_loss():
    assert losses(Supervisor(status=-9)) == "the supervisor ended with status -9"


class Listener:
    """In the place of the operator: has heard `observed`."""

    observed = Observed()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def spin(self, duration_s):
        pass


ANSWERING = Observed(
    mission=MISSION,
    kernel=KERNEL,
    servers={"execute_rskill": True, "query_task_progress": True},
    perception_present=True,
)


@pytest.fixture
def beside_a_driver(monkeypatch):
    """Waits beside a real robot that is silent yet, with what was heard of the nodes."""

    def wait(observed, ended):
        said = []
        monkeypatch.setattr(Listener, "observed", observed)
        monkeypatch.setattr(cli_up, "Operator", Listener)
        _make_ready(replace(OPTIONS, real_robot=True, arm=False), ended, said.append)
        return said

    return wait


def test_beside_a_real_robot_every_node_is_waited_for_and_the_driver_is_not(beside_a_driver):
    assert beside_a_driver(ANSWERING, lambda: "") == [
        "ready: safety_kernel",
        "ready: perception_node",
        "ready: skill_runner_node",
        "ready: reward_monitor",
        "ready: reasoner_node",
        "the kernel is disarmed: `openral arm`",
    ]


def test_beside_a_real_robot_a_node_that_is_gone_is_told_with_its_last_words(beside_a_driver):
    words = "safety_kernel did not stay up: parameter 'lease_s' = 9: valid is [0.005, 0.1] s"
    with pytest.raises(NotReadyError, match=re.escape(words)):
        beside_a_driver(Observed(), lambda: words)
    # One that answered, and was then gone, is no less gone.
    with pytest.raises(NotReadyError, match=re.escape(words)):
        beside_a_driver(ANSWERING, lambda: words)


LAUNCH = """#!{python}
import os, sys, time
if os.fork() == 0:
    os.setpgid(0, 0)
    time.sleep(60)
{end}
"""


@pytest.fixture
def launch(tmp_path, monkeypatch):
    """Puts a script in the place of `ros2`, which starts a node and ends as it is told."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(cli_up, "_make_ready", lambda *_: None)
    monkeypatch.setattr(cli_up, "launch_command", lambda *_: [str(tmp_path / "ros2")])
    leaders = []
    write = stack_file.write

    def noted(number, kind, pid, folder):
        leaders.append(Leader.of(pid))
        return write(number, kind, pid, folder)

    monkeypatch.setattr(stack_file, "write", noted)

    def run(end):
        script = tmp_path / "ros2"
        script.write_text(LAUNCH.format(python=sys.executable, end=end))
        script.chmod(0o755)
        _by_launch(OPTIONS, run_folder.create(tmp_path / "runs", datetime.now()), 18, print)

    yield run
    assert [members(leader) for leader in leaders] == [()]
    assert stack_file.read(18) is None


@pytest.mark.parametrize(
    ("end", "status"), [("sys.exit(1)", 1), ("os.kill(os.getpid(), 9); time.sleep(9)", -9)]
)
def test_a_launch_that_ended_unasked_is_an_error_and_leaves_no_node(launch, end, status):
    with pytest.raises(StackError, match=f"`ros2 launch` ended with status {status}"):
        launch(end)


def test_a_launch_that_was_told_to_end_is_none(launch):
    launch("sys.exit(0)")

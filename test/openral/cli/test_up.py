from pathlib import Path

from openral.bringup.run_folder import RunFolder
from openral.bringup.supervisord import StackError
from openral.cli.up import UpOptions, _tell_changes, launch_command

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
    from dataclasses import replace

    line = launch_command(replace(OPTIONS, real_robot=True), RunFolder(Path("/r")))
    assert line == [
        "ros2", "launch", "openral", "robot.launch.py", "robot:=panda",
        "trace_path:=/r/trace.jsonl", "model:=rules",
    ]  # fmt: skip


def test_a_stack_that_is_stopped_elsewhere_ends_the_watch_without_an_error():
    class Stopped:
        def is_running(self):
            return True

        def processes(self):
            raise StackError("no supervisor answers")

    said = []
    _tell_changes(Stopped(), said.append)
    assert said == []

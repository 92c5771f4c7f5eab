"""The node as a process of its own, over real DDS: every wait is on a message or an exit."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from openral_msgs.msg import MotorCommand
from rclpy.executors import SingleThreadedExecutor
from sensor_msgs.msg import CameraInfo, Image, JointState

from openral.bringup import domain
from openral.ros import qos
from openral.ros.stamp import from_seconds, seconds
from sim_node.node import SimNode
from sim_node.referee import judge, read_record
from sim_node.robot import HOME, JOINTS

ROOT = Path(__file__).resolve().parents[2]
DOMAIN = domain.isolate({})
PATIENCE = 60.0  # [s] for a loaded machine


def start(*arguments: str) -> subprocess.Popen[str]:
    environ = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "ROS_DOMAIN_ID": str(DOMAIN),
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
    }
    command = [sys.executable, "-m", "sim_node.node", "--ros-args", "-r", "__ns:=/openral"]
    return subprocess.Popen(
        [*command, *arguments],
        env=environ,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def end(process: subprocess.Popen[str]) -> str:
    """End its process group; what it printed."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
    try:
        return process.communicate(timeout=PATIENCE)[0]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


class Operator:
    """A node of the test, in the simulator's domain."""

    def __init__(self) -> None:
        self._context = rclpy.Context()
        rclpy.init(context=self._context, domain_id=DOMAIN)
        self.node = rclpy.create_node("operator", namespace="/openral", context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)

    def spin_until(self, condition) -> None:
        limit = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < limit, "never happened"
            self._executor.spin_once(timeout_sec=0.1)

    def listen(self, kind, topic, profile):
        """A list that grows by every message."""
        taken: list = []
        self.node.create_subscription(kind, topic, taken.append, profile)
        return taken

    def wait_for(self, kind, topic, profile):
        taken = self.listen(kind, topic, profile)
        self.spin_until(lambda: taken)
        return taken[0]

    def close(self) -> None:
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self._context)


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    return tmp_path_factory.mktemp("run") / "record.jsonl"


@pytest.fixture(scope="module")
def simulator(record):
    process = start("-p", "seed:=3", "-p", f"record_path:={record}", "-p", "max_lease:=0.1")
    yield process
    end(process)


@pytest.fixture(scope="module")
def operator(simulator):
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    operator = Operator()
    yield operator
    operator.close()


def test_a_gap_in_the_record_is_logged_once_and_stays_in_the_diagnostics():
    said: list[str] = []
    recorder = SimpleNamespace(lost=0, problem="")
    node = SimpleNamespace(
        _recorder=recorder, _gap_told=False, get_logger=lambda: SimpleNamespace(error=said.append)
    )
    told = []
    for lost, problem in ((0, ""), (3, "No space left on device"), (9, "No space"), (9, "")):
        recorder.lost, recorder.problem = lost, problem
        status = SimNode._record_status(node)
        told.append((status.message, status.values[0].value))
    assert told == [
        ("ok", "0"),
        ("No space left on device", "3"),
        ("No space", "9"),
        ("the record has a gap", "9"),
    ]
    assert len(said) == 1
    assert "No space left on device" in said[0]


def test_joint_states_carry_the_eight_joints_in_order(operator):
    state = operator.wait_for(JointState, "joint_states", qos.SENSOR)
    assert tuple(state.name) == JOINTS
    np.testing.assert_allclose(state.position, HOME, atol=1e-3)
    assert abs(time.time() - seconds(state.header.stamp)) < 5.0


@pytest.mark.parametrize(
    ("camera", "width", "height"), [("front", 640, 480), ("top", 640, 480), ("wrist", 320, 240)]
)
def test_an_image_comes_with_the_calibration_of_its_render(operator, camera, width, height):
    infos = operator.listen(CameraInfo, f"camera/{camera}/camera_info", qos.SENSOR)
    image = operator.wait_for(Image, f"camera/{camera}/image_raw", qos.SENSOR)
    assert (image.width, image.height, image.step) == (width, height, 3 * width)
    assert image.encoding == "rgb8"
    assert image.header.frame_id == f"{camera}_optical"
    assert np.frombuffer(image.data, np.uint8).std() > 20.0
    operator.spin_until(lambda: infos and seconds(infos[-1].header.stamp) > 0)
    info = infos[-1]
    assert (info.width, info.height) == (width, height)
    assert info.k[2] == (width - 1) / 2
    assert info.header.frame_id == image.header.frame_id


def test_depth_has_the_stamp_of_a_colour_image(operator):
    colours = operator.listen(Image, "camera/top/image_raw", qos.SENSOR)
    depths = operator.listen(Image, "camera/top/depth/image_raw", qos.SENSOR)

    def pairs():
        stamps = {seconds(image.header.stamp) for image in colours}
        return [image for image in depths if seconds(image.header.stamp) in stamps]

    operator.spin_until(pairs)
    depth = pairs()[0]
    assert (depth.encoding, depth.step) == ("16UC1", 1280)
    millimetres = np.frombuffer(depth.data, np.dtype(np.uint16).newbyteorder("<"))
    # The table lies 1.45 m below the camera, the arm above it.
    assert millimetres.max() == pytest.approx(1450, abs=2)
    assert millimetres.min() > 400


def command(sequence: int, finger: float) -> MotorCommand:
    message = MotorCommand(
        epoch=4,
        sequence=sequence,
        control_mode=1,
        joint_names=list(JOINTS),
        values=[*HOME[:7], finger],
        velocities=[0.0] * 8,
    )
    message.header.stamp = from_seconds(time.time())
    message.valid_until = from_seconds(time.time() + 10.0)
    message.lease.nanosec = 100_000_000
    return message


def test_commands_move_the_robot_and_a_lapse_holds_it(operator, record):
    publisher = operator.node.create_publisher(MotorCommand, "motor_command", qos.MOTOR_COMMAND)
    states = operator.listen(JointState, "joint_states", qos.SENSOR)
    operator.spin_until(lambda: publisher.get_subscription_count() > 0)
    sequence = 0

    def closed():
        nonlocal sequence
        sequence += 1
        publisher.publish(command(sequence, 0.01))
        return states and abs(states[-1].position[7] - 0.01) < 1e-3

    operator.spin_until(closed)
    # Nobody sends any more: the record shows the command in force, then the lapse.
    begin = len(states)
    operator.spin_until(lambda: len(states) > begin + 40)
    lines = [json.loads(line) for line in record.read_text().splitlines()[1:]]
    obeyed = [line["cmd"] for line in lines if line["cmd"] is not None]
    assert obeyed[-1] == {"sequence": sequence, "epoch": 4}
    assert lines[-1]["lease"] == "lapsed"
    np.testing.assert_allclose(states[-1].position[:7], HOME[:7], atol=1e-3)
    assert states[-1].position[7] == pytest.approx(0.01, abs=1e-3)


def test_a_refused_command_shows_in_the_diagnostics(operator):
    publisher = operator.node.create_publisher(MotorCommand, "motor_command", qos.MOTOR_COMMAND)
    reports = operator.listen(DiagnosticArray, "diagnostics", qos.DIAGNOSTICS)
    operator.spin_until(lambda: publisher.get_subscription_count() > 0)
    late = command(1, 0.04)
    late.valid_until = from_seconds(time.time() - 1.0)
    publisher.publish(late)

    def refused():
        values = {v.key: v.value for r in reports for s in r.status for v in s.values}
        return values.get("refused_expired") == "1"

    operator.spin_until(refused)

    def names():
        return {s.name for r in reports for s in r.status}

    expected = {"sim_node: physics", "sim_node: record", "sim_node: cameras"}
    operator.spin_until(lambda: names() == expected)


def camera_process(simulator: int) -> int | None:
    """The process that a simulator has for its cameras."""
    children = Path(f"/proc/{simulator}/task/{simulator}/children").read_text().split()
    for child in map(int, children):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # gone meanwhile
            if b"sim_node.cameras.node" in Path(f"/proc/{child}/cmdline").read_bytes():
                return child
    return None


def test_the_physics_shares_no_memory_with_readers_and_the_cameras_do(simulator, operator):
    operator.wait_for(JointState, "joint_states", qos.SENSOR)

    def threads(process):
        return {t.read_text().strip() for t in Path(f"/proc/{process}/task").glob("*/comm")}

    shared = {"dds.shm.wdog"}
    assert not threads(simulator.pid) & shared
    assert threads(camera_process(simulator.pid)) & shared


def test_cameras_that_were_killed_come_back_and_the_joints_go_on(simulator, operator):
    images = operator.listen(Image, "camera/wrist/image_raw", qos.SENSOR)
    states = operator.listen(JointState, "joint_states", qos.SENSOR)
    operator.spin_until(lambda: images and states)
    killed = camera_process(simulator.pid)
    os.kill(killed, signal.SIGKILL)
    before = len(states)
    operator.spin_until(lambda: camera_process(simulator.pid) not in (None, killed))
    assert len(states) > before
    newest = seconds(images[-1].header.stamp)
    states.clear()
    # An image of a state from after the restart, whatever is still on its way.
    operator.spin_until(lambda: states)
    restarted = max(newest, seconds(states[0].header.stamp))
    operator.spin_until(lambda: seconds(images[-1].header.stamp) > restarted)
    assert simulator.poll() is None


def test_the_record_can_be_judged_while_it_grows(operator, record):
    verdict = judge(read_record(record))
    assert not verdict.cleared
    assert set(verdict.objects) == {"milk", "mustard", "soup can", "cereal"}
    assert max(found.moved for found in verdict.objects.values()) < 0.005


def test_sigterm_ends_it_cleanly_and_other_objects_can_be_asked_for(tmp_path):
    record = tmp_path / "record.jsonl"
    process = start("-p", "objects:=[milk]", "-p", "basket:=false", "-p", f"record_path:={record}")
    limit = time.monotonic() + PATIENCE
    while not (record.exists() and record.read_text().count("\n") > 3):
        assert process.poll() is None
        assert time.monotonic() < limit
        os.sched_yield()
    output = end(process)
    assert process.returncode == 0, output
    assert "Traceback" not in output
    header = read_record(record).header
    assert (header.objects, header.basket) == (("milk",), None)


def test_cameras_end_with_a_simulator_that_was_killed():
    process = start("-p", "objects:=[milk]")
    limit = time.monotonic() + PATIENCE
    while (cameras := camera_process(process.pid)) is None:
        assert process.poll() is None
        assert time.monotonic() < limit
        os.sched_yield()
    descriptor = os.pidfd_open(cameras)
    process.kill()
    process.communicate(timeout=PATIENCE)
    assert select.select([descriptor], [], [], PATIENCE)[0], "the cameras ended"
    os.close(descriptor)


def test_cameras_that_end_more_often_than_allowed_end_the_simulator(tmp_path):
    record = tmp_path / "record.jsonl"
    process = start(
        "-p", "objects:=[milk]", "-p", "camera_restarts:=1", "-p", f"record_path:={record}"
    )
    limit = time.monotonic() + PATIENCE
    # The physics begins once the cameras are ready.
    while not (record.exists() and record.read_text().count("\n") > 3):
        assert process.poll() is None
        assert time.monotonic() < limit
        os.sched_yield()
    killed: list[int] = []
    while len(killed) < 2:
        assert process.poll() is None
        assert time.monotonic() < limit
        cameras = camera_process(process.pid)
        if cameras is not None and cameras not in killed:
            os.kill(cameras, signal.SIGKILL)
            killed.append(cameras)
        os.sched_yield()
    output = process.communicate(timeout=PATIENCE)[0]
    assert process.returncode == 1, output
    assert "the cameras' process ends again and again: SIGKILL" in output


def test_without_gl_it_does_not_start(monkeypatch):
    monkeypatch.setenv("MUJOCO_GL", "disabled")
    process = start()
    output = process.communicate(timeout=PATIENCE)[0]
    assert process.returncode == 2, output
    assert output.count("no off-screen OpenGL") == 1
    assert "Traceback" not in output


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("timestep:=0.5", "'timestep' = 0.5: valid is [0.0005, 0.002] s"),
        ("cameras_file:=../../etc/passwd", "lies outside"),
        ("robot.home:=[0.0]", "'robot.home': expected 8 values, got 1"),
        (
            "robot.home:=[0, -9, 0, -2, 0, 1, 0, 0]",
            "'robot.home': panda_joint2: expected [-1.7628, 1.7628], got -9",
        ),
    ],
)
def test_a_bad_configuration_stops_the_start_in_one_line(argument, message):
    process = start("-p", argument)
    output = process.communicate(timeout=PATIENCE)[0]
    assert process.returncode == 2, output
    assert message in output
    assert "Traceback" not in output

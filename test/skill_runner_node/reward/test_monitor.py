"""The reward monitor over real DDS: one last score an attempt, by what was seen since its end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import rclpy
from openral_msgs.msg import CriticScore, Detection, DetectionArray, SkillState
from openral_msgs.srv import QueryTaskProgress
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import CameraInfo, Image, JointState

from openral.bringup.domain import any_free
from openral.camera_model import load_cameras
from openral.errors import ConfigError
from openral.ros import qos
from openral.ros.stamp import from_seconds, nanoseconds
from skill_runner_node.motion.limits import load_limits
from skill_runner_node.reward.node import RewardMonitor

pytestmark = pytest.mark.timed

CONFIG = Path(__file__).parents[3] / "config"
LIMITS = load_limits(CONFIG / "robots" / "panda.yaml")
CAMERAS = load_cameras(CONFIG / "cameras.yaml")
DEEP = [name for name in ("front", "top") if CAMERAS[name].depth]
PLACE = (0.5, 0.05)
HALF, HIGH = 0.03, 0.13


class Peers(Node):
    """Runner, robot, cameras and detector: a milk carton stands at a place on the table."""

    def __init__(self) -> None:
        super().__init__("peers")
        self.size: dict[str, tuple[int, int]] = {}
        self.seen = True
        self.encoding = "16UC1"
        self._said: SkillState | None = None
        self._state = self.create_publisher(SkillState, "skill_state", qos.SKILL_STATE)
        self._joints = self.create_publisher(JointState, "joint_states", qos.SENSOR)
        self._boxes = self.create_publisher(
            DetectionArray, "perception/catalogue/detections", qos.DETECTIONS
        )
        self._depth = {
            name: self.create_publisher(Image, f"camera/{name}/depth/image_raw", qos.SENSOR)
            for name in DEEP
        }
        self._infos = {
            name: self.create_publisher(CameraInfo, f"camera/{name}/camera_info", qos.SENSOR)
            for name in ("front", "top")
        }
        self.create_timer(0.2, self._beat)

    def state(self, state: int, trace_id: str = "t1") -> None:
        message = SkillState(
            state=state, trace_id=trace_id, skill_id="pick_place",
            params_json=f'{{"object": "milk", "position": {list(PLACE)}}}',
        )  # fmt: skip
        self._say(message)

    def restart(self) -> None:
        """As a new runner, which knows no goal."""
        self._say(SkillState(state=SkillState.IDLE))

    def die(self) -> None:
        """No further word of the runner."""
        self._said = None

    def _say(self, message: SkillState) -> None:
        message.header.stamp = self.get_clock().now().to_msg()
        self._state.publish(message)
        self._said = message

    def _beat(self) -> None:
        if self._said is not None and self._said.state == SkillState.RUNNING:
            self._say(self._said)
        stamp = from_seconds(self.get_clock().now().nanoseconds / 1e9)
        joints = JointState(name=list(LIMITS.names), velocity=[0.0] * 8)
        joints.position = [*LIMITS.home[:7].tolist(), 0.04]
        joints.header.stamp = stamp
        self._joints.publish(joints)
        for name, publisher in self._infos.items():
            width, height = self.size.get(name, (CAMERAS[name].width, CAMERAS[name].height))
            info = CameraInfo(width=width, height=height, k=CAMERAS[name].model().k.ravel())
            publisher.publish(info)
        if not self.seen:
            return
        for name in ("front", "top"):
            camera = CAMERAS[name]
            corners = [
                [PLACE[0] + dx, PLACE[1] + dy, z]
                for dx in (-HALF, HALF) for dy in (-HALF, HALF) for z in (0.0, HIGH)
            ]  # fmt: skip
            pixels = camera.model().project(corners)
            (x_min, y_min), (x_max, y_max) = pixels.min(axis=0), pixels.max(axis=0)
            boxes = DetectionArray(
                camera=name, image_width=camera.width, image_height=camera.height,
                detections=[Detection(label="milk", score=0.9, x_min=x_min, y_min=y_min,
                                      x_max=x_max, y_max=y_max)],
            )  # fmt: skip
            boxes.header.stamp = stamp
            self._boxes.publish(boxes)
            if name in self._depth:
                image = Image(
                    encoding=self.encoding, width=camera.width, height=camera.height,
                    step=2 * camera.width, data=_depth(name),
                )  # fmt: skip
                image.header.stamp = stamp
                self._depth[name].publish(image)


@cache
def _depth(name: str) -> bytes:
    """uint16 [mm] of the table, and of the carton's top where its ray meets it."""
    model = CAMERAS[name].model()
    v, u = np.mgrid[0 : model.height, 0 : model.width]
    px = np.stack([u, v], axis=-1).astype(float)
    depth = model.depth(model.ray_plane(px, 0.0))
    top = model.ray_plane(px, HIGH)
    hit = (np.abs(top[..., 0] - PLACE[0]) < HALF) & (np.abs(top[..., 1] - PLACE[1]) < HALF)
    metres = np.nan_to_num(np.where(hit, model.depth(top), depth))
    return np.rint(np.minimum(metres, 60.0) * 1000.0).astype("<u2").tobytes()


class System:
    """The monitor and its peers on one thread, turned by the test."""

    def __init__(self, overrides: dict[str, Any]) -> None:
        arguments = ["--ros-args", "-r", "__ns:=/openral"]
        arguments += ["--params-file", str(CONFIG / "reward_monitor.yaml")]
        for name, value in overrides.items():
            arguments += ["-p", f"{name}:={value}"]
        rclpy.init(args=arguments)
        try:
            self.monitor = RewardMonitor()
        except Exception:
            rclpy.shutdown()
            raise
        self.peers = Peers()
        self.scores: list[CriticScore] = []
        # In the order of publishing, so that the last one is the last.
        self.monitor._scores = SimpleNamespace(publish=self.scores.append)
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.monitor)
        self.executor.add_node(self.peers)

    def wait(self, condition: Callable[[], object], seconds: float = 30.0) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"not within {seconds} s"
            self.executor.spin_once(timeout_sec=0.05)

    def running(self, trace_id: str = "t1") -> None:
        """An attempt that the monitor has taken up, on a robot that it hears."""
        self.wait(lambda: self.peers._state.get_subscription_count())
        self.peers.state(SkillState.RUNNING, trace_id)
        self.wait(lambda: self.monitor._state is not None)
        self.wait(lambda: self.monitor._reward._tool is not None)

    def last(self, trace_id: str = "t1") -> CriticScore:
        """The score after the end."""
        self.peers.state(SkillState.SUCCEEDED, trace_id)
        ended = self.peers.get_clock().now().nanoseconds
        self.wait(lambda: self.monitor._state is None)
        assert self.scores[-1].trace_id == trace_id
        # A task is judged only by scores that are stamped after its skill's end.
        assert nanoseconds(self.scores[-1].header.stamp) > ended
        return self.scores[-1]

    def stop(self) -> None:
        self.executor.shutdown(timeout_sec=5.0)
        self.monitor.destroy_node()
        self.peers.destroy_node()
        rclpy.shutdown()


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., System]]:
    monkeypatch.setenv("ROS_DOMAIN_ID", str(any_free()))
    monkeypatch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    made: list[System] = []

    def begin(**overrides: Any) -> System:
        made.append(System(overrides))
        return made[-1]

    yield begin
    for one in made:
        one.stop()


def test_what_stands_at_its_place_after_the_end_is_a_success(start: Callable[..., System]) -> None:
    system = start(final_wait_s=10.0)
    system.running()
    score = system.last()
    assert (score.success, score.stage, score.trace_id) == (1.0, "placed", "t1")


def test_without_an_image_since_the_end_nothing_is_claimed(start: Callable[..., System]) -> None:
    system = start(final_wait_s=0.3)
    system.running()
    system.wait(lambda: system.monitor._reward.newest() > 0.0)
    system.peers.seen = False
    score = system.last()
    assert math.isnan(score.success)
    assert math.isnan(score.score)
    assert score.stage == "not seen since its end"


@pytest.mark.parametrize("gone", [Peers.restart, Peers.die])
def test_an_attempt_whose_runner_is_gone_gets_its_last_score(
    start: Callable[..., System], gone: Callable[[Peers], None]
) -> None:
    system = start(final_wait_s=10.0, skill_state_timeout_s=0.5 if gone is Peers.die else 60.0)
    system.running()
    asked = partial(system.monitor._on_query, QueryTaskProgress.Request())
    assert asked(QueryTaskProgress.Response()).message == ""
    gone(system.peers)
    system.wait(lambda: system.monitor._state is None)
    score = system.scores[-1]
    assert (score.success, score.stage, score.trace_id) == (1.0, "placed", "t1")
    # Whoever renders depth for it may stop.
    assert not system.monitor._images
    answer = asked(QueryTaskProgress.Response())
    assert (answer.success, answer.message) == (1.0, "no skill runs; last attempt")
    system.running("t2")
    assert system.monitor._images


def test_a_task_that_cannot_be_scored_is_told_once_an_attempt(
    start: Callable[..., System], monkeypatch: pytest.MonkeyPatch
) -> None:
    monitor = start().monitor
    told: list[str] = []
    monkeypatch.setattr(monitor, "get_logger", lambda: SimpleNamespace(warning=told.append))
    for state in (SkillState.RUNNING, SkillState.RUNNING, SkillState.FAILED, SkillState.RUNNING):
        monitor._on_state(SkillState(state=state, skill_id="wave", trace_id="t1"))
        monitor._tick()
        assert monitor._state is None
    assert [words.split(":")[0] for words in told] == ["'wave' is not scored"] * 2
    answer = monitor._on_query(QueryTaskProgress.Request(), QueryTaskProgress.Response())
    assert answer.message == "no skill runs; last attempt"


def test_images_of_another_calibration_or_encoding_are_not_believed(
    start: Callable[..., System],
) -> None:
    system = start(final_wait_s=0.3)
    system.peers.encoding = "32FC1"
    system.running()
    assert math.isnan(system.last().success)
    system.peers.encoding = "16UC1"
    system.peers.size = {"top": (320, 240), "front": (320, 240)}
    system.running("t2")
    system.wait(lambda: set(DEEP) <= set(system.monitor._contradictions))
    score = system.last("t2")
    assert math.isnan(score.success)
    assert "got 320x240" in system.monitor._contradictions["top"]


def test_another_robot_than_the_launchs_stops_the_start(start: Callable[..., System]) -> None:
    with pytest.raises(ConfigError, match=r"'robot\.name' = 'panda' as there, got 'ur5e'"):
        start(**{"robot.name": "ur5e"})

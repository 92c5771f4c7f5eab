"""The node over real DDS, against a robot of messages: every goal has one defined end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rclpy
from action_msgs.msg import GoalStatus
from action_msgs.srv import CancelGoal
from openral_msgs.action import ExecuteRskill
from openral_msgs.msg import ActionChunk, FailureTrigger, KernelStatus, SkillState
from rclpy.action import ActionClient
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile
from sensor_msgs.msg import CameraInfo, JointState

from openral.bringup.domain import any_free
from openral.errors import ConfigError
from openral.ros import qos
from openral.ros.spinning import SpinningThread
from skill_runner_node.motion.limits import load_limits
from skill_runner_node.node import SkillRunner

pytestmark = pytest.mark.timed

CONFIG = Path(__file__).parents[2] / "config"
LIMITS = load_limits(CONFIG / "robots" / "panda.yaml")
MILK = '{"object": "milk", "container": "basket"}'
AWAY = LIMITS.home + np.array([0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3, 0.0])
"""From here the policy first moves home."""
RESULT = ExecuteRskill.Result


class Robot(Node):
    """Kernel, joints and client in one: plays chunks, and a motion never ends before it is let."""

    def __init__(self, at: np.ndarray) -> None:
        super().__init__("robot")
        self.chunks: list[ActionChunk] = []
        self.states: list[SkillState] = []
        self.failures: list[FailureTrigger] = []
        self.commanded = at
        self.width = 8
        self.row = 0.0
        self.configuration_hash = 7
        self.pace = 0.5
        """Rows that it plays per 10 ms; the runner plans 0.5."""
        # Answers to a flood arrive faster than the usual ten are read.
        many = QoSProfile(depth=256)
        self.client = ActionClient(
            self, ExecuteRskill, "execute_rskill",
            goal_service_qos_profile=many, result_service_qos_profile=many,
        )  # fmt: skip
        self._kernel = self.create_publisher(KernelStatus, "kernel_status", qos.KERNEL_STATUS)
        self._joints = self.create_publisher(JointState, "joint_states", qos.SENSOR)
        self.infos = self.create_publisher(CameraInfo, "camera/top/camera_info", qos.SENSOR)
        self.create_subscription(ActionChunk, "candidate_action", self._on_chunk, qos.CHUNK)
        self.create_subscription(SkillState, "skill_state", self.states.append, qos.SKILL_STATE)
        self.create_subscription(
            FailureTrigger, "failure/rskill", self.failures.append, qos.FAILURE
        )
        self.create_timer(0.01, self._beat)

    def _on_chunk(self, chunk: ActionChunk) -> None:
        if not self.chunks or self.chunks[-1].timeline != chunk.timeline:
            self.row = 0.0
        self.chunks.append(chunk)

    def _beat(self) -> None:
        status = KernelStatus(state=KernelStatus.HOLDING, epoch=1)
        status.configuration_hash = self.configuration_hash
        if self.chunks:
            newest = self.chunks[-1]
            rows = np.array(newest.rows).reshape(newest.horizon, -1)
            last = newest.first_row + newest.horizon - 1
            self.row = min(self.row + self.pace, float(last))
            self.commanded = rows[max(0, int(self.row) - newest.first_row)]
            at_end = newest.last and self.row >= last
            status.state = KernelStatus.HOLDING if at_end else KernelStatus.ACTIVE
            status.timeline, status.consumed_row = newest.timeline, self.row
        status.commanded = [float(value) for value in self.commanded[: self.width]]
        self._kernel.publish(status)
        joints = JointState(name=list(LIMITS.names), position=self.commanded.tolist())
        joints.velocity = [0.0] * 8
        joints.header.stamp = self.get_clock().now().to_msg()
        self._joints.publish(joints)


class System:
    """A runner and its robot, spinning."""

    def __init__(self, overrides: dict[str, Any], at: np.ndarray) -> None:
        arguments = ["--ros-args", "-r", "__ns:=/openral"]
        arguments += ["--params-file", str(CONFIG / "skill_runner_node.yaml")]
        for name, value in {"realtime_priority": 0, **overrides}.items():
            arguments += ["-p", f"{name}:={value}"]
        rclpy.init(args=arguments)
        self._threads: list[SpinningThread] = []
        self._nodes: list[Node] = []
        try:
            self.runner = SkillRunner()
        except Exception:
            rclpy.shutdown()
            raise
        self.robot = Robot(at)
        # The last one's executor is the client's.
        for node in (self.runner, self.robot):
            self._nodes.append(node)
            self._executor = SingleThreadedExecutor()
            self._threads.append(SpinningThread(self._executor, node, node.get_name()))
        self.wait(lambda: self.robot.client.server_is_ready())
        self.wait(lambda: self.runner._feed.joints and self.runner._feed.kernel)
        self.wait(lambda: self.robot.states)

    def wait(self, condition: Callable[[], object], seconds: float = 30.0) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"not within {seconds} s"
            time.sleep(0.002)

    def asked(self, ask: Callable[[], Any]) -> Any:
        """The future of a question, asked on the client's own thread.

        Asked on another one, an answer that is faster than the client's bookkeeping is lost.
        """
        return self.value(self._executor.create_task(ask))

    def value(self, future: Any) -> Any:
        """What a future brings."""
        self.wait(future.done)
        return future.result()

    def of(self, ask: Callable[[], Any]) -> Any:
        """The answer to a question."""
        return self.value(self.asked(ask))

    def send(self, **fields: Any) -> Any:
        """The client's handle of a goal."""
        goal = ExecuteRskill.Goal(rskill_id="pick_place", params_json=MILK, prompt="milk")
        for name, value in fields.items():
            setattr(goal, name, value)
        return self.of(lambda: self.robot.client.send_goal_async(goal))

    def end(self, handle: Any) -> tuple[int, Any]:
        """Status and result of a goal."""
        reply = self.of(handle.get_result_async)
        return reply.status, reply.result

    def moving(self, **fields: Any) -> Any:
        """A goal in motion."""
        handle = self.send(**fields)
        self.wait(lambda: len(self.robot.chunks) > 2)
        return handle

    def stop(self) -> None:
        for thread in self._threads:
            thread.close()
        for node in self._nodes:
            node.destroy_node()
        rclpy.shutdown()


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., System]]:
    # The images' context takes its domain from the environment.
    monkeypatch.setenv("ROS_DOMAIN_ID", str(any_free()))
    monkeypatch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    made: list[System] = []

    def begin(overrides: dict[str, Any] | None = None, at: np.ndarray = AWAY) -> System:
        made.append(System(overrides or {}, at))
        return made[-1]

    yield begin
    for one in made:
        one.stop()


def test_diagnostics_come_as_often_as_declared(start: Callable[..., System]) -> None:
    system = start({"report_period_s": 7.0})
    assert 7_000_000_000 in [timer.timer_period_ns for timer in system.runner.timers]


def test_a_goal_canceled_before_it_began_ends_canceled_without_a_chunk(
    start: Callable[..., System], monkeypatch: pytest.MonkeyPatch
) -> None:
    system = start()
    accepted = threading.Event()
    canceled = threading.Event()
    begin = SkillRunner._execute

    async def late(self: SkillRunner, goal_handle: Any) -> Any:
        # As where the executor carries out the cancel before it comes to the goal's task.
        accepted.set()
        answer = self._on_cancel(goal_handle)
        assert answer.name == "ACCEPT"
        goal_handle._update_state(_cancel_event())
        canceled.set()
        return await begin(self, goal_handle)

    monkeypatch.setattr(system.runner._server, "_execute_callback", late.__get__(system.runner))
    status, result = system.end(system.send())
    assert accepted.is_set()
    assert canceled.is_set()
    assert (status, result.outcome) == (GoalStatus.STATUS_CANCELED, RESULT.CANCELED)
    assert "before it began" in result.reason
    assert system.robot.chunks == []


def _cancel_event() -> Any:
    from rclpy.action.server import GoalEvent

    return GoalEvent.CANCEL_GOAL


def test_a_cancel_in_motion_rests_first_and_meanwhile_other_goals_are_refused(
    start: Callable[..., System],
) -> None:
    system = start({"stop_wait_s": 10.0})
    handle = system.moving(trace_id="first")
    status, result = system.end(system.send(trace_id="second"))
    assert (status, result.outcome) == (GoalStatus.STATUS_ABORTED, RESULT.REFUSED)
    assert "'pick_place', trace first" in result.reason
    # The kernel stands still, so that the arm does not come to rest yet.
    system.robot.pace = 0.0
    first = system.of(handle.cancel_goal_async)
    system.wait(lambda: system.robot.chunks[-1].last)
    again = system.of(handle.cancel_goal_async)
    assert first.return_code == CancelGoal.Response.ERROR_NONE
    # The middleware takes a goal that is being canceled for one that no longer can be.
    assert again.return_code == CancelGoal.Response.ERROR_GOAL_TERMINATED
    assert system.runner._active is not None
    _, braking = system.end(system.send(trace_id="third"))
    assert braking.outcome == RESULT.REFUSED
    system.robot.pace = 0.5
    status, result = system.end(handle)
    assert (status, result.outcome) == (GoalStatus.STATUS_CANCELED, RESULT.CANCELED)
    after = system.of(handle.cancel_goal_async)
    assert after.return_code == CancelGoal.Response.ERROR_GOAL_TERMINATED
    assert {state.trace_id for state in system.robot.states} == {"", "first"}


def test_a_goal_whose_client_has_gone_ends_by_its_deadline_and_frees_the_runner(
    start: Callable[..., System],
) -> None:
    system = start()
    other = rclpy.create_node("other")
    client = ActionClient(other, ExecuteRskill, "execute_rskill")
    system.wait(client.server_is_ready)
    goal = ExecuteRskill.Goal(
        rskill_id="pick_place", params_json=MILK, trace_id="orphan", deadline_s=1.0
    )
    client.send_goal_async(goal)
    system.wait(lambda: system.robot.chunks)
    client.destroy()
    other.destroy_node()
    system.wait(lambda: system.robot.states[-1].state == SkillState.FAILED)
    assert system.robot.states[-1].trace_id == "orphan"
    assert "not done within 1 s" in system.robot.states[-1].reason
    system.wait(lambda: system.runner._active is None)
    handle = system.send()
    system.of(handle.cancel_goal_async)
    assert system.end(handle)[1].outcome == RESULT.CANCELED


def test_a_flood_of_goals_is_refused_one_by_one_and_the_motion_goes_on(
    start: Callable[..., System],
) -> None:
    # Robot and runner share one Python here, and what reads two hundred answers feeds no joints.
    waits = {"joint_state_silence_s": 5.0, "kernel_silence_s": 10.0, "progress_wait_s": 10.0}
    system = start(waits)
    system.robot.pace = 0.01
    handle = system.moving(trace_id="first")
    before = system.robot.chunks[-1].sequence
    goal = ExecuteRskill.Goal(rskill_id="pick_place", params_json=MILK)
    send = partial(system.robot.client.send_goal_async, goal)
    answers = [system.asked(send) for _ in range(200)]
    results = [system.asked(system.value(answer).get_result_async) for answer in answers]
    outcomes = {system.value(result).result.outcome for result in results}
    assert outcomes == {RESULT.REFUSED}
    assert system.runner._active is not None
    assert system.runner._active.trace_id == "first"
    system.wait(lambda: system.robot.chunks[-1].sequence > before + 5)
    system.of(handle.cancel_goal_async)
    assert system.end(handle)[1].outcome == RESULT.CANCELED


def test_unusable_goals_are_refused_with_expected_and_got(start: Callable[..., System]) -> None:
    system = start()
    for fields, words in (
        ({"rskill_id": "../../etc"}, "unknown '../../etc'"),
        ({"rskill_id": "reward_geometric"}, "is of kind 'reward'"),
        ({"params_json": '{"object": "' + "x" * 1_000_000 + '"}'}, "at most 4096 characters"),
        ({"params_json": "[" * 4000}, "not JSON"),
        ({"params_json": '{"object": "milk", "position": [NaN, 0]}'}, "'position.0'"),
        ({"params_json": '{"object": "\\ud800", "container": "basket"}'}, "'object'"),
        ({"params_json": '{"\\ud800": 1, "object": "milk", "container": "b"}'}, "ud800"),
        ({"params_json": '{"' + "x" * 4000 + '": 1}'}, "unknown 'xxx"),
        ({"patience_s": float("nan")}, "patience_s in [0, 3600] s"),
        ({"deadline_s": 1e9}, "deadline_s in [0, 300] s"),
        ({"prompt": "x" * 1_000_000}, "prompt of at most 4096"),
        ({"trace_id": "x" * 1_000_000}, "trace_id of at most 64"),
    ):
        status, result = system.end(system.send(**fields))
        assert (status, result.outcome) == (GoalStatus.STATUS_ABORTED, RESULT.REFUSED), words
        assert words in result.reason
        assert result.reason.startswith("expected ")
        assert len(result.reason) < 1000
        system.wait(lambda: system.robot.failures)
        failure = system.robot.failures.pop()
        assert failure.kind == "refused"
        assert len(failure.skill_id) <= 64
        assert len(failure.trace_id) <= 64
    assert system.robot.chunks == []


def test_a_camera_that_contradicts_its_configuration_ends_a_look(
    start: Callable[..., System],
) -> None:
    system = start(at=LIMITS.home)
    handle = system.send()
    info = CameraInfo(width=320, height=240)

    def seen() -> bool:
        system.robot.infos.publish(info)
        return system.robot.states[-1].state == SkillState.FAILED

    system.wait(seen)
    _, result = system.end(handle)
    assert result.outcome == RESULT.OBSERVATION
    assert result.reason == (
        "camera_info disagrees with config/cameras.yaml for camera top: expected 640x480 px and"
        " fx 810.2, fy 810.2, cx 319.5, cy 239.5, each within 2 %, got 320x240 px"
    )


def test_a_kernel_with_another_robot_ends_every_goal_with_both_numbers(
    start: Callable[..., System],
) -> None:
    system = start()
    handle = system.moving()
    system.robot.pace = 0.0
    system.robot.width = 6
    _, result = system.end(handle)
    assert result.outcome == RESULT.SAFETY_STOP
    assert "expected a kernel with the 8 joints of 'robot_file', got one with 6" in result.reason
    _, result = system.end(system.send())
    assert result.outcome == RESULT.REFUSED
    assert "got one with 6" in result.reason


def test_every_chunk_bears_the_configuration_that_its_goal_began_under(
    start: Callable[..., System],
) -> None:
    system = start()
    handle = system.moving()
    system.robot.configuration_hash = 8
    _, result = system.end(handle)
    assert result.outcome == RESULT.SAFETY_STOP
    assert "limits changed" in result.reason
    assert {chunk.configuration_hash for chunk in system.robot.chunks} == {7}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("robot.name", "ur5e", "'robot.name' = 'panda' as there, got 'ur5e'"),
        ("robot.limits.panda_joint1.velocity_max", 9.0, "velocity_max"),
        ("limit_share", 1.5, "[0.1, 1.0]"),
        ("robot_file", "../robots/panda.yaml", "outside"),
    ],
)
def test_a_bad_start_names_the_parameter(
    start: Callable[..., System], name: str, value: object, words: str
) -> None:
    with pytest.raises(ConfigError) as error:
        start({name: value})
    assert words in str(error.value)

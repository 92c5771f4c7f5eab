"""The node over real DDS, against a small robot of messages that this test plays itself."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import rclpy
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from openral_msgs.action import ExecuteRskill
from openral_msgs.msg import (
    CriticScore,
    Detection,
    DetectionArray,
    FailureTrigger,
    KernelStatus,
    MissionState,
    Prompt,
    SkillState,
)
from openral_msgs.srv import LocateInView
from rclpy.action import ActionServer, CancelResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import MultiThreadedExecutor, SingleThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import JointState

from openral.bringup.domain import any_free
from openral.errors import ConfigError
from openral.ros import qos
from openral.ros.spinning import SpinningThread
from reasoner_node.brain import BrainReply
from reasoner_node.node import ReasonerNode
from reasoner_node.replay import replay
from reasoner_node.trace import read_trace

pytestmark = pytest.mark.timed

CONFIG = Path(__file__).parents[2] / "config" / "reasoner_node.yaml"
BOXES = {"milk": (40, 280, 80, 320), "cereal": (340, 280, 380, 320), "basket": (500, 100, 630, 230)}


class Peers(Node):
    """Kernel, robot, detector, skill runner and operator in one."""

    def __init__(self) -> None:
        super().__init__("peers")
        group = ReentrantCallbackGroup()
        self.says: list[Prompt] = []
        self.missions: list[MissionState] = []
        self.goals: list[ExecuteRskill.Goal] = []
        self.cancelled_at: list[float] = []
        self.inside: set[str] = set()
        self.skill_s = 1.0
        self.closing = False
        self.executing: list[object] = []
        self.beats = 0
        self.kernel_state = KernelStatus.HOLDING
        self.joints = True
        self.views = True
        self.create_subscription(Prompt, "say", self.says.append, qos.SAY)
        self.create_subscription(MissionState, "mission", self.missions.append, qos.MISSION)
        self.prompts = self.create_publisher(Prompt, "prompt", 10)
        self.safety = self.create_publisher(FailureTrigger, "failure/safety", qos.FAILURE)
        self._kernel = self.create_publisher(KernelStatus, "kernel_status", qos.KERNEL_STATUS)
        self._joints = self.create_publisher(JointState, "joint_states", qos.SENSOR)
        self._views = self.create_publisher(
            DetectionArray, "perception/catalogue/detections", qos.DETECTIONS
        )
        self.sensor = self.create_publisher(FailureTrigger, "failure/sensor", qos.FAILURE)
        self._diagnostics = self.create_publisher(DiagnosticArray, "diagnostics", qos.DIAGNOSTICS)
        self._scores = self.create_publisher(CriticScore, "critic/score", qos.CRITIC)
        self._skill = self.create_publisher(SkillState, "skill_state", qos.SKILL_STATE)
        self.create_service(
            LocateInView, "perception/catalogue/locate_in_view", self._locate, callback_group=group
        )
        ActionServer(
            self, ExecuteRskill, "execute_rskill", self._execute,
            cancel_callback=self._cancel, callback_group=group,
        )  # fmt: skip
        self.create_timer(0.1, self._beat, callback_group=group)

    def _beat(self) -> None:
        self.beats += 1
        self._kernel.publish(KernelStatus(state=self.kernel_state))
        if self.joints:
            self._joints.publish(JointState())
        status = DiagnosticStatus(name="perception_node: camera front")
        self._diagnostics.publish(DiagnosticArray(status=[status]))
        for camera in ("front", "top") if self.views else ():
            self._views.publish(
                DetectionArray(
                    detector="catalogue", camera=camera, detections=self._seen(camera, BOXES)
                )
            )

    def _seen(self, camera: str, wanted: object) -> list[Detection]:
        found = []
        for number, label in enumerate(BOXES):
            if label not in wanted or (label in self.inside and camera != "top"):  # type: ignore[operator]
                continue
            box = (540, 140, 580, 180) if label in self.inside else BOXES[label]
            x_min, y_min, x_max, y_max = map(float, box)
            found.append(
                Detection(label=label, score=0.9, x_min=x_min, y_min=y_min, x_max=x_max,
                          y_max=y_max, det_id=number)
            )  # fmt: skip
        return found

    def _locate(self, request, response):  # type: ignore[no-untyped-def]
        nouns = request.query.split(", ")
        response.detections = self._seen(request.camera, nouns)
        response.found = {d.label for d in response.detections} >= set(nouns)
        response.camera = request.camera
        response.image_stamp = self.get_clock().now().to_msg()
        return response

    def _cancel(self, _goal):  # type: ignore[no-untyped-def]
        self.cancelled_at.append(time.monotonic())
        return CancelResponse.ACCEPT

    def _execute(self, handle):  # type: ignore[no-untyped-def]
        self.executing.append(handle)
        try:
            return self._play(handle)
        finally:
            self.executing.remove(handle)

    def _play(self, handle):  # type: ignore[no-untyped-def]
        goal = handle.request
        self.goals.append(goal)
        label = json.loads(goal.params_json)["object"]
        result = ExecuteRskill.Result(trace_id=goal.trace_id)
        end = time.monotonic() + self.skill_s
        while time.monotonic() < end:
            if self.closing:
                handle.abort()
                return result
            self._skill.publish(SkillState(state=SkillState.RUNNING, trace_id=goal.trace_id))
            if handle.is_cancel_requested:
                handle.canceled()
                result.outcome = ExecuteRskill.Result.CANCELED
                return result
            time.sleep(0.02)
        self.inside.add(label)
        score = CriticScore(critic_id="geometric", trace_id=goal.trace_id, threshold=0.9, floor=0.5)
        score.score = score.progress = score.success = 1.0
        # As the runner and the monitor do: the end, then what is seen after it.
        ended = SkillState(state=SkillState.SUCCEEDED, trace_id=goal.trace_id)
        ended.header.stamp = self.get_clock().now().to_msg()
        self._skill.publish(ended)
        score.header.stamp = self.get_clock().now().to_msg()
        self._scores.publish(score)
        handle.succeed()
        result.outcome = ExecuteRskill.Result.COMPLETED
        return result

    def wait(self, condition: Callable[[], object], seconds: float = 20.0) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"not within {seconds} s; said {self.says}"
            time.sleep(0.005)

    def ended(self) -> bool:
        return bool(self.missions) and self.missions[-1].state in (
            MissionState.DONE, MissionState.INCOMPLETE, MissionState.STOPPED,
        )  # fmt: skip


class Running:
    """A reasoner and its peers, spinning."""

    def __init__(self, *parameters: str) -> None:
        os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
        arguments = ["--ros-args", "-r", "__ns:=/openral", "--params-file", str(CONFIG)]
        for parameter in parameters:
            arguments += ["-p", parameter]
        rclpy.init(args=arguments, domain_id=any_free())
        self._threads: list[SpinningThread] = []
        try:
            self.reasoner = ReasonerNode()
        except Exception:
            rclpy.shutdown()
            raise
        self.peers = Peers()
        self._spin(SingleThreadedExecutor(), self.reasoner)
        self._spin(MultiThreadedExecutor(num_threads=6), self.peers)
        self.peers.wait(lambda: self.peers.missions and self.peers.prompts.get_subscription_count())
        self.peers.wait(lambda: self.reasoner._effects.runner_ready())
        self.peers.wait(lambda: self.reasoner._core.state.kernel is not None)

    def _spin(self, executor, node) -> None:  # type: ignore[no-untyped-def]
        self._threads.append(SpinningThread(executor, node, node.get_name()))

    def prompt(self, text: str) -> None:
        self.peers.prompts.publish(Prompt(text=text))

    def stop(self) -> None:
        self.peers.closing = True
        self.peers.wait(lambda: not self.peers.executing)
        for thread in self._threads:
            thread.close()
        self.reasoner.destroy_node()
        self.peers.destroy_node()
        rclpy.shutdown()


@pytest.fixture
def running() -> Iterator[Callable[..., Running]]:
    made: list[Running] = []

    def start(*parameters: str) -> Running:
        made.append(Running(*parameters))
        return made[-1]

    yield start
    for one in made:
        one.stop()


def test_a_goal_is_carried_through_and_its_trace_replays(running, tmp_path):
    trace = tmp_path / "trace.jsonl"
    system = running(f"trace_path:={trace}")
    peers = system.peers
    assert peers.missions[-1].state == MissionState.IDLE
    assert peers.missions[-1].brain == "rules (deterministic, no language model)"
    system.prompt("put all the objects into the basket")
    peers.wait(peers.ended)
    peers.wait(lambda: peers.says)
    assert peers.missions[-1].state == MissionState.DONE
    assert [say.kind for say in peers.says] == ["done"]
    assert [json.loads(g.params_json)["object"] for g in peers.goals] == ["milk", "cereal"]
    system.reasoner._trace.close(5.0)
    records, cut = read_trace(trace)
    agreed, difference = replay(records)
    assert (cut, difference) == (0, None)
    assert agreed == len(records) - 1


def test_a_goal_waits_for_a_runner_that_discovery_has_not_shown_yet(running, monkeypatch):
    system = running()
    peers, effects = system.peers, system.reasoner._effects
    ready, asked = effects.runner_ready, []
    # Asked by the goal itself, then at each look at who is alive.
    monkeypatch.setattr(effects, "runner_ready", lambda: len(asked) > 4 or asked.append(1) or False)
    system.prompt("put the milk into the basket")
    peers.wait(peers.ended)
    assert ready()
    assert [say.kind for say in peers.says] == ["done"]
    assert len(peers.goals) == 1


def test_how_long_its_plan_may_stand_still_is_left_to_the_skill(running):
    system = running()
    system.prompt("put the milk into the basket")
    system.peers.wait(lambda: system.peers.goals)
    # 0 = the manifest's own; the patience of the reward's contract bounds the reward, in here.
    assert system.peers.goals[0].patience_s == 0.0
    assert system.peers.goals[0].deadline_s == 90.0


def test_stop_cancels_the_running_goal(running):
    system = running()
    system.peers.skill_s = 30.0
    system.prompt("put the milk into the basket")
    system.peers.wait(lambda: system.peers.goals)
    system.prompt("stop")
    system.peers.wait(lambda: system.peers.cancelled_at and system.peers.ended())
    assert system.peers.missions[-1].state == MissionState.STOPPED


def test_a_restarted_reasoner_cancels_what_the_one_before_started(running):
    system = running()
    system.peers.skill_s = 30.0
    system.prompt("put the milk into the basket")
    system.peers.wait(lambda: system.peers.goals)
    assert not system.peers.cancelled_at
    system._spin(SingleThreadedExecutor(), ReasonerNode())
    system.peers.wait(lambda: system.peers.cancelled_at)


class _Slow:
    name = "slow-model"
    is_model = True

    def __init__(self, rules) -> None:  # type: ignore[no-untyped-def]
        self._rules = rules
        self.block = threading.Event()
        self.thinks = threading.Event()
        self.go = threading.Event()
        self.answered = threading.Event()

    def choose(self, tick):  # type: ignore[no-untyped-def]
        if self.block.is_set():
            self.thinks.set()
            self.go.wait(30.0)
            self.answered.set()
            return BrainReply(tool="wait", arguments={"seconds": 5.0})
        return self._rules.choose(tick)


def test_a_safety_event_cancels_while_the_model_thinks_and_timers_go_on(running):
    system = running()
    peers, node = system.peers, system.reasoner
    slow = _Slow(node._brain)
    node._brain = slow
    peers.skill_s = 30.0
    system.prompt("put the milk into the basket")
    peers.wait(lambda: peers.goals)
    slow.block.set()
    node._core.state.gate.request()
    peers.wait(slow.thinks.is_set)
    on_time: list[None] = []
    node.create_timer(0.01, lambda: on_time.append(None))
    peers.wait(lambda: len(on_time) >= 50)
    peers.safety.publish(FailureTrigger(severity=FailureTrigger.WARN, kind="velocity_limit"))
    peers.wait(lambda: peers.cancelled_at)
    # Nothing of this waited for the model: it has not answered yet.
    assert not slow.go.is_set()
    assert not slow.answered.is_set()
    slow.go.set()


def test_a_robot_that_falls_silent_ends_the_mission(running):
    system = running()
    system.peers.skill_s = 30.0
    system.prompt("put the milk into the basket")
    system.peers.wait(lambda: system.peers.goals)
    system.peers.joints = False
    system.peers.wait(system.peers.ended)
    assert system.peers.missions[-1].state == MissionState.STOPPED
    assert "no joint states" in system.peers.missions[-1].message


def test_a_robot_that_is_back_is_said_to_be(running):
    system = running("robot_timeout_s:=0.5")
    peers = system.peers
    peers.joints = False
    peers.wait(lambda: peers.says)
    assert "the robot (no joint states) does not answer" in peers.says[-1].text
    peers.joints = True
    peers.wait(lambda: len(peers.says) > 1)
    assert [(say.kind, say.text) for say in peers.says[1:]] == [
        ("info", "The robot answers again.")
    ]


def test_dead_cameras_are_not_taken_for_a_dead_detector(running):
    system = running("perception_timeout_s:=0.5")
    peers = system.peers
    peers.wait(lambda: len(system.reasoner._core.state.scene.view_ages(0.0)) == 2)
    peers.views = False
    for camera in ("front", "top"):
        peers.sensor.publish(
            FailureTrigger(
                severity=FailureTrigger.FAIL, kind="camera_stale", source="perception_node",
                message=f"camera {camera}: no image for 3.0 s",
                evidence_json=json.dumps({"camera": camera}),
            )
        )  # fmt: skip
    peers.wait(lambda: len(peers.says) == 2)
    # Three times the detector's time: its diagnostics alone keep it alive.
    before = peers.beats
    peers.wait(lambda: peers.beats >= before + 15)
    assert len(peers.says) == 2
    assert not system.reasoner._liveness._lost
    system.prompt("put the milk into the basket")
    peers.wait(peers.ended)
    peers.wait(lambda: len(peers.says) == 3)
    assert "camera front gives no images (no image for 3.0 s)" in peers.says[-1].text
    assert not system.reasoner._core.state.lost


def test_a_prompt_of_a_megabyte_is_refused_with_its_length(running):
    system = running()
    system.prompt("x" * 1_000_000)
    system.peers.wait(lambda: system.peers.says)
    assert "1000000 characters" in system.peers.says[-1].text


def test_a_prompts_control_characters_are_shown_in_the_log_and_not_written(running, capfd):
    system = running()
    system.prompt("put the \x1b[31mteapot\x07 into the basket")
    system.peers.wait(system.peers.ended)
    log = capfd.readouterr().err
    assert "\\x1b[31mteapot" in log
    assert not {"\x1b", "\x07"} & set(log)


def test_without_a_choice_of_brain_the_node_does_not_start(running, monkeypatch):
    for name in ("OPENRAL_REASONER_MODEL", "OPENRAL_REASONER_LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigError, match="'rules'"):
        running("model:=''")


def test_a_model_without_its_key_fails_in_one_line(running, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENRAL_REASONER_API_KEY", "OPENRAL_REASONER_LLM_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY") as error:
        running("model:=gpt-5.5")
    assert "\n" not in str(error.value)

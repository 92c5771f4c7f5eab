"""The geometric reward monitor as a ROS node: `critic/score` while a skill runs, and questions."""

from __future__ import annotations

import math
import sys
import time
from typing import Any

from openral_msgs.msg import CriticScore, DetectionArray, SkillState
from openral_msgs.srv import QueryTaskProgress
from rclpy.node import Node
from rclpy.subscription import Subscription
from sensor_msgs.msg import CameraInfo, Image, JointState

from openral.bringup.installed import config_file, config_folder
from openral.camera_agreement import camera_info_problem
from openral.camera_model import load_cameras
from openral.errors import ConfigError, InputError
from openral.image import decode, depth_in_metres
from openral.ros import qos
from openral.ros.parameters import declare
from openral.ros.run import run
from openral.ros.stamp import seconds
from openral.rskill import RewardManifest, RskillManifest, load_rskill
from openral.terminal_text import printable
from openral.units import NANOSECONDS
from skill_runner_node.messages import joints_of
from skill_runner_node.motion.limits import load_limits
from skill_runner_node.policy import Box
from skill_runner_node.reward.attempt import AttemptWatch, News
from skill_runner_node.reward.geometric import GeometricReward
from skill_runner_node.reward.history import History
from skill_runner_node.reward.parameters import MonitorParameters
from skill_runner_node.reward.settings import settings_of
from skill_runner_node.reward.task import task_of
from skill_runner_node.robot_agreement import check_agreement

NAME = "reward_monitor"


def geometric_reward(manifest: RskillManifest, robot: str) -> RewardManifest:
    """The manifest, if this node can score by it.

    Raises:
        ConfigError: It is no geometric reward, or was made for another robot's hand.
    """
    if not isinstance(manifest, RewardManifest) or manifest.runtime != "geometric":
        raise ConfigError(f"parameter 'rskill' = {manifest.id!r}: valid is a geometric reward")
    if not manifest.suits(robot):
        raise ConfigError(
            f"parameter 'rskill' = {manifest.id!r} is for {', '.join(manifest.robots)}:"
            f" valid is a geometric reward for {robot!r}"
        )
    return manifest


class RewardMonitor(Node):
    """Feeds `GeometricReward` and publishes what it says."""

    def __init__(self) -> None:
        super().__init__(NAME)
        self._p = p = declare(self, MonitorParameters)
        robot_file = config_file(p.robot_file)
        limits = load_limits(robot_file)
        check_agreement(robot_file, self)
        manifest = geometric_reward(
            load_rskill(config_folder() / p.rskills_folder, p.rskill), limits.robot
        )
        self._manifest = manifest
        self._names = limits.names
        cameras = load_cameras(config_file(p.cameras_file))
        for name in manifest.cameras:
            if name not in cameras or cameras[name].parent != "world":
                fixed = ", ".join(n for n, c in cameras.items() if c.parent == "world")
                raise ConfigError(f"rSkill '{manifest.id}': camera '{name}': valid are {fixed}")
        self._deep = [name for name in manifest.cameras if cameras[name].depth]
        if not self._deep:
            raise ConfigError(f"rSkill '{manifest.id}' needs a camera with depth: {p.cameras_file}")
        self._cameras = {name: cameras[name] for name in manifest.cameras}
        self._reward = GeometricReward(
            {n: c.model() for n, c in self._cameras.items()}, settings_of(manifest)
        )
        self._history = History(manifest.contract)
        self._watch = AttemptWatch(p.skill_state_timeout_s)
        self._state: SkillState | None = None
        self._scored = -math.inf
        self._images: list[Subscription] = []
        self._contradictions: dict[str, str] = {}

        self._scores = self.create_publisher(CriticScore, "critic/score", qos.CRITIC)
        self.create_subscription(SkillState, "skill_state", self._on_state, qos.SKILL_STATE)
        self.create_subscription(JointState, "joint_states", self._on_joints, qos.SENSOR)
        topic = f"perception/{p.detector}/detections"
        self.create_subscription(DetectionArray, topic, self._on_detections, qos.DETECTIONS)
        self.create_service(QueryTaskProgress, "query_task_progress", self._on_query)
        self.create_timer(min(p.tick_s, manifest.contract.period_s / 2), self._tick)
        self.get_logger().info(f"'{manifest.critic_id}' scores by {', '.join(manifest.cameras)}")

    # -- what it hears ----------------------------------------------------------------------------

    def _on_state(self, message: SkillState) -> None:
        running = message.state == SkillState.RUNNING
        news = self._watch.heard(time.monotonic(), message.trace_id, running=running)
        if news is News.BEGUN:
            self._begin(message)
        elif news is News.ENDED:
            self._reward.end(min(seconds(message.header.stamp), self._ros_now()))

    def _begin(self, message: SkillState) -> None:
        try:
            task = task_of(message.params_json)
        except InputError as error:
            self.get_logger().warning(printable(f"'{message.skill_id}' is not scored: {error}"))
            self._finish()
            return
        self._state = message
        self._scored = time.monotonic()
        self._reward.begin(task, self._ros_now())
        self._history.begin(time.monotonic())
        if not self._images:
            self._images = [
                self.create_subscription(
                    Image, f"camera/{name}/depth/image_raw", self._depth_handler(name), qos.SENSOR
                )
                for name in self._deep
            ]
            self._images += [
                self.create_subscription(
                    CameraInfo, f"camera/{name}/camera_info", self._info_handler(name), qos.SENSOR
                )
                for name in self._cameras
            ]

    def _finish(self) -> None:
        self._state = None
        for subscription in self._images:
            self.destroy_subscription(subscription)
        self._images = []

    def _on_joints(self, message: JointState) -> None:
        if self._state is None:
            return
        try:
            joints = joints_of(message, self._names, 0.0)
        except InputError as error:
            self.get_logger().error(f"joint_states: {error}", throttle_duration_sec=5.0)
            return
        stamp = seconds(message.header.stamp)
        self._reward.on_joints(stamp, joints.position, joints.velocity)

    def _on_detections(self, message: DetectionArray) -> None:
        camera = self._cameras.get(message.camera)
        if camera is None or message.camera in self._contradictions:
            return
        if (message.image_width, message.image_height) != (camera.width, camera.height):
            self.get_logger().error(
                f"detections of '{message.camera}': expected images of {camera.width}x"
                f"{camera.height} px, got {message.image_width}x{message.image_height}",
                throttle_duration_sec=5.0,
            )
            return
        boxes = tuple(
            Box(d.label, d.score, d.x_min, d.y_min, d.x_max, d.y_max) for d in message.detections
        )
        self._reward.on_detections(message.camera, seconds(message.header.stamp), boxes)

    def _depth_handler(self, name: str) -> Any:
        camera = self._cameras[name]

        def on_depth(message: Image) -> None:
            if name in self._contradictions:
                return
            try:
                depth = depth_in_metres(decode(message))
                if depth.shape != (camera.height, camera.width):
                    raise InputError(f"{camera.width}x{camera.height} px", f"{depth.shape[::-1]}")
            except InputError as error:
                self.get_logger().error(f"depth of '{name}': {error}", throttle_duration_sec=5.0)
                return
            self._reward.on_depth(name, seconds(message.header.stamp), depth)

        return on_depth

    def _info_handler(self, name: str) -> Any:
        """While a camera contradicts its configured calibration, nothing of it is believed."""

        def on_info(message: CameraInfo) -> None:
            problem = camera_info_problem(
                name,
                self._cameras[name],
                message.k,
                message.width,
                message.height,
                tolerance=self._p.camera_info_tolerance,
                file=self._p.cameras_file,
            )
            if problem:
                self._contradictions[name] = problem
                self.get_logger().error(problem, throttle_duration_sec=5.0)
            else:
                self._contradictions.pop(name, None)

        return on_info

    # -- what it says -----------------------------------------------------------------------------

    def _ros_now(self) -> float:
        return float(self.get_clock().now().nanoseconds) / NANOSECONDS

    def _tick(self) -> None:
        now = time.monotonic()
        fell_silent = self._watch.fell_silent(now)
        if self._state is None:
            return
        if fell_silent:
            told = f"'{self._state.skill_id}': nothing in skill_state"
            limit = self._p.skill_state_timeout_s
            self.get_logger().warning(printable(f"{told} for {limit:g} s, so it counts as ended"))
            self._reward.end(self._ros_now())
        ended_at = self._watch.ended_at
        if ended_at is None:
            if now - self._scored >= self._manifest.contract.period_s:
                self._publish(now)
            return
        if self._reward.seen_since_end() or now - ended_at >= self._p.final_wait_s:
            self._publish(now)
            self._finish()

    def _publish(self, now: float) -> None:
        state = self._state
        assert state is not None
        self._scored = now
        score = self._reward.score(self._ros_now())
        self._history.add(now, score.progress, score.success)
        contract = self._manifest.contract
        message = CriticScore(
            critic_id=self._manifest.critic_id,
            skill_id=state.skill_id,
            task=state.task,
            trace_id=state.trace_id,
            score=score.progress,
            progress=score.progress,
            success=score.success,
            threshold=contract.success_threshold,
            floor=contract.check_floor,
            window=self._history.window(now),
            stage=score.stage,
        )
        message.header.stamp = self.get_clock().now().to_msg()
        self._scores.publish(message)

    def _on_query(
        self, request: QueryTaskProgress.Request, response: QueryTaskProgress.Response
    ) -> QueryTaskProgress.Response:
        response.critic_id = self._manifest.critic_id
        response.progress = response.success = math.nan
        response.stale = True
        if not math.isfinite(request.window_s) or request.window_s < 0.0:
            response.message = f"expected window_s of at least 0 s, got {request.window_s}"
            return response
        state = self._state
        if request.task and (state is None or request.task != state.task):
            running = "no task runs" if state is None else f"the running task is '{state.task}'"
            response.message = f"expected the running task, got '{request.task[:200]}': {running}"
            return response
        runs = state is not None and self._watch.runs
        course = self._history.course(time.monotonic(), request.window_s)
        response.progress, response.success = course.progress, course.success
        response.progress_trend = list(course.progress_trend)
        response.success_trend = list(course.success_trend)
        response.stalled = course.stalled and runs
        response.stale = course.stale
        response.message = "" if runs else "no skill runs; last attempt"
        return response


def main() -> None:
    """Entry point of the executable."""
    sys.exit(run(RewardMonitor, NAME))


if __name__ == "__main__":
    main()

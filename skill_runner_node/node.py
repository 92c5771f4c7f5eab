"""The skill runner as a ROS node: goals in, chunks out. Sole publisher of `candidate_action`."""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import numpy as np
import rclpy.task
from openral_msgs.action import ExecuteRskill
from openral_msgs.msg import ActionChunk
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.node import Node

from openral.bringup.installed import config_file, config_folder
from openral.camera_model import load_cameras
from openral.errors import ConfigError
from openral.realtime import schedule_realtime
from openral.ros import qos
from openral.ros.parameters import declare
from openral.ros.run import run
from openral.ros.transport import without_shared_memory
from openral.rskill import ParamsError, ScriptedManifest, load_rskills
from skill_runner_node.catalogue_sizes import load_sizes
from skill_runner_node.goal_run import Ask, Finish, GoalRun, RunSettings, Search
from skill_runner_node.image_feed import ImageFeed
from skill_runner_node.looking import Looker
from skill_runner_node.messages import chunk
from skill_runner_node.motion.limits import load_limits
from skill_runner_node.parameters import RunnerParameters
from skill_runner_node.policies.factory import make_policy
from skill_runner_node.policies.scripted_pick_place.motions import Timing
from skill_runner_node.policy import Goal, Outcome, Policy
from skill_runner_node.reporting import Reporter
from skill_runner_node.state_feed import StateFeed
from skill_runner_node.thinking import Thinking
from skill_runner_node.watch import Bounds, End

NAME = "skill_runner_node"
TICK_S = 0.01
SWITCH_INTERVAL_S = 0.0005
"""Python's lock is handed over this fast: the default of 5 ms is a quarter of a chunk's period."""


@dataclass
class _Active:
    """The goal that runs now."""

    manifest: ScriptedManifest
    request: ExecuteRskill.Goal
    trace_id: str
    run: GoalRun
    policy: Policy
    begun: Future[None]
    goal_handle: Any
    over: rclpy.task.Future
    chunks: int = 0
    stamped: float = 0.0


class SkillRunner(Node):
    """Between ROS and `GoalRun`; policies think on a worker, chunks leave on a thread."""

    def __init__(self) -> None:
        with without_shared_memory():
            super().__init__(NAME)
        self._p = p = declare(self, RunnerParameters)
        if p.realtime_priority and not schedule_realtime(p.realtime_priority):
            self.get_logger().info("no right to real-time scheduling: the usual priority")
        self._limits = load_limits(config_file(p.robot_file))
        self._cameras = load_cameras(config_file(p.cameras_file))
        manifests = load_rskills(config_folder() / p.rskills_folder)
        robot = self._limits.robot
        self._manifests = {name: one for name, one in manifests.items() if one.suits(robot)}
        self._policies = self._make_policies()
        self._settings = RunSettings(
            Bounds(p.kernel_silence_s, p.joint_state_silence_s, p.start_wait_s, p.progress_wait_s),
            p.horizon,
            p.context_rows,
            p.lead_rows,
            self._limits.acceleration * 0.9,
            p.settle_s,
            p.settle_max_s,
            p.rest_velocity,
            p.look_timeout_s,
            p.stop_wait_s,
        )
        self._lock = threading.Lock()
        self._active: _Active | None = None
        self._sent_stamp: Any = None
        # The kernel may outlive this process, and knows the numbers that an earlier one used.
        self._timeline = self._sequence = time.time_ns() // 1_000_000
        self._thinking = Thinking(lambda text: self.get_logger().error(f"policy: {text}"))
        self._image_feed = ImageFeed(self)
        self._looker = Looker(self, self._image_feed.node, p.detector, self._cameras)

        self._chunks = self.create_publisher(ActionChunk, "candidate_action", qos.CHUNK)
        self._reporter = Reporter(self)
        self._feed = StateFeed(self, self._limits.names)
        self._server = ActionServer(
            self,
            ExecuteRskill,
            "execute_rskill",
            execute_callback=self._execute,
            goal_callback=lambda _: GoalResponse.ACCEPT,
            cancel_callback=self._on_cancel,
        )
        self.create_timer(TICK_S, self._tick)
        self.create_timer(1.0, self._report)
        self._closing = threading.Event()
        self._streamer = threading.Thread(target=self._stream, name="chunks", daemon=True)
        self._streamer.start()
        self.get_logger().info("rSkills: " + ", ".join(sorted(self._manifests)))

    def destroy_node(self) -> None:
        """Ends the threads first: they publish."""
        self._closing.set()
        self._streamer.join(timeout=1.0)
        self._feed.close()
        self._image_feed.close()
        self._thinking.close()
        super().destroy_node()

    def _make_policies(self) -> dict[str, Policy]:
        policies = {}
        timing = Timing(self._p.grip_s, self._p.release_s)
        sizes = load_sizes(config_folder() / self._p.catalogue_folder)
        for manifest in self._manifests.values():
            if not isinstance(manifest, ScriptedManifest):
                continue
            for camera in manifest.cameras:
                if camera not in self._cameras:
                    raise ConfigError(
                        f"rSkill '{manifest.id}': camera '{camera}' is unknown;"
                        f" {self._p.cameras_file} has {', '.join(self._cameras)}"
                    )
            policies[manifest.id] = make_policy(
                manifest.policy,
                self._limits,
                manifest.cameras,
                dt=self._p.row_period_s,
                tool_speed=self._p.tool_speed,
                timing=timing,
                sizes=sizes,
            )
        return policies

    # -- goals ------------------------------------------------------------------------------------

    async def _execute(self, goal_handle: Any) -> ExecuteRskill.Result:
        request = goal_handle.request
        trace_id = request.trace_id or f"run-{time.time_ns():x}"
        refusal = self._begin(goal_handle, request, trace_id)
        if refusal is not None:
            self._reporter.failure(request.rskill_id, trace_id, End(Outcome.REFUSED, refusal))
            goal_handle.abort()
            return ExecuteRskill.Result(
                outcome=Outcome.REFUSED.value, reason=refusal, trace_id=trace_id
            )
        active = self._active
        assert active is not None
        end: End = await active.over
        if end.outcome is Outcome.COMPLETED:
            goal_handle.succeed()
        elif goal_handle.is_cancel_requested:
            goal_handle.canceled()
        else:
            goal_handle.abort()
        return ExecuteRskill.Result(outcome=end.outcome.value, reason=end.reason, trace_id=trace_id)

    def _begin(self, goal_handle: Any, request: ExecuteRskill.Goal, trace_id: str) -> str | None:
        """Starts a goal; the reason where it is refused."""
        if self._active is not None:
            return f"busy with '{self._active.manifest.id}', trace {self._active.trace_id}"
        manifest = self._manifests.get(request.rskill_id)
        if manifest is None or not isinstance(manifest, ScriptedManifest):
            valid = ", ".join(sorted(self._policies))
            return f"unknown rSkill '{request.rskill_id[:80]}'; those that run here are {valid}"
        if not np.isfinite(request.deadline_s) or not (
            0.0 <= request.deadline_s <= manifest.deadline_max_s
        ):
            return (
                f"deadline_s = {request.deadline_s}: valid is [0, {manifest.deadline_max_s}] s,"
                " 0 = the manifest's"
            )
        if not np.isfinite(request.patience_s) or request.patience_s < 0.0:
            return f"patience_s = {request.patience_s}: valid is at least 0 s"
        try:
            params = manifest.params.parse(request.params_json)
        except ParamsError as error:
            return str(error)
        policy = self._policies[manifest.id]
        deadline = request.deadline_s or manifest.deadline_s
        goal_run = GoalRun(time.monotonic(), deadline, self._settings, self._next_timeline)
        over = rclpy.task.Future(executor=self.executor)
        begun = self._thinking.begin(policy, Goal(params, request.prompt))
        self._looker.open(manifest.cameras)
        with self._lock:
            self._active = _Active(
                manifest, request, trace_id, goal_run, policy, begun, goal_handle, over
            )
        self._say(self._active)
        return None

    def _on_cancel(self, goal_handle: Any) -> CancelResponse:
        active = self._active
        if active is None or active.goal_handle.goal_id != goal_handle.goal_id:
            return CancelResponse.REJECT
        active.run.cancel()
        return CancelResponse.ACCEPT

    def _tick(self) -> None:
        active = self._active
        if active is None:
            return
        now = time.monotonic()
        self._poll_look(active)
        stage = active.run.stage
        with self._lock:
            joints = self._feed.joints
            effect = active.run.tick(now, self._feed.kernel, None if joints is None else joints[0])
        if isinstance(effect, Ask):
            self._thinking.ask(
                active.policy, active.begun, effect.observation, self._ros_now(), active.run.decided
            )
        elif isinstance(effect, Search):
            self._looker.begin(effect.look, self._ros_now())
        elif isinstance(effect, Finish):
            self._end(active, effect.end)
            return
        if active.run.stage != stage or now - active.stamped > self._p.state_period_s:
            active.stamped = now
            self._say(active)
            active.goal_handle.publish_feedback(
                ExecuteRskill.Feedback(
                    progress=active.run.progress,
                    state=active.run.stage,
                    chunk_index=active.chunks,
                )
            )

    def _poll_look(self, active: _Active) -> None:
        views = self._looker.poll()
        if views is not None:
            active.run.looked(views)

    def _end(self, active: _Active, end: End) -> None:
        if end.outcome is Outcome.OBSERVATION and self._looker.problem:
            end = End(end.outcome, f"{end.reason}; {self._looker.problem}")
        self._looker.close()
        self._say(active, end)
        self._reporter.failure(active.manifest.id, active.trace_id, end)
        self.get_logger().info(
            f"'{active.manifest.id}' {active.request.params_json}: {end.outcome.name}, {end.reason}"
        )
        with self._lock:
            self._active = None
        active.over.set_result(end)

    # -- chunks -----------------------------------------------------------------------------------

    def _next_timeline(self) -> int:
        self._timeline += 1
        return self._timeline

    def _stream(self) -> None:
        try:
            self._send_windows()
        except Exception as error:
            # The process must end, to be started again: goals would be taken and nothing sent.
            if self.context.ok():
                self.get_logger().fatal(f"chunks end: {type(error).__name__}: {error}")
                self.context.try_shutdown()

    def _send_windows(self) -> None:
        """Sends a window per period, whatever the policy or the executor are busy with."""
        due = time.monotonic()
        while not self._closing.is_set():
            due = max(due + self._p.stream_period_s, time.monotonic())
            self._closing.wait(max(0.0, due - time.monotonic()))
            with self._lock:
                active, kernel, newest = self._active, self._feed.kernel, self._feed.joints
                # A chunk says that its maker has seen something new; a repeated one would not.
                if (
                    active is None
                    or kernel is None
                    or newest is None
                    or newest[1] == self._sent_stamp
                ):
                    continue
                window = active.run.window(kernel)
                if window is None:
                    continue
                self._sequence += 1
                active.chunks += 1
                message = chunk(
                    window,
                    robot=self._limits.robot,
                    names=self._limits.names,
                    skill_id=active.manifest.id,
                    trace_id=active.trace_id,
                    configuration_hash=kernel.configuration_hash,
                    epoch=kernel.epoch,
                    sequence=self._sequence,
                    dt=self._p.row_period_s,
                )
            message.header.stamp = self.get_clock().now().to_msg()
            message.observation_stamp = self._sent_stamp = newest[1]
            self._chunks.publish(message)

    # -- what it says -----------------------------------------------------------------------------

    def _ros_now(self) -> float:
        return float(self.get_clock().now().nanoseconds) / 1e9

    def _say(self, active: _Active, end: End | None = None) -> None:
        self._reporter.running(
            active.request,
            active.trace_id,
            stage=active.run.stage,
            progress=active.run.progress,
            chunks=active.chunks,
            end=end,
        )

    def _report(self) -> None:
        now = time.monotonic()
        kernel, joints, active = self._feed.kernel, self._feed.joints, self._active
        silent = []
        if kernel is None or now - kernel.received > self._p.kernel_silence_s:
            silent.append("kernel_status")
        if joints is None or now - joints[0].received > self._p.joint_state_silence_s:
            silent.append("joint_states")
        self._reporter.health(
            silent,
            {
                "skill": "" if active is None else active.manifest.id,
                "chunks": 0 if active is None else active.chunks,
                "refused_messages": self._feed.refused,
            },
        )


def main() -> None:
    """Entry point of the executable."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    sys.exit(run(SkillRunner, NAME))


if __name__ == "__main__":
    main()

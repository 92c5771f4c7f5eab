"""The skill runner as a ROS node: goals in, motions out."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any

import rclpy.task
from openral_msgs.action import ExecuteRskill
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.utilities import get_rmw_implementation_identifier

from openral.bringup.installed import config_file, config_folder
from openral.camera_model import load_cameras
from openral.errors import ConfigError, InputError
from openral.names import TRACE_ID_CHARS
from openral.realtime import schedule_realtime
from openral.ros.parameters import declare
from openral.ros.run import EXIT_CONFIGURATION, run
from openral.ros.transport import use_udp_alone
from openral.terminal_text import printable
from openral.units import NANOSECONDS
from skill_runner_node.active_goal import ActiveGoal
from skill_runner_node.admission import ID_CHARS, admit
from skill_runner_node.chunk_sender import ChunkSender
from skill_runner_node.goal_run import Ask, Finish, GoalRun, Search
from skill_runner_node.image_feed import ImageFeed
from skill_runner_node.looking import AskWait, Looker
from skill_runner_node.messages import outcome_number
from skill_runner_node.motion.limits import load_limits
from skill_runner_node.parameters import RunnerParameters
from skill_runner_node.policy import Goal, Outcome
from skill_runner_node.reporting import Reporter
from skill_runner_node.robot_agreement import check_agreement
from skill_runner_node.run_settings import RunSettings
from skill_runner_node.skills import load_skills
from skill_runner_node.state_feed import StateFeed
from skill_runner_node.thinking import Thinking
from skill_runner_node.watch import Bounds, End

NAME = "skill_runner_node"


class SkillRunner(Node):
    """Between ROS and `GoalRun`; policies think on a worker, chunks leave on a thread.

    One goal at a time; another one meanwhile is refused. A goal goes on when its client has gone:
    it ends by itself, by its deadline, or by anybody's cancel.

    Args:
        image_environ: The environment that images arrive in; None: the process's.
    """

    def __init__(self, image_environ: Mapping[str, str] | None = None) -> None:
        super().__init__(NAME)
        self._p = p = declare(self, RunnerParameters)
        sys.setswitchinterval(p.switch_interval_s)
        if p.realtime_priority and not schedule_realtime(p.realtime_priority):
            self.get_logger().info("no right to real-time scheduling: the usual priority")
        robot_file = config_file(p.robot_file)
        limits = load_limits(robot_file)
        check_agreement(robot_file, self)
        cameras = load_cameras(config_file(p.cameras_file))
        self._skills = load_skills(config_folder(), p, limits, cameras)
        self._settings = RunSettings(
            Bounds(p.kernel_silence_s, p.joint_state_silence_s, p.start_wait_s, p.progress_wait_s),
            p.horizon,
            p.context_rows,
            p.lead_rows,
            limits.acceleration * p.limit_share,
            p.settle_s,
            p.settle_max_s,
            p.rest_velocity,
            p.look_timeout_s,
            p.stop_wait_s,
            p.splice_tolerance,
        )
        self._lock = threading.Lock()
        self._active: ActiveGoal | None = None
        # The kernel may outlive this process, and knows the numbers that an earlier one used.
        self._timeline = time.time_ns() // 1_000_000
        self._thinking = Thinking(lambda text: self.get_logger().error(f"policy: {text}"))
        self._image_feed = ImageFeed(self, os.environ if image_environ is None else image_environ)
        self._looker = Looker(
            self,
            self._image_feed.node,
            p.detector,
            cameras,
            AskWait(p.ask_wait_s, max(p.ask_wait_s, p.ask_wait_max_s)),
            tolerance=p.camera_info_tolerance,
            file=p.cameras_file,
        )
        self._reporter = Reporter(self)
        self._feed = StateFeed(self, limits.names)
        self._sender = ChunkSender(
            self,
            self._lock,
            lambda: self._active,
            self._feed,
            limits,
            period_s=p.stream_period_s,
            row_period_s=p.row_period_s,
            sequence=self._timeline,
        )
        self._server = ActionServer(
            self,
            ExecuteRskill,
            "execute_rskill",
            execute_callback=self._execute,
            # A refusal with its reason needs a result, which only an accepted goal has.
            goal_callback=lambda _: GoalResponse.ACCEPT,
            cancel_callback=self._on_cancel,
            goal_service_qos_profile=QoSProfile(depth=p.goal_queue),
            result_service_qos_profile=QoSProfile(depth=p.goal_queue),
        )
        self.create_timer(p.tick_s, self._tick)
        self.create_timer(p.report_period_s, self._report)
        self._sender.start()
        self.get_logger().info("rSkills: " + ", ".join(sorted(self._skills.manifests)))
        for name, why in sorted(self._skills.unfit.items()):
            self.get_logger().info(f"rSkill '{name}' is not run here: it {why}")

    def destroy_node(self) -> None:
        """Ends the threads first: they publish."""
        self._sender.close()
        self._feed.close()
        self._image_feed.close()
        self._thinking.close()
        super().destroy_node()

    # -- goals ------------------------------------------------------------------------------------

    async def _execute(self, goal_handle: Any) -> ExecuteRskill.Result:
        request = goal_handle.request
        trace_id = request.trace_id[:TRACE_ID_CHARS] or f"run-{time.time_ns():x}"
        if goal_handle.is_cancel_requested:
            end = End(Outcome.CANCELED, "canceled by its client before it began")
        else:
            try:
                active = self._begin(goal_handle, request, trace_id)
            except InputError as error:
                end = End(Outcome.REFUSED, str(error))
                self._reporter.failure(request.rskill_id[:ID_CHARS], trace_id, end)
            else:
                end = await active.over
        if end.outcome is Outcome.COMPLETED:
            goal_handle.succeed()
        elif goal_handle.is_cancel_requested:
            goal_handle.canceled()
        else:
            goal_handle.abort()
        return ExecuteRskill.Result(
            outcome=outcome_number(end.outcome), reason=end.reason, trace_id=trace_id
        )

    def _begin(self, goal_handle: Any, request: ExecuteRskill.Goal, trace_id: str) -> ActiveGoal:
        """Starts a goal, or raises `InputError` where it is refused."""
        busy = self._active
        if busy is not None:
            raise InputError(
                "no goal while another one runs",
                f"one beside '{busy.manifest.id}', trace {busy.trace_id}",
            )
        if self._feed.other_robot:
            raise InputError("a kernel that moves this robot", self._feed.other_robot)
        goal = admit(request, self._skills.manifests, self._skills.unfit)
        policy = self._skills.policies[goal.manifest.id]
        active = ActiveGoal(
            goal.manifest,
            request,
            trace_id,
            GoalRun(
                time.monotonic(),
                goal.deadline_s,
                goal.patience_s,
                self._settings,
                self._next_timeline,
            ),
            policy,
            self._thinking.begin(policy, Goal(goal.params, request.prompt)),
            goal_handle,
            rclpy.task.Future(executor=self.executor),
        )
        self._looker.open(goal.manifest.cameras)
        with self._lock:
            self._active = active
        self._say(active)
        return active

    def _on_cancel(self, goal_handle: Any) -> CancelResponse:
        """Accepts for every goal that has not ended; one that has not begun ends in `_execute`."""
        with self._lock:
            active = self._active
            if active is not None and active.goal_handle.goal_id == goal_handle.goal_id:
                active.run.cancel()
        return CancelResponse.ACCEPT

    def _tick(self) -> None:
        active = self._active
        if active is None:
            return
        now = time.monotonic()
        seen = self._looker.poll(now)
        if seen is not None:
            active.run.looked(seen)
        stage = active.run.stage
        with self._lock:
            joints = self._feed.joints
            effect = active.run.tick(
                now,
                self._feed.kernel,
                None if joints is None else joints[0],
                other_robot=self._feed.other_robot,
            )
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

    def _end(self, active: ActiveGoal, end: End) -> None:
        with self._lock:
            self._active = None
        self._looker.close()
        self._say(active, end)
        self._reporter.failure(active.manifest.id, active.trace_id, end)
        told = f"{active.request.params_json}: {end.outcome.name}, {end.reason}"
        self.get_logger().info(f"'{active.manifest.id}' {printable(told)}")
        active.over.set_result(end)

    def _next_timeline(self) -> int:
        self._timeline += 1
        return self._timeline

    # -- what it says -----------------------------------------------------------------------------

    def _ros_now(self) -> float:
        return float(self.get_clock().now().nanoseconds) / NANOSECONDS

    def _say(self, active: ActiveGoal, end: End | None = None) -> None:
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
                "other_robot": self._feed.other_robot,
            },
        )


def main() -> int:
    """Run the node; exit code 2 for a bad configuration."""
    # Images are too large for UDP; what moves the arm waits for no reader's shared memory.
    environ = dict(os.environ)
    try:
        profile = config_file("fastdds_localhost.xml")
    except ConfigError as error:
        print(f"{NAME}: {error}", file=sys.stderr)
        return EXIT_CONFIGURATION
    use_udp_alone(get_rmw_implementation_identifier(), profile)
    return run(lambda: SkillRunner(environ), NAME)


if __name__ == "__main__":
    sys.exit(main())

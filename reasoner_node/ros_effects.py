"""From effects to messages, goals and calls. What is not listed here, the reasoner cannot do."""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable
from typing import Any

from action_msgs.srv import CancelGoal
from openral_msgs.action import ExecuteRskill
from openral_msgs.msg import FailureTrigger, MissionState, Prompt, TaskState
from openral_msgs.srv import LocateInView, QueryScene, QueryTaskProgress
from rclpy.action import ActionClient
from rclpy.node import Node
from std_srvs.srv import Trigger

from openral.errors import InputError
from openral.ros import qos
from openral.ros.names import MISSION_STATE, TASK_STATE
from openral.ros.stamp import seconds
from openral.terminal_text import printable
from reasoner_node import ros_inputs
from reasoner_node.effects import (
    AskScene,
    CancelSkill,
    ChangeLifecycle,
    Effect,
    Locate,
    PublishMission,
    QueryProgress,
    ReloadPipeline,
    ReportFailure,
    Say,
    StartSkill,
)
from reasoner_node.events import (
    Event,
    LocateAnswered,
    ServiceAnswered,
    SkillAccepted,
    SkillEnded,
)
from reasoner_node.refusals import Refusals
from reasoner_node.service_clients import ServiceClients, value

PUBLISHED = ("say", "mission", "failure/critic")
"""Every topic that the node publishes."""

ACTIONS = ("execute_rskill",)
"""Every action that the node sends goals to."""

_KEPT = 16
"""Goals that are remembered: one runs at a time, so older ones are over."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,62}")


class RosEffects:
    """Executes effects; answers come back as events through `observe`.

    Args:
        node: For publishers and clients.
        observe: Takes an event, on the executor's thread.
        refusals: Counts answers that cannot be used.
        answer_timeout_s: [s] after which a service's answer is not waited for any more.
        max_detections: Taken of one answer.
        ahead_max_s: [s] that an image's stamp may lie ahead of this clock.
        skill_end: When an attempt ended by the skill runner [s]; None = not heard.
    """

    def __init__(
        self,
        node: Node,
        observe: Callable[[Event], None],
        refusals: Refusals,
        *,
        answer_timeout_s: float,
        max_detections: int,
        ahead_max_s: float,
        skill_end: Callable[[str], float | None],
    ) -> None:
        self._node = node
        self._observe = observe
        self._refusals = refusals
        self._max_detections = max_detections
        self._ahead_max_s = ahead_max_s
        self._skill_end = skill_end
        self._clients = ServiceClients(
            node, answer_timeout_s, lambda why: refusals.refuse("questions of this node", why)
        )
        self._say = node.create_publisher(Prompt, PUBLISHED[0], qos.SAY)
        self._mission = node.create_publisher(MissionState, PUBLISHED[1], qos.MISSION)
        self._failure = node.create_publisher(FailureTrigger, PUBLISHED[2], qos.FAILURE)
        self._runner = ActionClient(node, ExecuteRskill, ACTIONS[0])
        self._goal: tuple[str, Any] | None = None
        self._cancelled: deque[str] = deque(maxlen=_KEPT)
        self._unanswered: deque[Any] = deque()
        self._waiting_goal: StartSkill | None = None

    def execute(self, effect: Effect) -> bool:
        """Does one effect; False = it is not of the kinds that need ROS."""
        handlers: dict[type[Any], Callable[[Any], None]] = {
            Say: self._publish_say,
            PublishMission: self._publish_mission,
            ReportFailure: self._publish_failure,
            StartSkill: self._start,
            CancelSkill: self._cancel,
            Locate: self._locate,
            AskScene: self._ask_scene,
            QueryProgress: self._query_progress,
            ChangeLifecycle: self._change_lifecycle,
            ReloadPipeline: self._reload,
        }
        handler = handlers.get(type(effect))
        if handler is not None:
            handler(effect)
        return handler is not None

    def forget_unanswered(self) -> None:
        """Gives up the answers that did not come in time; the core's limits have told them."""
        self._clients.forget_unanswered()

    def cancel_earlier_goals(self) -> None:
        """Ends what an earlier life of this node started: nobody else would.

        Only goals that were taken before this call, so that none of its own is among them.
        """
        request = CancelGoal.Request()
        request.goal_info.stamp = self._stamp()
        # However late the skill runner appears: what it does, nobody here knows of.
        self._clients.call(
            CancelGoal,
            f"{ACTIONS[0]}/_action/cancel_goal",
            request,
            self._cancelling,
            wait_s=math.inf,
        )

    def _cancelling(self, response: Any) -> None:
        if response.goals_canceling:
            self._node.get_logger().warning("a skill of before this start was running: cancelled")

    def runner_ready(self) -> bool:
        """Whether the skill runner's action server is in the graph."""
        return bool(self._runner.server_is_ready())

    def send_waiting(self) -> None:
        """Sends what waited for its server; the core's own time limits end a wait in vain."""
        self._clients.ask_waiting()
        goal = self._waiting_goal
        if goal is not None and self.runner_ready():
            self._waiting_goal = None
            self._send(goal)

    def _stamp(self) -> Any:
        return self._node.get_clock().now().to_msg()

    def _publish_say(self, effect: Say) -> None:
        message = Prompt(
            text=effect.text, source="reasoner", kind=effect.kind, trace_id=effect.trace_id
        )
        message.header.stamp = self._stamp()
        self._say.publish(message)
        self._node.get_logger().info(f"say ({effect.kind}): {printable(effect.text)}")

    def _publish_mission(self, effect: PublishMission) -> None:
        message = MissionState(
            mission_id=effect.mission_id,
            goal=effect.goal,
            state=MISSION_STATE.number(effect.phase),
            current=effect.current,
            model_calls=effect.model_calls,
            brain=effect.brain,
            message=effect.message,
        )
        message.header.stamp = self._stamp()
        message.tasks = [
            TaskState(
                task_id=task.task_id,
                object_ref=task.object_ref,
                text=task.text,
                state=TASK_STATE.number(task.phase),
                depth=task.depth,
                attempts=task.attempts,
                progress=math.nan if task.progress is None else task.progress,
                verdict=task.verdict,
                reason=task.reason,
                elapsed_s=task.elapsed_s,
            )
            for task in effect.tasks
        ]
        self._mission.publish(message)

    def _publish_failure(self, effect: ReportFailure) -> None:
        message = FailureTrigger(
            severity=effect.severity,
            kind=effect.failure,
            source=self._node.get_name(),
            skill_id=effect.skill_id,
            trace_id=effect.trace_id,
            message=effect.message,
            evidence_json="{}",
        )
        message.header.stamp = self._stamp()
        self._failure.publish(message)

    def _start(self, effect: StartSkill) -> None:
        if self.runner_ready():
            self._send(effect)
        else:
            # One runs at a time; the core cancels what is not taken in time.
            self._waiting_goal = effect

    def _send(self, effect: StartSkill) -> None:
        goal = ExecuteRskill.Goal(
            rskill_id=effect.rskill_id,
            prompt=effect.prompt,
            params_json=effect.params_json,
            # How long its own plan may stand still is the skill's to know; how long the reward
            # may, `CriticWatchdog` watches.
            patience_s=0.0,
            deadline_s=effect.deadline_s,
            trace_id=effect.trace_id,
        )
        future = self._runner.send_goal_async(goal)
        self._unanswered.append(future)
        if len(self._unanswered) > _KEPT:
            # Its goal is long over for the core, and the client would keep it for ever.
            self._unanswered.popleft().cancel()
        future.add_done_callback(lambda done: self._goal_answered(effect.trace_id, done))

    def _goal_answered(self, trace_id: str, future: Any) -> None:
        if future in self._unanswered:
            self._unanswered.remove(future)
        if future.cancelled():
            return
        handle = value(future)
        if handle is None or not handle.accepted:
            reason = "the skill runner refused the goal"
            self._observe(SkillEnded(trace_id=trace_id, outcome="refused", reason=reason))
            return
        self._goal = (trace_id, handle)
        handle.get_result_async().add_done_callback(lambda done: self._goal_ended(trace_id, done))
        self._observe(SkillAccepted(trace_id=trace_id))
        if trace_id in self._cancelled:
            handle.cancel_goal_async()

    def _goal_ended(self, trace_id: str, future: Any) -> None:
        response = value(future)
        if self._goal is not None and self._goal[0] == trace_id:
            self._goal = None
        if trace_id in self._cancelled:
            self._cancelled.remove(trace_id)
        if response is None:
            # The goal's end is then told by the skill runner's silence.
            return
        result = response.result
        ended = ros_inputs.outcome(int(result.outcome))
        at = min(self._skill_end(trace_id) or math.inf, seconds(self._stamp()))
        reason = ros_inputs.short(result.reason)
        self._observe(SkillEnded(trace_id=trace_id, outcome=ended, reason=reason, stamp_s=at))

    def _cancel(self, effect: CancelSkill) -> None:
        self._cancelled.append(effect.trace_id)
        if self._waiting_goal is not None and self._waiting_goal.trace_id == effect.trace_id:
            self._waiting_goal = None
        if self._goal is not None and self._goal[0] == effect.trace_id:
            self._goal[1].cancel_goal_async()

    def _locate(self, effect: Locate) -> None:
        if not _NAME.fullmatch(effect.detector):
            message = f"no detector {effect.detector!r}"
            self._observe(LocateAnswered(call_id=effect.call_id, answered=False, message=message))
            return
        name = f"perception/{effect.detector}/locate_in_view"
        request = LocateInView.Request(query=effect.query, camera=effect.camera)

        def answered(response: Any) -> None:
            now = seconds(self._stamp())
            try:
                event = ros_inputs.located(
                    effect.call_id,
                    response,
                    now,
                    max_detections=self._max_detections,
                    ahead_max_s=self._ahead_max_s,
                )
            except InputError as error:
                self._refusals.refuse("answers of the detector", str(error))
                event = LocateAnswered(
                    call_id=effect.call_id,
                    answered=True,
                    camera=effect.camera,
                    message=f"the detector's answer was refused: {error}",
                )
            self._observe(event)

        self._clients.call(LocateInView, name, request, answered)

    def _ask_scene(self, effect: AskScene) -> None:
        request = QueryScene.Request(question=effect.question, camera=effect.camera)
        self._clients.call(
            QueryScene,
            "query_scene",
            request,
            lambda r: self._answer(effect.call_id, r.ok, r.answer or r.message),
        )

    def _query_progress(self, effect: QueryProgress) -> None:
        request = QueryTaskProgress.Request(window_s=effect.window_s)

        def answered(response: Any) -> None:
            text = (
                f"{response.critic_id}: progress {response.progress:.2f}, success "
                f"{response.success:.2f}{', stalled' if response.stalled else ''}"
                f"{', stale' if response.stale else ''} {response.message}"
            )
            self._answer(effect.call_id, not response.stale, text.strip())

        self._clients.call(QueryTaskProgress, "query_task_progress", request, answered)

    def _change_lifecycle(self, effect: ChangeLifecycle) -> None:
        # Installed with ROS everywhere, but only deployments with lifecycle nodes need it.
        from lifecycle_msgs.msg import Transition
        from lifecycle_msgs.srv import ChangeState

        request = ChangeState.Request()
        request.transition.id = getattr(Transition, f"TRANSITION_{effect.transition.upper()}")
        self._clients.call(
            ChangeState,
            f"{effect.node}/change_state",
            request,
            lambda r: self._answer(effect.call_id, r.success, effect.transition),
        )

    def _reload(self, effect: ReloadPipeline) -> None:
        if not _NAME.fullmatch(effect.camera):
            self._answer(effect.call_id, False, f"no camera {effect.camera!r}")
            return
        self._clients.call(
            Trigger,
            f"camera/{effect.camera}/reload_pipeline",
            Trigger.Request(),
            lambda r: self._answer(effect.call_id, r.success, r.message),
        )

    def _answer(self, call_id: str, ok: bool, message: str) -> None:
        text = ros_inputs.short(message)
        self._observe(ServiceAnswered(call_id=call_id, ok=bool(ok), message=text))

"""The reasoner as a ROS node: messages, effects, timers and workers. No policy."""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections import deque
from pathlib import Path

from rclpy.node import Node

from openral.bringup.installed import config_file, config_folder
from openral.camera_model import load_cameras
from openral.llm.call_bounds import CallBounds
from openral.llm.legacy_environment import with_old_names
from openral.llm.redaction import redact
from openral.llm.registry import Selection
from openral.ros.parameters import declare
from openral.ros.run import run
from openral.ros.stamp import seconds
from openral.rskill import load_rskills
from openral.terminal_text import printable
from openral.units import MEGABYTE, NANOSECONDS
from reasoner_node.brain import BrainReply, PreparedTick
from reasoner_node.brains.factory import make_brain
from reasoner_node.camera_frame import age_problem, encode_jpeg
from reasoner_node.core import ReasonerCore, Suppressed
from reasoner_node.effects import AskImage, Effect
from reasoner_node.events import Event, ImageAnswered, NodeName
from reasoner_node.image_question import ask
from reasoner_node.liveness import Liveness, RunnerPresence, RunnerWatch
from reasoner_node.palette import Palette
from reasoner_node.parameters import Parameters
from reasoner_node.refusals import Refusals
from reasoner_node.replay import header
from reasoner_node.ros_effects import RosEffects
from reasoner_node.ros_subscriptions import RosSubscriptions
from reasoner_node.state import ReasonerState
from reasoner_node.trace_writer import TraceWriter
from reasoner_node.view_filter import ViewFilter
from reasoner_node.workers import Mailbox, Worker

NAME = "reasoner_node"
_IDLE_S = 3600.0
"""[s] period of the deadline timer while nothing is due; it is set anew before it matters."""


class ReasonerNode(Node):
    """Drives one `ReasonerCore` with the steady clock."""

    def __init__(self) -> None:
        super().__init__(NAME)
        environ, old_names = with_old_names(os.environ)
        self._settings = parameters = declare(self, Parameters, environ=environ)
        chosen = make_brain(
            Selection(parameters.model, parameters.endpoint, parameters.dialect),
            config_file(parameters.models_file) if parameters.model != "rules" else Path(),
            environ,
            bounds=CallBounds(
                timeout_s=parameters.model_timeout_s,
                attempts=parameters.model_attempts,
                first_wait_s=parameters.model_retry_wait_s,
            ),
            max_tokens=parameters.max_tokens,
        )
        for warning in (*old_names, *chosen.warnings):
            self.get_logger().warning(warning)
        self._brain, self._vision = chosen.brain, chosen.vision
        manifests = load_rskills(config_folder() / parameters.rskills_folder)
        state = ReasonerState(
            settings=parameters,
            palette=Palette(manifests, parameters.robot_name, parameters.skill_failure_cap),
            # 32 bits: enough to tell the lives of one robot's log apart, and short beside 64 bytes.
            run_id=secrets.token_hex(4),
            brain=self._brain.name,
            brain_is_model=self._brain.is_model,
            robot=parameters.robot_name,
            can_ask_image=self._vision is not None,
            services=frozenset(parameters.services),
            verify_calibration=load_cameras(config_file(parameters.cameras_file)).get(
                parameters.verify_camera
            ),
        )
        self._trace = TraceWriter(
            parameters.trace_path,
            parameters.trace_backlog,
            self._trace_failed,
            size_max=int(parameters.trace_size_max_mb * MEGABYTE),
        )
        self._trace(header(state, manifests))
        self._core = ReasonerCore(state, self._trace)
        self._inbox: deque[Event] = deque()
        self._busy = False
        self._wake_up = self.create_guard_condition(self._on_mail)
        self._mailbox = Mailbox(self._wake_up.trigger)
        self._thinker: Worker[BrainReply] = Worker("tool_call", self._mailbox, _no_decision)
        self._looker: Worker[ImageAnswered] = Worker("image_question", self._mailbox, _no_answer)
        self._refusals = Refusals(self._tell_refusal)
        self._effects = RosEffects(
            self,
            self._observe,
            self._refusals,
            answer_timeout_s=parameters.question_timeout_s,
            max_detections=parameters.max_detections,
            ahead_max_s=parameters.stamp_ahead_max_s,
            skill_end=lambda trace_id: self._inputs.skill_end(trace_id),
        )
        self._watch(parameters)
        self._inputs = RosSubscriptions(
            self,
            detector=parameters.detector,
            image_camera=parameters.verify_camera if self._vision is not None else "",
            views=ViewFilter(
                parameters.view_period_s, parameters.view_moved_px, parameters.max_cameras
            ),
            refusals=self._refusals,
            max_detections=parameters.max_detections,
            ahead_max_s=parameters.stamp_ahead_max_s,
            observe=self._observe,
            heard=self._heard,
            skill_spoke=lambda idle: self._runner.spoke(self._now(), idle=idle),
            now=self._now,
        )
        self.create_timer(1.0 / parameters.tick_hz, self._on_heartbeat)
        self._deadline = self.create_timer(_IDLE_S, self._on_deadline)
        self._effects.cancel_earlier_goals()
        self._effects.execute(state.report(self._now()))
        self.get_logger().info(
            f"brain: {self._brain.name}; skills: {', '.join(state.palette.skills) or 'none'}"
        )

    def _watch(self, parameters: Parameters) -> None:
        timeouts: dict[NodeName, float] = {
            "safety_kernel": parameters.kernel_timeout_s,
            "robot": parameters.robot_timeout_s,
            "perception": parameters.perception_timeout_s,
            "skill_runner": parameters.server_timeout_s,
        }
        self._liveness = Liveness(
            timeouts, parameters.startup_grace_s, self._now(), parameters.own_stall_s
        )
        self._runner = RunnerWatch(parameters.skill_state_timeout_s)
        self.create_timer(parameters.watch_period_s, self._on_watch)

    def destroy_node(self) -> None:
        """Writes the trace to its end and lets the node go."""
        self._trace.close(2.0)
        super().destroy_node()

    def _now(self) -> float:
        return time.monotonic()

    def _heard(self, node: NodeName) -> None:
        back = self._liveness.heard(node, self._now())
        if back is not None:
            if node == "safety_kernel":
                self._inputs.forget_kernel()
            self._observe(back)

    def _on_watch(self) -> None:
        now = self._now()
        attempt = self._core.state.attempt
        holds_runner = attempt is not None and attempt.holds_runner
        if not holds_runner:
            self._runner.goal_over()
        runner = self._runner.presence(now, server_ready=self._effects.runner_ready())
        if runner is RunnerPresence.ANSWERING:
            self._heard("skill_runner")
        elif runner is RunnerPresence.SILENT and holds_runner:
            gone = self._liveness.declare_lost("skill_runner", "it fell silent during a goal")
            if gone is not None:
                self._observe(gone)
        for event in self._liveness.check(now):
            self._observe(event)
        self._effects.send_waiting()
        self._effects.forget_unanswered()

    def _on_heartbeat(self) -> None:
        outcome, effects = self._core.prepare_tick(self._now(), heartbeat=True)
        self._run(effects)
        if isinstance(outcome, PreparedTick):
            self._think(outcome)
        self._turn()

    def _on_deadline(self) -> None:
        self._run(self._core.advance(self._now()))
        self._turn()

    def _on_mail(self) -> None:
        self._mailbox.empty()

    def _observe(self, event: Event) -> None:
        """Feeds the core; an event that an effect brings waits until that one's turn is over."""
        self._inbox.append(event)
        if self._busy:
            return
        self._turn()

    def _turn(self) -> None:
        if self._busy:
            return
        self._busy = True
        try:
            while True:
                while self._inbox:
                    event = self._inbox.popleft()
                    self._run(self._core.observe(event, self._now()))
                if not self._core.tick_due(self._now()):
                    break
                outcome, effects = self._core.prepare_tick(self._now())
                self._run(effects)
                if isinstance(outcome, Suppressed):
                    break
                self._think(outcome)
        finally:
            self._busy = False
        self._arm()

    def _run(self, effects: tuple[Effect, ...]) -> None:
        busy, self._busy = self._busy, True
        try:
            for effect in effects:
                if isinstance(effect, AskImage):
                    self._look(effect)
                elif not self._effects.execute(effect):
                    self.get_logger().error(f"effect {effect.effect} has no executor")
                if effect.effect == "start_skill":
                    self._runner.goal_taken(self._now())
        finally:
            self._busy = busy

    def _think(self, tick: PreparedTick) -> None:
        self._thinker.submit(
            lambda: self._brain.choose(tick), lambda reply: self._decided(tick.tick_id, reply)
        )

    def _decided(self, tick_id: int, reply: BrainReply) -> None:
        finished = self._core.finish_tick(self._now(), tick_id, reply)
        self.get_logger().debug(f"tick {tick_id}: {finished.verdict} {reply.tool}")
        self._run(finished.effects)
        if finished.again is not None:
            self._think(finished.again)
        self._turn()

    def _look(self, effect: AskImage) -> None:
        client, frame, parameters = self._vision, self._inputs.frame, self._settings
        stamp = None if frame is None else seconds(frame.header.stamp)
        now = seconds(self.get_clock().now().to_msg())
        problem = age_problem(stamp, now, effect.max_age_s, parameters.stamp_ahead_max_s)
        if client is None or problem:
            self._observe(
                ImageAnswered(call_id=effect.call_id, answer="cannot_tell", message=problem)
            )
            return
        self._looker.submit(
            lambda: ask(
                client,
                encode_jpeg(frame, parameters.image_max_edge_px),
                effect.question,
                effect.call_id,
            ),
            lambda answer: self._observe(
                ImageAnswered(call_id=effect.call_id, answer=answer.answer, message=answer.message)
            ),
        )

    def _arm(self) -> None:
        """Sets the one timer to the next moment at which time alone changes something."""
        now = self._now()
        due = self._core.next_deadline(now)
        wait = _IDLE_S if due is None else min(_IDLE_S, max(0.001, due - now))
        self._deadline.timer_period_ns = int(wait * NANOSECONDS)
        self._deadline.reset()

    def _tell_refusal(self, line: str) -> None:
        self.get_logger().warning(printable(line), throttle_duration_sec=1.0)

    def _trace_failed(self, error: Exception) -> None:
        self.get_logger().error(
            f"the trace cannot be written, {self._trace.lost} records lost: {error}",
            throttle_duration_sec=10.0,
        )


def _no_decision(error: Exception) -> BrainReply:
    return BrainReply(error=redact(f"the brain failed: {type(error).__name__}: {error}"))


def _no_answer(error: Exception) -> ImageAnswered:
    message = redact(f"the image question failed: {type(error).__name__}: {error}")
    return ImageAnswered(call_id="", answer="cannot_tell", message=message)


def main() -> int:
    """Runs the node; exit code 2 with one line for a bad configuration."""
    return run(ReasonerNode, NAME)


if __name__ == "__main__":
    sys.exit(main())

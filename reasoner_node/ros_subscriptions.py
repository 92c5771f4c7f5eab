"""The topics that the node listens to: messages become events, signs of life, or refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from openral_msgs.msg import (
    CriticScore,
    DetectionArray,
    FailureTrigger,
    KernelStatus,
    PerceptionEvent,
    Prompt,
    SkillState,
)
from pydantic import ValidationError
from rclpy.node import Node
from sensor_msgs.msg import Image, JointState

from openral.errors import InputError
from openral.llm.redaction import redact
from openral.names import DIAGNOSED_LIFE, FAILURE_LAYERS, PERCEPTION_NODE, FailureLayer
from openral.ros import qos
from openral.ros.stamp import seconds
from reasoner_node import ros_inputs
from reasoner_node.events import DetectionsSeen, Event, NodeName, NodePresence
from reasoner_node.refusals import Refusals
from reasoner_node.view_filter import ViewFilter

MAX_LIFE_CHARS = 64
"""Kept of what tells one life of a node from another."""


class RosSubscriptions:
    """Subscribes and translates.

    Args:
        node: For subscriptions.
        detector: Whose detections are the live view.
        image_camera: Camera whose newest image is kept; empty = none.
        views: Passes changed views on.
        refusals: Counts what cannot be used.
        max_detections: Taken of one message.
        ahead_max_s: [s] that an image's stamp may lie ahead of this clock.
        observe: Takes an event.
        heard: Takes a sign of life of another node.
        skill_spoke: Takes a sign of life of the skill runner; True = it has just started.
        now: The steady clock [s].
    """

    def __init__(
        self,
        node: Node,
        *,
        detector: str,
        image_camera: str,
        views: ViewFilter,
        refusals: Refusals,
        max_detections: int,
        ahead_max_s: float,
        observe: Callable[[Event], None],
        heard: Callable[[NodeName], None],
        skill_spoke: Callable[[bool], None],
        now: Callable[[], float],
    ) -> None:
        self._node = node
        self._views = views
        self._refusals = refusals
        self._max_detections = max_detections
        self._ahead_max_s = ahead_max_s
        self._observe = observe
        self._heard = heard
        self._skill_spoke = skill_spoke
        self._now = now
        self._kernel_key: Any = None
        self._perception_life = ""
        self._ended = ("", 0.0)
        self.frame: Any = None
        """Newest image of `image_camera`; None = there was none."""
        self._subscribe(detector, image_camera)

    def skill_end(self, trace_id: str) -> float | None:
        """When the skill runner said that an attempt ended [s]; None = that was not heard."""
        ended, at = self._ended
        return at if ended == trace_id and at > 0.0 else None

    def forget_kernel(self) -> None:
        """The kernel was gone: its next state is news, even if it is the same as before."""
        self._kernel_key = None

    def _subscribe(self, detector: str, image_camera: str) -> None:
        add = self._node.create_subscription
        add(Prompt, "prompt", self._on_prompt, qos.PROMPT)
        for layer in FAILURE_LAYERS:
            add(
                FailureTrigger,
                f"failure/{layer}",
                lambda message, layer=layer: self._on_failure(layer, message),
                qos.FAILURE,
            )
        add(CriticScore, "critic/score", self._on_score, qos.CRITIC)
        add(DetectionArray, f"perception/{detector}/detections", self._on_view, qos.DETECTIONS)
        for topic in ("objects", "motion", "scene_change", "ocr"):
            add(PerceptionEvent, f"perception/{topic}", self._on_change, qos.PERCEPTION_EVENT)
        add(KernelStatus, "kernel_status", self._on_kernel, qos.KERNEL_STATUS)
        add(SkillState, "skill_state", self._on_skill, qos.SKILL_STATE)
        add(DiagnosticArray, "diagnostics", self._on_diagnostics, qos.DIAGNOSTICS)
        # Only the sign of life matters, so the message stays packed.
        add(JointState, "joint_states", lambda _: self._heard("robot"), qos.SENSOR, raw=True)
        if image_camera:
            add(Image, f"camera/{image_camera}/image_raw", self._on_image, qos.SENSOR)

    def _on_prompt(self, message: Any) -> None:
        self._pass_on(ros_inputs.prompt, message)

    def _on_failure(self, layer: FailureLayer, message: Any) -> None:
        # What this node reported itself is known to its core already.
        if message.source != self._node.get_name():
            self._pass_on(lambda m: ros_inputs.failure(layer, m), message)

    def _on_score(self, message: Any) -> None:
        now = seconds(self._node.get_clock().now().to_msg())
        self._pass_on(lambda m: ros_inputs.critic_score(m, now, self._ahead_max_s), message)

    def _on_change(self, message: Any) -> None:
        self._pass_on(ros_inputs.perception_change, message)

    def _on_view(self, message: Any) -> None:
        self._heard("perception")
        now = seconds(self._node.get_clock().now().to_msg())
        event = self._read(
            lambda m: ros_inputs.detections(
                m, now, max_detections=self._max_detections, ahead_max_s=self._ahead_max_s
            ),
            message,
        )
        too_many = len(message.detections) - self._max_detections
        if too_many > 0:
            why = f"expected at most {self._max_detections} in a message"
            self._refusals.refuse("detections", why, too_many)
        if isinstance(event, DetectionsSeen) and self._views.passes(event, self._now()):
            self._observe(event)

    def _on_diagnostics(self, message: Any) -> None:
        # A detector whose cameras give no images has no other sign of life.
        own = [
            status
            for status in message.status
            if status.name.startswith(f"{PERCEPTION_NODE}:")
            # A process that speaks while its detector hangs is no detector that lives.
            and status.level != DiagnosticStatus.STALE
        ]
        if not own:
            return
        self._heard("perception")
        lives = [v.value[:MAX_LIFE_CHARS] for s in own for v in s.values if v.key == DIAGNOSED_LIFE]
        if not lives or lives[0] == self._perception_life:
            return
        known, self._perception_life = self._perception_life, lives[0]
        if known:
            self._observe(NodePresence(node="perception", alive=True, new_life=True))

    def _on_skill(self, message: Any) -> None:
        self._skill_spoke(message.state == SkillState.IDLE)
        if message.state not in (SkillState.IDLE, SkillState.RUNNING):
            self._ended = (message.trace_id, seconds(message.header.stamp))

    def _on_kernel(self, message: Any) -> None:
        self._heard("safety_kernel")
        event = self._read(ros_inputs.kernel_state, message)
        key = (message.state, message.reason, tuple(message.unmet))
        if event is not None and key != self._kernel_key:
            self._kernel_key = key
            self._observe(event)

    def _on_image(self, message: Any) -> None:
        self.frame = message

    def _pass_on(self, translate: Callable[[Any], Event], message: Any) -> None:
        event = self._read(translate, message)
        if event is not None:
            self._observe(event)

    def _read(self, translate: Callable[[Any], Event], message: Any) -> Event | None:
        try:
            return translate(message)
        except (ValidationError, InputError, ValueError) as error:
            self._refusals.refuse(type(message).__name__, redact(str(error)))
            return None

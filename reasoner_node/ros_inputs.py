"""From messages to events. Fields are checked by the events; no policy here."""

from __future__ import annotations

import math
from typing import Any

from openral.names import FailureLayer, OutcomeName
from openral.ros.names import KERNEL_STATE, OUTCOME
from openral.ros.stamp import seconds
from reasoner_node.events import (
    CriticScore,
    DetectionsSeen,
    Failure,
    KernelState,
    LocateAnswered,
    OperatorPrompt,
    PerceptionChange,
    Seen,
)

MAX_DETECTIONS = 200
MAX_LABEL_CHARS = 100
"""What a tool call can name; a longer label could not be acted on."""
MAX_TEXT_CHARS = 1000
"""Words of another node that are kept: they go on into the say, the trace and the context."""


def prompt(message: Any) -> OperatorPrompt:
    """openral_msgs/Prompt."""
    return OperatorPrompt(text=message.text, source=message.source or "operator")


def failure(layer: FailureLayer, message: Any) -> Failure:
    """openral_msgs/FailureTrigger; a severity beyond the known ones counts as the worst."""
    return Failure(
        layer=layer,
        severity=min(int(message.severity), 3),
        failure=short(message.kind) or "unnamed",
        source=short(message.source),
        skill_id=message.skill_id,
        trace_id=message.trace_id,
        message=short(message.message),
    )


def critic_score(message: Any) -> CriticScore:
    """openral_msgs/CriticScore; not-a-number means that the monitor cannot tell."""
    return CriticScore(
        critic_id=message.critic_id,
        trace_id=message.trace_id,
        score=_unit(message.score),
        progress=_unit(message.progress),
        success=_unit(message.success),
        threshold=_unit(message.threshold) or 0.0,
        floor=_unit(message.floor) or 0.0,
        stage=message.stage,
    )


def detections(message: Any) -> DetectionsSeen:
    """openral_msgs/DetectionArray."""
    return DetectionsSeen(
        detector=message.detector, camera=message.camera, detections=seen(message.detections)
    )


def seen(items: Any) -> tuple[Seen, ...]:
    """openral_msgs/Detection[]; what has no usable name or no finite box is left out."""
    return tuple(
        Seen(
            label=item.label,
            score=_unit(item.score) or 0.0,
            x_min=item.x_min,
            y_min=item.y_min,
            x_max=item.x_max,
            y_max=item.y_max,
            det_id=item.det_id,
        )
        for item in items[:MAX_DETECTIONS]
        if 0 < len(item.label) <= MAX_LABEL_CHARS
        and all(math.isfinite(v) for v in (item.x_min, item.y_min, item.x_max, item.y_max))
    )


def perception_change(message: Any) -> PerceptionChange:
    """openral_msgs/PerceptionEvent."""
    return PerceptionChange(
        change=short(message.kind),
        camera=short(message.camera),
        label=short(message.label),
        summary=short(message.summary),
    )


def kernel_state(message: Any) -> KernelState:
    """openral_msgs/KernelStatus; a state that is not known counts as latched."""
    return KernelState(
        state=KERNEL_STATE.name(message.state) or "latched",
        reason=short(message.reason),
        message=short(message.message),
        unmet=tuple(map(short, message.unmet)),
    )


def located(call_id: str, response: Any, ros_now_s: float) -> LocateAnswered:
    """openral_msgs/srv/LocateInView response; a zero stamp means that there was no image."""
    stamp = seconds(response.image_stamp)
    return LocateAnswered(
        call_id=call_id,
        answered=True,
        found=response.found,
        camera=response.camera,
        detections=seen(response.detections),
        image_age_s=max(0.0, ros_now_s - stamp) if stamp > 0.0 else None,
        message=short(response.message),
    )


def outcome(value: int) -> OutcomeName:
    """ExecuteRskill result; an outcome that is not known counts as the policy's error."""
    return OUTCOME.name(value) or "policy_error"


def short(text: str) -> str:
    """At most `MAX_TEXT_CHARS` of a text, and a mark where it goes on."""
    return text if len(text) <= MAX_TEXT_CHARS else text[: MAX_TEXT_CHARS - 1] + "…"


def _unit(value: float) -> float | None:
    """A value of [0, 1]; None where it is not finite; clipped where it is beyond."""
    return min(1.0, max(0.0, float(value))) if math.isfinite(value) else None

"""From messages to events. Fields are checked by the events; no policy here."""

from __future__ import annotations

import json
import math
from typing import Any

from openral.errors import InputError
from openral.names import TRACE_ID_CHARS, FailureLayer, OutcomeName
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

MAX_LABEL_CHARS = 100
"""What a tool call can name; a longer label could not be acted on."""
MAX_TEXT_CHARS = 1000
"""Words of another node that are kept: they go on into the say, the trace and the context."""


MAX_PROMPT_CHARS = 20001
"""One more than the longest prompt that may be allowed; the rest is only counted."""
MAX_EVIDENCE_CHARS = 4096


def prompt(message: Any) -> OperatorPrompt:
    """openral_msgs/Prompt; of an endless one only the beginning and the length are kept."""
    text = message.text[:MAX_PROMPT_CHARS]
    return OperatorPrompt(
        text=text,
        source=short(message.source) or "operator",
        trace_id=message.trace_id[:TRACE_ID_CHARS],
        cut_chars=len(message.text) - len(text),
    )


def failure(layer: FailureLayer, message: Any) -> Failure:
    """openral_msgs/FailureTrigger; a severity beyond the known ones counts as the worst."""
    return Failure(
        layer=layer,
        severity=min(int(message.severity), 3),
        failure=short(message.kind) or "unnamed",
        camera=evidence_camera(message) if layer == "sensor" else "",
        source=short(message.source),
        skill_id=short(message.skill_id),
        trace_id=message.trace_id[:TRACE_ID_CHARS],
        message=short(message.message),
    )


def evidence_camera(message: Any) -> str:
    """The camera in a failure's evidence; empty where the evidence names none or is unusable."""
    if len(message.evidence_json) > MAX_EVIDENCE_CHARS:
        return ""
    try:
        evidence = json.loads(message.evidence_json or "{}")
    except (ValueError, RecursionError):
        return ""
    camera = evidence.get("camera") if isinstance(evidence, dict) else None
    return camera if isinstance(camera, str) and len(camera) <= MAX_LABEL_CHARS else ""


def critic_score(message: Any, ros_now_s: float, ahead_max_s: float) -> CriticScore:
    """openral_msgs/CriticScore; not-a-number means that the monitor cannot tell.

    Raises:
        InputError: The stamp lies more than `ahead_max_s` [s] ahead of the clock.
    """
    dated = stamp_age(message.header.stamp, ros_now_s, ahead_max_s) is not None
    return CriticScore(
        critic_id=short(message.critic_id),
        trace_id=message.trace_id[:TRACE_ID_CHARS],
        score=_unit(message.score),
        progress=_unit(message.progress),
        success=_unit(message.success),
        threshold=_unit(message.threshold) or 0.0,
        floor=_unit(message.floor) or 0.0,
        stage=short(message.stage),
        stamp_s=seconds(message.header.stamp) if dated else None,
    )


def detections(
    message: Any, ros_now_s: float, *, max_detections: int, ahead_max_s: float
) -> DetectionsSeen:
    """openral_msgs/DetectionArray.

    Raises:
        InputError: The camera's name is too long, or the image is of the future.
    """
    if len(message.camera) > MAX_LABEL_CHARS:
        raise InputError(
            f"a camera name of at most {MAX_LABEL_CHARS} characters", str(len(message.camera))
        )
    return DetectionsSeen(
        detector=short(message.detector),
        camera=message.camera,
        detections=seen(message.detections, max_detections),
        image_age_s=stamp_age(message.header.stamp, ros_now_s, ahead_max_s),
    )


def stamp_age(stamp: Any, ros_now_s: float, ahead_max_s: float) -> float | None:
    """[s] since a stamp, e.g. since an image was taken; None where there is none.

    Raises:
        InputError: The stamp lies more than `ahead_max_s` [s] ahead of the clock.
    """
    taken = seconds(stamp)
    if taken <= 0.0:
        return None
    age = ros_now_s - taken
    if age < -ahead_max_s:
        raise InputError(
            f"a stamp at most {ahead_max_s:g} s ahead of this clock",
            f"{-age:.3f} s ahead",
            "check the clocks",
        )
    return max(0.0, age)


def seen(items: Any, max_detections: int) -> tuple[Seen, ...]:
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
        for item in items[:max_detections]
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


def located(
    call_id: str, response: Any, ros_now_s: float, *, max_detections: int, ahead_max_s: float
) -> LocateAnswered:
    """openral_msgs/srv/LocateInView response; a zero stamp means that there was no image.

    Raises:
        InputError: The image is of the future, or the camera's name is too long.
    """
    if len(response.camera) > MAX_LABEL_CHARS:
        raise InputError(
            f"a camera name of at most {MAX_LABEL_CHARS} characters", str(len(response.camera))
        )
    return LocateAnswered(
        call_id=call_id,
        answered=True,
        found=response.found,
        camera=response.camera,
        detections=seen(response.detections, max_detections),
        image_age_s=stamp_age(response.image_stamp, ros_now_s, ahead_max_s),
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

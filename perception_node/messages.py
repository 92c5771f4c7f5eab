"""What the perception node says, as ROS messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from diagnostic_msgs.msg import DiagnosticStatus, KeyValue
from openral_msgs.msg import Detection, FailureTrigger, PerceptionEvent
from std_msgs.msg import Header

from openral.names import CAMERA_RECOVERED, CAMERA_STALE
from perception_node.camera_view import CameraView
from perception_node.detection import TrackedDetection
from perception_node.freshness import CameraHealth

APPEARED, GONE = "object_appeared", "object_gone"
CAMERA_INFO_MISMATCH = "camera_info_mismatch"


def detection_message(found: TrackedDetection) -> Detection:
    """One detection."""
    return Detection(
        label=found.label,
        score=found.score,
        x_min=found.box.x_min,
        y_min=found.box.y_min,
        x_max=found.box.x_max,
        y_max=found.box.y_max,
        det_id=found.det_id,
        clipped=found.clipped,
    )


def event_message(
    header: Header, detector: str, camera: str, kind: str, found: TrackedDetection
) -> PerceptionEvent:
    """An object came or went; `kind` is `APPEARED` or `GONE`."""
    verb = "came into view" if kind == APPEARED else "is no longer in view"
    return PerceptionEvent(
        header=header,
        kind=kind,
        detector=detector,
        camera=camera,
        label=found.label,
        det_id=found.det_id,
        summary=f"{found.label} #{found.det_id} {verb} of camera {camera}",
    )


def failure_message(
    stamp: Any, source: str, camera: str, health: CameraHealth, limit_s: float
) -> FailureTrigger:
    """A camera became stale, or came back."""
    evidence = {
        "camera": camera,
        "state": health.state.value,
        "age_s": round(health.age_s, 3),
        "limit_s": limit_s,
    }
    return FailureTrigger(
        header=Header(stamp=stamp),
        severity=FailureTrigger.FAIL if health.stale else FailureTrigger.INFO,
        kind=CAMERA_STALE if health.stale else CAMERA_RECOVERED,
        source=source,
        message=health.reason,
        evidence_json=json.dumps(evidence),
    )


def calibration_message(stamp: Any, source: str, camera: str, problem: str) -> FailureTrigger:
    """A camera's camera_info contradicts its calibration (`problem`), or agrees again (empty)."""
    return FailureTrigger(
        header=Header(stamp=stamp),
        severity=FailureTrigger.FAIL if problem else FailureTrigger.INFO,
        kind=CAMERA_INFO_MISMATCH if problem else "camera_info_agrees",
        source=source,
        message=problem or f"camera {camera}: camera_info agrees with its calibration again",
        evidence_json=json.dumps({"camera": camera}),
    )


def camera_status(
    node: str, view: CameraView, now: float, extra: Mapping[str, str], stalled: str = ""
) -> DiagnosticStatus:
    """A camera's diagnostics at `now` [s]; `extra` is added to its values.

    Where the detector is `stalled` (why; empty = it is not), the level is STALE: the node speaks,
    and that is no sign that it sees.
    """
    health, counters = view.health(now), view.counters
    values = {
        "state": health.state.value,
        "image_age_s": f"{health.age_s:.3f}",
        "images_received": str(counters.received),
        "images_looked_at": str(counters.looked_at),
        "images_refused": str(counters.refused),
        "last_refusal": counters.last_refusal,
        "boxes_dropped": json.dumps(dict(counters.dropped_boxes)),
        **extra,
    }
    problem = stalled or view.calibration.problem
    level = DiagnosticStatus.ERROR if health.stale or problem else DiagnosticStatus.OK
    return DiagnosticStatus(
        level=DiagnosticStatus.STALE if stalled else level,
        name=f"{node}: camera {view.name}",
        message=problem or health.reason,
        hardware_id=view.name,
        values=[KeyValue(key=key, value=value) for key, value in values.items()],
    )

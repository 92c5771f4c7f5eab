"""Passes a camera's view on when it changed, or from time to time, so that idle costs nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from reasoner_node.events import DetectionsSeen

MOVED_PX = 10.0


@dataclass
class ViewFilter:
    """Remembers the last view of each camera.

    Attributes:
        period_s: [s] after which an unchanged view is passed on, so that its age stays true.
    """

    period_s: float
    _last: dict[str, tuple[float, DetectionsSeen]] = field(default_factory=dict)

    def passes(self, event: DetectionsSeen, now: float) -> bool:
        """Whether the view tells something new; objects, ids, or positions by `MOVED_PX`."""
        last = self._last.get(event.camera)
        if last is not None and now - last[0] < self.period_s and not _changed(last[1], event):
            return False
        self._last[event.camera] = (now, event)
        return True


def _changed(before: DetectionsSeen, after: DetectionsSeen) -> bool:
    if len(before.detections) != len(after.detections):
        return True
    for old, new in zip(before.detections, after.detections, strict=True):
        if (old.label, old.det_id) != (new.label, new.det_id):
            return True
        if any(abs(a - b) > MOVED_PX for a, b in zip(old.centre, new.centre, strict=True)):
            return True
    return False

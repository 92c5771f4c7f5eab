"""Passes a camera's view on when it changed, or from time to time, so that idle costs nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from reasoner_node.events import DetectionsSeen


@dataclass
class ViewFilter:
    """Remembers the last view of each camera.

    Attributes:
        period_s: [s] after which an unchanged view is passed on, so that its age stays true.
        moved_px: [px] from which on an object counts as moved.
        max_cameras: Cameras remembered; the one that was not heard for longest goes first.
    """

    period_s: float
    moved_px: float
    max_cameras: int
    _last: dict[str, tuple[float, DetectionsSeen]] = field(default_factory=dict)

    def passes(self, event: DetectionsSeen, now: float) -> bool:
        """Whether the view tells something new; objects, ids, or positions by `moved_px`."""
        last = self._last.get(event.camera)
        if last is not None and now - last[0] < self.period_s and not self._changed(last[1], event):
            return False
        self._last.pop(event.camera, None)
        self._last[event.camera] = (now, event)
        if len(self._last) > self.max_cameras:
            del self._last[next(iter(self._last))]
        return True

    def _changed(self, before: DetectionsSeen, after: DetectionsSeen) -> bool:
        if len(before.detections) != len(after.detections):
            return True
        for old, new in zip(before.detections, after.detections, strict=True):
            if (old.label, old.det_id) != (new.label, new.det_id):
                return True
            if any(abs(a - b) > self.moved_px for a, b in zip(old.centre, new.centre, strict=True)):
                return True
        return False

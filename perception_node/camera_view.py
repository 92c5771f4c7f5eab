"""One camera as the node knows it: its images' freshness, its tracks, and what was last seen.

Pure: times are handed in [s], stamps are in nanoseconds of the same clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from openral.names import CAMERA_STALE
from openral.units import NANOSECONDS
from perception_node.calibration import Calibration
from perception_node.detection import TrackedDetection
from perception_node.freshness import CameraFreshness, CameraHealth, FreshnessLimits
from perception_node.tracker import DetectionTracker2D, TrackerLimits, TrackUpdate
from perception_node.validation import Checked


@dataclass(frozen=True)
class Sight:
    """What was seen in one image."""

    stamp_ns: int
    seen: tuple[TrackedDetection, ...]


@dataclass
class ViewCounters:
    """What happened to a camera's images since the start, by kind."""

    received: int = 0
    looked_at: int = 0
    refused: int = 0
    dropped_boxes: Counter[str] = field(default_factory=Counter)
    last_refusal: str = ""


class CameraView:
    """See the module's text."""

    def __init__(
        self,
        name: str,
        *,
        max_rate: float,
        early: float,
        freshness: FreshnessLimits,
        tracking: TrackerLimits,
        calibration: Calibration,
        ids: Iterator[int],
        now: float,
    ) -> None:
        """Args: `early` is the share of a period that an image may come early and still be due."""
        self.name = name
        self.calibration = calibration
        self.counters = ViewCounters()
        self.sight: Sight | None = None
        self.newest_refused = ""
        """Why the newest image could not be looked at; empty = it could."""
        self._freshness = CameraFreshness(name, freshness, now)
        self._tracker = DetectionTracker2D(tracking, ids)
        self._shortest = (1.0 - early) / max_rate
        self._size: tuple[int, int] | None = None
        self._looked_at = -float("inf")
        self._wanted_since_ns: int | None = None
        self._was_stale = False

    def want(self, since_ns: int) -> None:
        """Asks for the next image that is newer than `since_ns`, whatever the rate limit."""
        self._wanted_since_ns = since_ns

    def on_image(self, now: float, stamp_ns: int, fingerprint: int) -> bool:
        """Books an arrived image; returns whether it should be looked at.

        One of a stale camera is not: it may be the picture of a scene that is long gone.
        """
        self.counters.received += 1
        is_new = self._freshness.on_image(now, stamp_ns, fingerprint)
        if not is_new or self.calibration.problem or self.health(now).stale:
            return False
        wanted = self._wanted_since_ns is not None and stamp_ns >= self._wanted_since_ns
        elapsed = now - self._looked_at
        # A clock set back makes the time since negative: look, rather than wait for it to return.
        if not wanted and 0.0 <= elapsed < self._shortest:
            return False
        self._wanted_since_ns = None if wanted else self._wanted_since_ns
        self._looked_at = now
        return True

    def on_detections(self, stamp_ns: int, checked: Checked, size: tuple[int, int]) -> TrackUpdate:
        """Books what was detected in an image of `size`, width and height [px].

        Places in an image of another size are no places in this one: a change ends every track.

        Raises:
            InputError: The image is not newer than the last one.
        """
        changed = self._size not in (None, size)
        lost = self._tracker.restart() if changed else ()
        self._size = size
        update = self._tracker.update(stamp_ns / NANOSECONDS, checked.detections)
        update = replace(update, gone=(*lost, *update.gone))
        self.counters.looked_at += 1
        for reason, count in checked.dropped.items():
            self.counters.dropped_boxes[reason.value] += count
        self.newest_refused = ""
        self.sight = Sight(stamp_ns, update.seen)
        return update

    def on_refused(self, reason: str) -> None:
        """Books an image that could not be looked at."""
        self.newest_refused = reason
        self.counters.refused += 1
        self.counters.last_refusal = reason

    def health(self, now: float) -> CameraHealth:
        """The camera's state."""
        return self._freshness.health(now)

    def health_change(self, now: float) -> CameraHealth | None:
        """The camera's state if it became stale or came back since the last call, else None."""
        health = self.health(now)
        if health.stale == self._was_stale:
            return None
        self._was_stale = health.stale
        return health


def sight_for_query(
    view: CameraView, now: float, since_ns: int, stale_after_s: float
) -> tuple[Sight | None, str]:
    """What a query may be answered from.

    Args:
        view: The camera asked for.
        now: Time of the answer [s].
        since_ns: When the query came [ns].
        stale_after_s: Oldest image that still counts [s].

    Returns:
        The newest sight and a note about its age, or None and why there is none; that begins with
        `CAMERA_STALE` and a colon where the camera is stale.
    """
    if view.calibration.problem:
        return None, view.calibration.problem
    health = view.health(now)
    sight = view.sight
    refusal = f"; {view.newest_refused}" if view.newest_refused else ""
    if health.stale:
        return None, f"{CAMERA_STALE}: {health.reason}"
    if sight is None:
        return None, health.reason + refusal
    age = now - sight.stamp_ns / NANOSECONDS
    if age > stale_after_s:
        return None, f"camera {view.name}: newest image looked at is {age:.1f} s old{refusal}"
    if sight.stamp_ns < since_ns:
        older = (since_ns - sight.stamp_ns) / NANOSECONDS
        return sight, f"image is {older:.1f} s older than the query"
    return sight, ""


def choose_view(
    views: Sequence[CameraView], asked: str, primary: str
) -> tuple[CameraView | None, str]:
    """The camera that a query means, or None and the valid names."""
    name = asked.strip() or primary
    for view in views:
        if view.name == name:
            return view, ""
    valid = ", ".join(view.name for view in views)
    return None, f"unknown camera {name!r}; valid names are {valid}"

"""Gives every object in a camera's images an id that survives missed frames and label flicker.

Usage::

    tracker = DetectionTracker2D(TrackerLimits(), ids=itertools.count())
    update = tracker.update(stamp_s, detections)
    update.seen[0].det_id
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

from openral.errors import InputError
from perception_node.detection import (
    Box,
    Detection,
    TrackedDetection,
    centre_distance,
    intersection_over_union,
)

_FORBIDDEN = 1e6


@dataclass(frozen=True)
class TrackerLimits:
    """When a detection continues a track, and when a track ends.

    Attributes:
        max_gap_s: A track unseen for longer [s] ends; its id is never given again.
        gate_diagonals: Farthest that an object may be from where it is expected, in diagonals of
            its box; grows with the time unseen, up to twice.
        label_penalty: Cost of continuing a track under another label; a matching box costs 0, one
            at the gate's edge 1.
        label_overlap: Least intersection over union to continue under another label.
        min_hits: Frames until an object counts as appeared: one frame's error is no event.
        smoothing: Alpha of the alpha-beta filter; high, because a detector's box error is small
            against an object's motion between frames.
        vote_decay: Weight of an older frame's label against the next one's; at 0.8 about the last
            five frames decide.
    """

    max_gap_s: float = 2.0
    gate_diagonals: float = 1.5
    label_penalty: float = 0.45
    label_overlap: float = 0.2
    min_hits: int = 2
    smoothing: float = 0.75
    vote_decay: float = 0.8

    @property
    def beta(self) -> float:
        """The filter's gain on velocity: Kalata (1984), 2(2 - alpha) - 4 sqrt(1 - alpha)."""
        return 2.0 * (2.0 - self.smoothing) - 4.0 * math.sqrt(1.0 - self.smoothing)


@dataclass(frozen=True)
class TrackUpdate:
    """Outcome of one image.

    Attributes:
        seen: This image's detections, in their order, with ids.
        appeared: Objects seen often enough for the first time now.
        gone: Objects that had appeared and were unseen for too long.
    """

    seen: tuple[TrackedDetection, ...]
    appeared: tuple[TrackedDetection, ...] = ()
    gone: tuple[TrackedDetection, ...] = ()


@dataclass
class _Track:
    det_id: int
    last: TrackedDetection
    stamp: float
    votes: dict[str, float]
    velocity: tuple[float, float] = (0.0, 0.0)
    centre: tuple[float, float] = field(default=(0.0, 0.0))
    hits: int = 1

    def expected(self, stamp: float) -> Box:
        """Where the object should be, at constant velocity from its last sight."""
        dt = stamp - self.stamp
        x, y = self.last.box.centre
        dx = self.centre[0] - x + self.velocity[0] * dt
        dy = self.centre[1] - y + self.velocity[1] * dt
        return self.last.box.shifted(dx, dy)

    def take(self, stamp: float, detection: Detection, limits: TrackerLimits) -> TrackedDetection:
        """The track with this detection as its newest."""
        dt = stamp - self.stamp
        (px, py), (mx, my) = self.expected(stamp).centre, detection.box.centre
        rx, ry = mx - px, my - py
        self.centre = (px + limits.smoothing * rx, py + limits.smoothing * ry)
        if self.hits == 1:
            # Two sights define the velocity; the gains only apply to a running estimate.
            x, y = self.last.box.centre
            self.velocity = ((mx - x) / dt, (my - y) / dt)
            self.centre = (mx, my)
        else:
            vx, vy = self.velocity
            self.velocity = (vx + limits.beta * rx / dt, vy + limits.beta * ry / dt)
        self.votes = {label: weight * limits.vote_decay for label, weight in self.votes.items()}
        self.votes[detection.label] = self.votes.get(detection.label, 0.0) + detection.score
        # A tie keeps the label in force, else two equal labels would alternate.
        label = max(self.votes, key=lambda name: (self.votes[name], name == self.last.label))
        self.stamp = stamp
        self.hits += 1
        self.last = TrackedDetection(
            self.det_id, label, detection.score, detection.box, detection.clipped
        )
        return self.last


class DetectionTracker2D:
    """Tracks one camera's detections.

    A detection continues the track whose constant-velocity prediction it fits best, by overlap,
    centre distance and label together; all pairs of an image are decided at once (minimum total
    cost), so that two objects that cross keep their ids.
    """

    def __init__(self, limits: TrackerLimits, ids: Iterator[int]) -> None:
        """Args: `ids` gives new ids; share one between cameras so that no id is used twice."""
        self._limits = limits
        self._ids = ids
        self._tracks: list[_Track] = []
        self._stamp = -math.inf

    def update(self, stamp: float, detections: Sequence[Detection]) -> TrackUpdate:
        """Books the detections of one image.

        Args:
            stamp: The image's stamp [s], later than that of the image before. A stamp more than
                `max_gap_s` in the past means that the clock was set back: every track ends.
            detections: What was seen in it; may be empty.

        Raises:
            InputError: The image is not newer than the last one.
        """
        if not math.isfinite(stamp):
            raise InputError("a finite image stamp", str(stamp))
        if stamp <= self._stamp:
            if self._stamp - stamp <= self._limits.max_gap_s:
                raise InputError(f"an image newer than {self._stamp:.3f} s", f"{stamp:.3f} s")
            gone = self._end(self._tracks)
        else:
            gone = self._end([t for t in self._tracks if stamp - t.stamp > self._limits.max_gap_s])
        self._stamp = stamp
        matched = self._assign(stamp, detections)
        seen: list[TrackedDetection] = []
        appeared: list[TrackedDetection] = []
        for index, detection in enumerate(detections):
            track = matched.get(index)
            if track is None:
                track = self._start(stamp, detection)
            else:
                track.take(stamp, detection, self._limits)
            seen.append(track.last)
            if track.hits == self._limits.min_hits:
                appeared.append(track.last)
        return TrackUpdate(tuple(seen), tuple(appeared), gone)

    def restart(self) -> tuple[TrackedDetection, ...]:
        """Ends every track, as where the images are of another size; returns what is gone."""
        return self._end(self._tracks)

    def _start(self, stamp: float, detection: Detection) -> _Track:
        det_id = next(self._ids)
        last = TrackedDetection(
            det_id, detection.label, detection.score, detection.box, detection.clipped
        )
        votes = {detection.label: detection.score}
        track = _Track(det_id, last, stamp, votes, centre=detection.box.centre)
        self._tracks.append(track)
        return track

    def _end(self, ended: Sequence[_Track]) -> tuple[TrackedDetection, ...]:
        ids = {track.det_id for track in ended}
        self._tracks = [track for track in self._tracks if track.det_id not in ids]
        return tuple(replace(track.last) for track in ended if track.hits >= self._limits.min_hits)

    def _assign(self, stamp: float, detections: Sequence[Detection]) -> dict[int, _Track]:
        if not detections or not self._tracks:
            return {}
        cost = np.full((len(self._tracks), len(detections)), _FORBIDDEN)
        for row, track in enumerate(self._tracks):
            for column, detection in enumerate(detections):
                cost[row, column] = self._cost(track, stamp, detection)
        rows, columns = linear_sum_assignment(cost)
        return {
            int(column): self._tracks[int(row)]
            for row, column in zip(rows, columns, strict=True)
            if cost[row, column] < _FORBIDDEN
        }

    def _cost(self, track: _Track, stamp: float, detection: Detection) -> float:
        """0 for a detection just as expected, about 1 at the gate, `_FORBIDDEN` beyond."""
        expected = track.expected(stamp)
        overlap = intersection_over_union(expected, detection.box)
        unseen = min(1.0, (stamp - track.stamp) / self._limits.max_gap_s)
        size = max(expected.diagonal, detection.box.diagonal)
        gate = self._limits.gate_diagonals * size * (1.0 + unseen)
        distance = centre_distance(expected, detection.box) / gate
        same_label = detection.label == track.last.label
        if distance > 1.0 or (not same_label and overlap < self._limits.label_overlap):
            return _FORBIDDEN
        penalty = 0.0 if same_label else self._limits.label_penalty
        return 0.5 * (1.0 - overlap) + 0.5 * distance + penalty

"""What is in front of the robot, in camera pixels: the live view and the sticky located objects.

Two surfaces that never mix with map coordinates: `in_view` is what the continuous detector sees
now; `located` is what an explicit look confirmed, latest wins, and it is authoritative.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from reasoner_node.events import Seen


@dataclass(frozen=True)
class Sighting:
    """An object in a camera's image, and how old that is.

    Attributes:
        query: Words that it was looked for with; empty for the continuous detector.
        age_s: [s] since it was seen.
    """

    camera: str
    seen: Seen
    age_s: float
    query: str = ""


@dataclass(frozen=True)
class _Kept:
    camera: str
    seen: Seen
    at: float
    query: str = ""


class SceneMemory:
    """Keeps the latest view of each camera and the located objects.

    Args:
        max_located: Located objects kept; the oldest goes first.
        max_cameras: Cameras kept; the one that was not heard for longest goes first.
    """

    def __init__(self, max_located: int, max_cameras: int) -> None:
        self._views: dict[str, tuple[float, tuple[Seen, ...]]] = {}
        self._located: list[_Kept] = []
        self._max_located = max_located
        self._max_cameras = max_cameras

    def note_view(self, camera: str, detections: tuple[Seen, ...], now: float) -> str:
        """The continuous detector's view of a camera replaces the one before.

        Returns:
            The camera that had to go for it; empty = none.
        """
        self._views.pop(camera, None)
        self._views[camera] = (now, detections)
        if len(self._views) <= self._max_cameras:
            return ""
        oldest = next(iter(self._views))
        del self._views[oldest]
        return oldest

    def blank_view(self, camera: str) -> None:
        """A camera went blind: what it showed last is no longer in view."""
        if camera in self._views:
            at, _ = self._views[camera]
            self._views[camera] = (at, ())

    def note_located(
        self, camera: str, nouns: Iterable[str], detections: tuple[Seen, ...], now: float
    ) -> bool:
        """Folds an answered look into the located objects.

        Args:
            camera: Camera that was looked through.
            nouns: What was looked for.
            detections: What was found.
            now: [s].

        Returns:
            Whether this told of an object that was not located on this camera before.
        """
        wanted = tuple(nouns)
        before = {(kept.camera, kept.seen.label, kept.query) for kept in self._located}
        # Looked for and not found: the older sighting on this camera is refuted.
        kept = [
            k
            for k in self._located
            if k.camera != camera or not (k.query in wanted or k.seen.label in wanted)
        ]
        news = False
        for seen in _best_per_label(detections):
            query = wanted[0] if len(wanted) == 1 else ""
            kept = [k for k in kept if not (k.camera == camera and k.seen.label == seen.label)]
            kept.append(_Kept(camera, seen, now, query))
            news = news or (camera, seen.label, query) not in before
        self._located = kept[-self._max_located :]
        return news

    def forget_located(self) -> None:
        """Drops the located objects: a new goal starts from fresh looks."""
        self._located.clear()

    def in_view(self, now: float) -> tuple[Sighting, ...]:
        """The latest view of every camera, with its age."""
        return tuple(
            Sighting(camera, seen, now - at)
            for camera, (at, detections) in sorted(self._views.items())
            for seen in detections
        )

    def located(self, now: float) -> tuple[Sighting, ...]:
        """The located objects, oldest first."""
        return tuple(Sighting(k.camera, k.seen, now - k.at, k.query) for k in self._located)

    def view_ages(self, now: float) -> dict[str, float]:
        """[s] since each camera's last view."""
        return {camera: now - at for camera, (at, _) in sorted(self._views.items())}


def _best_per_label(detections: tuple[Seen, ...]) -> list[Seen]:
    best: dict[str, Seen] = {}
    for seen in detections:
        if seen.label not in best or seen.score > best[seen.label].score:
            best[seen.label] = seen
    return list(best.values())


def known_names(sightings: Iterable[Sighting], max_age_s: float | None = None) -> tuple[str, ...]:
    """Labels, and the words that they were found with, in order of first appearance."""
    names: dict[str, None] = {}
    for sighting in sightings:
        if max_age_s is None or sighting.age_s <= max_age_s:
            names.setdefault(sighting.seen.label)
    return tuple(names)


def rounded(sighting: Sighting) -> Sighting:
    """The same with its age in tenths of a second, for a stable text."""
    return replace(sighting, age_s=round(sighting.age_s, 1))

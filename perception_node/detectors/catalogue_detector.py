"""The classical default detector: names what a catalogue of crops teaches, on any CPU.

Steps, all on colour:

1. The background is what lies all over the image (`colour.background`); containers are a layer in
   front of it. What is neither stands out.
2. What stands out is cut into pieces by which entry its surroundings look like (`regions`).
3. Unions of touching pieces are compared with the crops (`appearance`), and the best ones win.
4. A container is a patch of its own colours, whatever lies in it or hangs over it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from openral.image import RgbImage
from perception_node.catalogue import Catalogue, Kind
from perception_node.detection import RawDetection
from perception_node.detectors import colour, regions
from perception_node.detectors.appearance import Appearance
from perception_node.locate import Vocabulary
from perception_node.validation import BoxSpace

Floats = npt.NDArray[np.float32]
Corners = tuple[float, float, float, float]
MaskImage = npt.NDArray[np.uint8]

_OPEN = np.ones((3, 3), np.uint8)
# Regions are looked at in half the resolution, boxes are taken in full.
_STEP = 2


@dataclass(frozen=True)
class CatalogueSettings:
    """Thresholds of the detector.

    Attributes:
        max_distance: Farthest Hellinger distance [0, 1] to a crop at which a region is still named.
        min_margin: How much farther the nearest crop of any other entry has to be.
        min_area_px: Smallest region that is looked at [px].
        widespread: Share of the image's cells (8 x 8) that a background colour occurs in.
    """

    max_distance: float = 0.36
    min_margin: float = 0.05
    min_area_px: int = 150
    widespread: float = 0.25


@dataclass(frozen=True, eq=False)
class _Candidate:
    union: frozenset[int]
    entry: int
    distance: float
    margin: float
    box: Corners


class CatalogueDetector:
    """See the module's text. Implements `Detector`."""

    def __init__(self, catalogue: Catalogue, settings: CatalogueSettings) -> None:
        self._settings = settings
        self._entries = [taught.entry for taught in catalogue.taught]
        self._vocabulary = catalogue.vocabulary()
        self._appearance = Appearance(catalogue)
        self._tables = [colour.density(taught.crops) for taught in catalogue.taught]
        kinds = [entry.kind for entry in self._entries]
        self._objects = [i for i, kind in enumerate(kinds) if kind is Kind.OBJECT]
        self._containers = [i for i, kind in enumerate(kinds) if kind is Kind.CONTAINER]
        self._clutter = [i for i, kind in enumerate(kinds) if kind is Kind.CLUTTER]
        unknown = np.full(colour.CODES, colour.UNIFORM, np.float32)
        self._any_object = np.max([unknown, *(self._tables[i] for i in self._objects)], axis=0)
        self._any_clutter = np.max([unknown, *(self._tables[i] for i in self._clutter)], axis=0)

    @property
    def vocabulary(self) -> Vocabulary:
        """Labels and synonyms of the catalogue."""
        return self._vocabulary

    @property
    def box_space(self) -> BoxSpace | None:
        """None: boxes are in pixels of the picture."""
        return None

    def detect(self, rgb: RgbImage) -> list[RawDetection]:
        """Objects and containers in the picture.

        The score is 1 for a region that looks like a crop itself, 0.5 at the reject threshold.
        """
        codes = colour.codes_of(rgb)
        coarse = np.ascontiguousarray(codes[::_STEP, ::_STEP])
        table = colour.background(coarse, self._settings.widespread)
        back = np.max([table, *(self._tables[i] for i in self._containers)], axis=0)
        ahead = cv2.blur((self._any_object - back)[codes], (5, 5))
        stands_out = cv2.morphologyEx((ahead > 0.0).astype(np.uint8), cv2.MORPH_OPEN, _OPEN)
        found = self._find_objects(coarse, stands_out)
        for index in self._containers:
            found.extend(self._find_container(index, coarse, table))
        return found

    def _find_objects(self, coarse: colour.Codes, stands_out: MaskImage) -> list[RawDetection]:
        choice = self._looks_like(coarse, stands_out[::_STEP, ::_STEP])
        settings = self._settings
        area_scale = _STEP * _STEP
        least = max(6, settings.min_area_px // 8 // area_scale)
        pieces = regions.cut(choice, coarse, len(self._entries), least)
        unions = [
            union
            for union in regions.unions(pieces)
            if sum(pieces.pieces[n].area for n in union) * area_scale >= settings.min_area_px
        ]
        if not unions:
            return []
        islands = _Islands(stands_out, pieces)
        whole = np.array([islands.is_whole(union) for union in unions])
        histograms = np.array(
            [np.sum([pieces.pieces[n].histogram for n in union], axis=0) for union in unions]
        )
        areas = np.array([sum(pieces.pieces[n].area for n in union) for union in unions], float)
        areas *= area_scale
        distances = self._appearance.distances(histograms, areas, whole)
        entries = distances.argmin(axis=1)
        nearest = np.partition(distances, 1, axis=1) if distances.shape[1] > 1 else None
        # The square root keeps a large union from buying a worse likeness with its size.
        gains = np.sqrt(areas) * (settings.max_distance - distances.min(axis=1))
        candidates = []
        for i in np.argsort(-gains, kind="stable"):
            if gains[i] <= 0.0:
                break
            union, entry = unions[i], int(entries[i])
            margin = float(nearest[i, 1] - nearest[i, 0]) if nearest is not None else 1.0
            box = islands.box(union) if whole[i] else _box_of(pieces, union)
            candidates.append(_Candidate(union, entry, float(distances[i, entry]), margin, box))
        return self._choose(candidates)

    def _looks_like(self, coarse: colour.Codes, mask: MaskImage) -> MaskImage:
        """1 + the entry that each pixel's surroundings look like, 0 where nothing stands out."""
        inside = mask.astype(np.float32)
        choice = np.zeros(coarse.shape, np.uint8)
        best = np.full(coarse.shape, -np.inf, np.float32)
        for index in (*self._objects, *self._clutter):
            score = cv2.blur(self._tables[index][coarse] * inside, (5, 5))
            better = score > best
            choice[better] = index + 1
            np.maximum(best, score, out=best)
        return choice * mask

    def _choose(self, candidates: list[_Candidate]) -> list[RawDetection]:
        """Of candidates, best first, those that share no piece."""
        found: list[RawDetection] = []
        taken: set[int] = set()
        boxes: list[Corners] = []
        for candidate in candidates:
            # A leftover inside a named thing is part of its print, not another thing.
            if taken & candidate.union or any(_mostly_inside(candidate.box, b) for b in boxes):
                continue
            taken |= candidate.union
            entry = self._entries[candidate.entry]
            if entry.kind is Kind.OBJECT and candidate.margin >= self._settings.min_margin:
                boxes.append(candidate.box)
                score = self._score(candidate.distance)
                found.append(RawDetection(entry.label, score, candidate.box))
        return self._united(found)

    def _united(self, found: list[RawDetection]) -> list[RawDetection]:
        """Parts of one thing that clutter or a shadow cuts in two, as one again.

        They bear the same label, touch, and are together no larger than the thing was taught.
        """
        area_of = {e.label: a for e, a in zip(self._entries, self._appearance.boxes, strict=True)}
        united: list[RawDetection] = []
        for part in found:
            for index, other in enumerate(united):
                if part.label != other.label or not _touch(part.box, other.box):
                    continue
                box = _hull(part.box, other.box)
                if (box[2] - box[0]) * (box[3] - box[1]) <= 1.3 * area_of[part.label]:
                    score = max(part.score, other.score)
                    united[index] = RawDetection(part.label, score, box)
                    break
            else:
                united.append(part)
        return united

    def _score(self, distance: float) -> float:
        return float(np.clip(1.0 - 0.5 * distance / self._settings.max_distance, 0.0, 1.0))

    def _find_container(
        self, index: int, coarse: colour.Codes, table: colour.Table
    ) -> list[RawDetection]:
        rivals = np.max([table, self._any_object, self._any_clutter], axis=0)
        ahead = cv2.blur((self._tables[index] - rivals)[coarse], (5, 5))
        mask = cv2.morphologyEx((ahead > 0.0).astype(np.uint8), cv2.MORPH_OPEN, _OPEN)
        low, high = self._appearance.areas[index]
        # An arm over the container splits it: gaps of up to a quarter of its size are bridged.
        bridge = max(3, int(0.25 * np.sqrt(low) / _STEP)) | 1
        closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((bridge, bridge), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
        found = []
        for label in range(1, count):
            x, y, w, h, _ = (int(value) for value in stats[label])
            window = (labels[y : y + h, x : x + w] == label) & (mask[y : y + h, x : x + w] > 0)
            area = _STEP * _STEP * int(window.sum())
            if not 0.3 * low <= area <= 2.5 * high:
                continue
            counts = colour.histogram(coarse[y : y + h, x : x + w][window])
            row = self._appearance.distances(
                counts[None], np.array([float(area)]), np.array([False])
            )[0]
            if row[index] > self._settings.max_distance or row.argmin() != index:
                continue
            ys, xs = np.nonzero(window)
            box = (x + xs.min(), y + ys.min(), x + xs.max() + 1, y + ys.max() + 1)
            corners = tuple(float(_STEP * value) for value in box)
            score = self._score(float(row[index]))
            found.append(RawDetection(self._entries[index].label, score, corners))
        return found


class _Islands:
    """What stands out, in full resolution, as parts with background all around."""

    def __init__(self, stands_out: MaskImage, pieces: regions.Pieces) -> None:
        _, self._labels, self._stats, _ = cv2.connectedComponentsWithStats(stands_out)
        self._shape = stands_out.shape
        image = pieces.image
        island = self._labels[::_STEP, ::_STEP]
        self._island_of: dict[int, int] = {}
        self._pieces_of: dict[int, set[int]] = {}
        for number, piece in pieces.pieces.items():
            x0, y0, x1, y1 = piece.box
            window = image[y0:y1, x0:x1] == number
            home = int(np.bincount(island[y0:y1, x0:x1][window]).argmax())
            self._island_of[number] = home
            self._pieces_of.setdefault(home, set()).add(number)

    def is_whole(self, union: frozenset[int]) -> bool:
        """Whether the union is all of an island, and the island is not cut by the image's edge."""
        home = self._island_of[next(iter(union))]
        if self._pieces_of[home] != union or home == 0:
            return False
        x, y, w, h, _ = (int(value) for value in self._stats[home])
        height, width = self._shape
        return x > 0 and y > 0 and x + w < width and y + h < height

    def box(self, union: frozenset[int]) -> Corners:
        """The island's box [px]."""
        x, y, w, h, _ = (float(v) for v in self._stats[self._island_of[next(iter(union))]])
        return x, y, x + w, y + h


def _box_of(pieces: regions.Pieces, union: frozenset[int]) -> Corners:
    corners = np.array([pieces.pieces[number].box for number in union])
    low, high = corners.min(axis=0)[:2] * _STEP, corners.max(axis=0)[2:] * _STEP
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _mostly_inside(inner: Corners, outer: Corners) -> bool:
    width = min(inner[2], outer[2]) - max(inner[0], outer[0])
    height = min(inner[3], outer[3]) - max(inner[1], outer[1])
    area = (inner[2] - inner[0]) * (inner[3] - inner[1])
    return width > 0.0 and height > 0.0 and width * height > 0.7 * area


def _hull(first: Corners, second: Corners) -> Corners:
    return (
        min(first[0], second[0]),
        min(first[1], second[1]),
        max(first[2], second[2]),
        max(first[3], second[3]),
    )


def _touch(first: Corners, second: Corners) -> bool:
    """Whether the gap between two boxes is below half the size of the smaller one."""
    hull = _hull(first, second)
    across = (hull[2] - hull[0]) - (first[2] - first[0]) - (second[2] - second[0])
    down = (hull[3] - hull[1]) - (first[3] - first[1]) - (second[3] - second[1])
    size = min(*(max(b[2] - b[0], b[3] - b[1]) for b in (first, second)))
    return max(across, down) < 0.5 * size

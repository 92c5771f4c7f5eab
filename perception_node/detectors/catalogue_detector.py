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
from perception_node.detectors.appearance import SIZES, Appearance, Sizes
from perception_node.detectors.corners import Corners, hull, mostly_inside, touch
from perception_node.detectors.islands import Islands
from perception_node.locate import Vocabulary
from perception_node.validation import BoxSpace

Floats = npt.NDArray[np.float32]
MaskImage = npt.NDArray[np.uint8]

_OPEN = np.ones((3, 3), np.uint8)
# Regions are looked at in half the resolution, boxes are taken in full.
_STEP = 2
# A patch of a container's colours below this share of its size is something else of that colour.
_LEAST_PATCH = 0.1
_ISLAND_BONUS = 1.1


@dataclass(frozen=True)
class CatalogueSettings:
    """Thresholds of the detector.

    Attributes:
        max_distance: Farthest Hellinger distance [0, 1] to a crop at which a region is still named.
        min_margin: How much farther the nearest crop of any other entry has to be.
        min_area_px: Smallest region that is looked at [px].
        widespread: Share of the image's cells (8 x 8) that a background colour occurs in.
        sizes: How large things may be against their crops.
    """

    max_distance: float = 0.36
    min_margin: float = 0.05
    min_area_px: int = 150
    widespread: float = 0.25
    sizes: Sizes = SIZES


@dataclass(frozen=True, eq=False)
class _Candidate:
    union: frozenset[int]
    entry: int
    distance: float
    margin: float
    box: Corners


@dataclass(frozen=True, eq=False)
class _Patch:
    """Part of the coarse image: x_min, y_min, x_max, y_max, and its own pixels in it."""

    box: tuple[int, int, int, int]
    mask: npt.NDArray[np.bool_]


class CatalogueDetector:
    """See the module's text. Implements `Detector`."""

    def __init__(self, catalogue: Catalogue, settings: CatalogueSettings) -> None:
        self._settings = settings
        self._entries = [taught.entry for taught in catalogue.taught]
        self._vocabulary = catalogue.vocabulary()
        self._appearance = Appearance(catalogue, settings.sizes)
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
        ahead = (self._any_object - table)[codes]
        found: list[RawDetection] = []
        for index in self._containers:
            patches = self._container_patches(index, coarse, table)
            found.extend(self._name_containers(index, coarse, patches))
            for patch in patches:
                # Only there: elsewhere the container's colours may well be an object's.
                box = tuple(_STEP * value for value in patch.box)
                window = (slice(box[1], box[3]), slice(box[0], box[2]))
                behind = np.maximum(table, self._tables[index])
                inside = (self._any_object - behind)[codes[window]]
                ahead[window] = np.minimum(ahead[window], inside)
        ahead = cv2.blur(ahead, (5, 5))
        stands_out = cv2.morphologyEx((ahead > 0.0).astype(np.uint8), cv2.MORPH_OPEN, _OPEN)
        return [*self._find_objects(coarse, stands_out), *found]

    def _find_objects(self, coarse: colour.Codes, stands_out: MaskImage) -> list[RawDetection]:
        choice = self._looks_like(coarse, stands_out[::_STEP, ::_STEP])
        settings = self._settings
        area_scale = _STEP * _STEP
        least = max(6, settings.min_area_px // 8 // area_scale)
        pieces = regions.cut(choice, coarse, len(self._entries), least)
        most = settings.sizes.most * max(
            (self._appearance.areas[i][1] for i in self._objects), default=0.0
        )
        unions = list(regions.unions(pieces, settings.min_area_px / area_scale, most / area_scale))
        if not unions:
            return []
        islands = Islands(stands_out, pieces, _STEP)
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
        # An island is a thing or several; that a part of it alone is one is less likely.
        gains[whole] *= _ISLAND_BONUS
        candidates = []
        for i in np.argsort(-gains, kind="stable"):
            if gains[i] <= 0.0:
                break
            union, entry = unions[i], int(entries[i])
            margin = float(nearest[i, 1] - nearest[i, 0]) if nearest is not None else 1.0
            box = islands.box(union)
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
            if taken & candidate.union or any(mostly_inside(candidate.box, b) for b in boxes):
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
                if part.label != other.label or not touch(part.box, other.box):
                    continue
                box = hull(part.box, other.box)
                if (box[2] - box[0]) * (box[3] - box[1]) <= 1.3 * area_of[part.label]:
                    score = max(part.score, other.score)
                    united[index] = RawDetection(part.label, score, box)
                    break
            else:
                united.append(part)
        return united

    def _score(self, distance: float) -> float:
        return float(np.clip(1.0 - 0.5 * distance / self._settings.max_distance, 0.0, 1.0))

    def _container_patches(
        self, index: int, coarse: colour.Codes, table: colour.Table
    ) -> list[_Patch]:
        """Where a container's colours prevail, whatever lies in it or hangs over it."""
        rivals = np.max([table, self._any_object, self._any_clutter], axis=0)
        ahead = cv2.blur((self._tables[index] - rivals)[coarse], (5, 5))
        mask = cv2.morphologyEx((ahead > 0.0).astype(np.uint8), cv2.MORPH_OPEN, _OPEN)
        low, _ = self._appearance.areas[index]
        # An arm over the container splits it: gaps of up to a quarter of its size are bridged.
        bridge = max(3, int(0.25 * np.sqrt(low) / _STEP)) | 1
        closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((bridge, bridge), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
        patches = []
        for label in range(1, count):
            x, y, w, h, _ = (int(value) for value in stats[label])
            window = (labels[y : y + h, x : x + w] == label) & (mask[y : y + h, x : x + w] > 0)
            if _STEP * _STEP * int(window.sum()) >= _LEAST_PATCH * low:
                patches.append(_Patch((x, y, x + w, y + h), window))
        return patches

    def _name_containers(
        self, index: int, coarse: colour.Codes, patches: list[_Patch]
    ) -> list[RawDetection]:
        found = []
        for patch in patches:
            x, y, x_end, y_end = patch.box
            area = float(_STEP * _STEP * int(patch.mask.sum()))
            counts = colour.histogram(coarse[y:y_end, x:x_end][patch.mask])
            row = self._appearance.distances(counts[None], np.array([area]), np.array([False]))[0]
            if row[index] > self._settings.max_distance or int(row.argmin()) != index:
                continue
            ys, xs = np.nonzero(patch.mask)
            corners = (
                float(_STEP * (x + xs.min())),
                float(_STEP * (y + ys.min())),
                float(_STEP * (x + xs.max() + 1)),
                float(_STEP * (y + ys.max() + 1)),
            )
            score = self._score(float(row[index]))
            found.append(RawDetection(self._entries[index].label, score, corners))
        return found

"""The classical default detector: names what a catalogue of reference crops teaches, on any CPU.

Steps, all on colour:

1. The background is what lies all over the image (`colour.background`); containers and clutter are
   layers in front of it. What is none of them stands out.
2. What stands out is cut into pieces by which entry its surroundings look like.
3. Unions of touching pieces are matched with the crops (`appearance`), and the best ones win.
4. A container is the largest patch of its own colours.
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


class CatalogueDetector:
    """See the module's text. Implements `Detector`."""

    def __init__(self, catalogue: Catalogue, settings: CatalogueSettings) -> None:
        self._settings = settings
        self._entries = [taught.entry for taught in catalogue.taught]
        self._vocabulary = catalogue.vocabulary()
        self._appearance = Appearance(catalogue)
        tables = [colour.density(taught.crops) for taught in catalogue.taught]
        self._tables = tables
        kinds = [entry.kind for entry in self._entries]
        self._objects = [i for i, kind in enumerate(kinds) if kind is Kind.OBJECT]
        self._containers = [i for i, kind in enumerate(kinds) if kind is Kind.CONTAINER]
        self._clutter = [i for i, kind in enumerate(kinds) if kind is Kind.CLUTTER]
        unknown = np.full(colour.CODES, colour.UNIFORM, np.float32)
        self._any_object = np.max([unknown, *(tables[i] for i in self._objects)], axis=0)

    @property
    def vocabulary(self) -> Vocabulary:
        """Labels and synonyms of the catalogue."""
        return self._vocabulary

    @property
    def box_space(self) -> BoxSpace | None:
        """None: boxes are in pixels of the picture."""
        return None

    def detect(self, rgb: RgbImage) -> list[RawDetection]:
        """Objects and containers in the picture, each with its distance as score."""
        codes = colour.codes_of(rgb)
        table = colour.background(np.ascontiguousarray(codes[::2, ::2]), self._settings.widespread)
        layers = [table, *(self._tables[i] for i in self._containers)]
        back = np.max(layers, axis=0)
        ahead = _smooth((self._any_object - back)[codes], 5)
        stands_out = (ahead > 0.0).astype(np.uint8)
        stands_out = cv2.morphologyEx(stands_out, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        return [
            *self._find_objects(codes, stands_out),
            *(found for i in self._containers for found in self._find_container(i, codes, table)),
        ]

    def _find_objects(
        self, codes: colour.Codes, stands_out: npt.NDArray[np.uint8]
    ) -> list[RawDetection]:
        weight = _smooth(stands_out.astype(np.float32), 9) + 1e-3
        choice = np.zeros(codes.shape, np.uint8)
        best = np.full(codes.shape, -np.inf, np.float32)
        masked = stands_out.astype(np.float32)
        for index in (*self._objects, *self._clutter):
            score = _smooth(self._tables[index][codes] * masked, 9) / weight
            better = score > best
            choice[better] = index + 1
            np.maximum(best, score, out=best)
        choice *= stands_out
        least = max(20, self._settings.min_area_px // 8)
        pieces = regions.cut(choice, codes, len(self._entries), least)
        return self._choose(pieces)

    def _choose(self, pieces: regions.Pieces) -> list[RawDetection]:
        settings = self._settings
        candidates = []
        for union in regions.unions(pieces):
            parts = [pieces.pieces[number] for number in union]
            area = sum(part.area for part in parts)
            if area < settings.min_area_px:
                continue
            counts = np.sum([part.histogram for part in parts], axis=0)
            match = self._appearance.match(counts)
            low, high = self._appearance.areas[match.index]
            if not 0.3 * low <= area <= 2.5 * high:
                continue
            gain = area * (settings.max_distance - match.distance)
            if gain > 0.0:
                candidates.append((gain, union, match))
        found, taken = [], set[int]()
        for _, union, match in sorted(candidates, key=lambda c: -c[0]):
            if taken & union:
                continue
            taken |= union
            entry = self._entries[match.index]
            if entry.kind is not Kind.OBJECT or match.margin < settings.min_margin:
                continue
            ys, xs = np.nonzero(np.isin(pieces.image, list(union)))
            box = (float(xs.min()), float(ys.min()), float(xs.max() + 1), float(ys.max() + 1))
            found.append(RawDetection(entry.label, self._score(match.distance), box))
        return found

    def _score(self, distance: float) -> float:
        """1 for a crop itself, 0.5 at the reject threshold."""
        return float(np.clip(1.0 - 0.5 * distance / self._settings.max_distance, 0.0, 1.0))

    def _find_container(
        self, index: int, codes: colour.Codes, table: colour.Table
    ) -> list[RawDetection]:
        half = codes[::2, ::2]
        rivals = np.max([table, self._any_object, *(self._tables[i] for i in self._clutter)], axis=0)
        ahead = _smooth((self._tables[index] - rivals)[half], 5)
        mask = (ahead > 0.0).astype(np.uint8)
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((25, 25), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
        found = []
        low, high = self._appearance.areas[index]
        for label in range(1, count):
            x, y, w, h, _ = (int(value) for value in stats[label])
            window = (labels[y : y + h, x : x + w] == label) & (mask[y : y + h, x : x + w] > 0)
            area = 4 * int(window.sum())
            if not 0.3 * low <= area <= 2.5 * high:
                continue
            counts = colour.histogram(half[y : y + h, x : x + w][window])
            distance = float(self._appearance.distances(counts)[index])
            if distance > self._settings.max_distance:
                continue
            ys, xs = np.nonzero(window)
            box = (
                2.0 * (x + float(xs.min())),
                2.0 * (y + float(ys.min())),
                2.0 * (x + float(xs.max()) + 1.0),
                2.0 * (y + float(ys.max()) + 1.0),
            )
            found.append(RawDetection(self._entries[index].label, self._score(distance), box))
        return found


def _smooth(image: Floats, size: int) -> Floats:
    smooth: Floats = cv2.blur(image, (size, size))
    return smooth

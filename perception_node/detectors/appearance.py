"""Says which taught thing a region looks like, or none: nearest neighbour with a reject threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perception_node.catalogue import Catalogue, Kind
from perception_node.detectors import colour

_GAINS = (1.0, 0.85, 1.15)


@dataclass(frozen=True)
class Match:
    """The nearest taught thing.

    Attributes:
        index: of the entry in the catalogue.
        distance: Hellinger distance in [0, 1] between the region's colours and the nearest crop's.
        margin: How much farther the nearest crop of any other entry is.
    """

    index: int
    distance: float
    margin: float


class Appearance:
    """The crops of a catalogue as descriptors, with the sizes [px] that things were taught at."""

    def __init__(self, catalogue: Catalogue) -> None:
        vectors, owners = [], []
        self.areas: list[tuple[float, float]] = []
        for index, taught in enumerate(catalogue.taught):
            areas = [int(crop.mask.sum()) for crop in taught.crops]
            self.areas.append((float(min(areas)), float(max(areas))))
            # Clutter is a texture without a size or shape of its own: parts of it count as well.
            for crop in taught.crops:
                for gain in _GAINS:
                    codes = colour.codes_of(colour.brightened(crop.rgb[crop.mask][None], gain))
                    vectors.append(colour.descriptor(colour.histogram(codes.ravel())))
                    owners.append(index)
        self._vectors = np.array(vectors)
        self._owners = np.array(owners)
        self._count = len(catalogue.taught)
        self._clutter = [t.entry.kind is Kind.CLUTTER for t in catalogue.taught]

    def distances(self, counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Hellinger distance to the nearest crop of every entry."""
        similar = self._vectors @ colour.descriptor(counts)
        best = np.full(self._count, -1.0)
        np.maximum.at(best, self._owners, similar)
        return np.sqrt(np.clip(1.0 - best, 0.0, 1.0))

    def match(self, counts: npt.NDArray[np.float64]) -> Match:
        """The nearest entry for a region's histogram."""
        distances = self.distances(counts)
        index = int(distances.argmin())
        others = np.delete(distances, index)
        margin = float(others.min() - distances[index]) if others.size else 1.0
        return Match(index, float(distances[index]), margin)

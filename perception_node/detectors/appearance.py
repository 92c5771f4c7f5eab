"""How far a region is from what was taught: nearest neighbour among the crops' colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perception_node.catalogue import Catalogue, Crop, Kind
from perception_node.detectors import colour
from perception_node.detectors.colour import Floats

_GAINS = (1.0, 0.85, 1.15)
_LEAST_TILE_COVER = 0.6
# A bare can's lid looks like some part of a robot, but a robot's part looks much more like itself.
_TILE_HANDICAP = 0.1
_ANY_AREA = 1e12


@dataclass(frozen=True)
class Sizes:
    """How large things may be in an image, against what was taught.

    Attributes:
        tile_px: Side [px] of the tiles that clutter is learnt in, beside those of twice that: of it
            a part is seen beside an object as often as the whole. About as large as objects are.
        least: Area over a crop's area, of a thing partly hidden or farther.
        most: The same of a nearer one.
    """

    tile_px: int = 28
    least: float = 0.35
    most: float = 2.5


SIZES = Sizes()


class Appearance:
    """The crops of a catalogue as descriptors, with the sizes that things were taught at.

    Attributes:
        areas: per entry, smallest and largest area of a crop's pixels [px].
        boxes: per entry, largest area of a crop's box [px].
    """

    def __init__(self, catalogue: Catalogue, sizes: Sizes = SIZES) -> None:
        self._sizes = sizes
        histograms: list[Floats] = []
        owners: list[int] = []
        areas: list[float] = []
        self.areas: list[tuple[float, float]] = []
        self.boxes: list[float] = []
        for index, taught in enumerate(catalogue.taught):
            own = [float(crop.mask.sum()) for crop in taught.crops]
            self.areas.append((min(own), max(own)))
            self.boxes.append(max(float(crop.mask.size) for crop in taught.crops))
            for crop, area in zip(taught.crops, own, strict=True):
                for gain in _GAINS:
                    lit = colour.brightened(crop.rgb[crop.mask][None], gain)
                    histograms.append(colour.histogram(colour.codes_of(lit).ravel()))
                    owners.append(index)
                    areas.append(area)
                if taught.entry.kind is Kind.CLUTTER:
                    for tile in _tiles(crop, sizes.tile_px):
                        histograms.append(tile)
                        owners.append(index)
                        areas.append(_ANY_AREA)
        vectors = colour.descriptor(np.array(histograms, np.float32))
        # Bins that no crop fills add nothing to a product with a crop's vector.
        self._bins = np.flatnonzero(vectors.max(axis=0) > 0.01)
        self._vectors = np.ascontiguousarray(vectors[:, self._bins].T)
        self._starts = np.flatnonzero(np.diff(owners, prepend=-1))
        self._areas = np.array(areas)

    def distances(
        self, histograms: Floats, areas: npt.NDArray[np.float64], whole: npt.NDArray[np.bool_]
    ) -> Floats:
        """Hellinger distances in [0, 1] to the nearest crop of every entry.

        Args:
            histograms: one row per region, shape (n, bins).
            areas: of the regions [px], shape (n,). A crop of quite another size does not count.
            whole: shape (n,), regions with background all around. They are seldom part of
                something larger, so that tiles of clutter have a handicap.

        Returns:
            Shape (n, entries).
        """
        similar = colour.descriptor(histograms)[:, self._bins] @ self._vectors
        ratio = areas[:, None] / self._areas[None, :]
        fits = (ratio >= self._sizes.least) & (ratio <= self._sizes.most)
        tile = self._areas == _ANY_AREA
        distance = np.sqrt(np.clip(1.0 - similar, 0.0, 1.0))
        distance[np.ix_(whole, tile)] += _TILE_HANDICAP
        distance = np.where(fits | tile[None, :], distance, 1.0)
        nearest = np.minimum.reduceat(distance, self._starts, axis=1)
        return np.asarray(np.minimum(nearest, 1.0), np.float32)


def _tiles(crop: Crop, side: int) -> Iterator[Floats]:
    height, width = crop.mask.shape
    codes = colour.codes_of(crop.rgb)
    for size in (side, 2 * side):
        for top in range(0, max(1, height - size + 1), size):
            for left in range(0, max(1, width - size + 1), size):
                window = (slice(top, top + size), slice(left, left + size))
                mask = crop.mask[window]
                if mask.mean() >= _LEAST_TILE_COVER:
                    yield colour.histogram(codes[window][mask])

"""A region is held against crops of about its size, and against tiles of clutter."""

from __future__ import annotations

import numpy as np
import pytest

from perception_node.catalogue import Catalogue, Crop, Kind, ObjectEntry, Taught
from perception_node.detectors import colour
from perception_node.detectors.appearance import Appearance, Sizes

RED, BLUE = (200, 30, 30), (30, 30, 200)


def crop(*columns: tuple[int, int, int]) -> Crop:
    """28 px high and wide for each colour, side by side."""
    rgb = np.concatenate([np.full((28, 28, 3), one, np.uint8) for one in columns], axis=1)
    return Crop(rgb, np.ones(rgb.shape[:2], np.bool_))


def appearance(kind: Kind, taught: Crop, sizes: Sizes) -> Appearance:
    entry = ObjectEntry(label="thing", kind=kind)
    return Appearance(Catalogue((Taught(entry, (taught,)),)), sizes)


def distance(of: Appearance, seen: Crop, area: float) -> float:
    counts = colour.histogram(colour.codes_of(seen.rgb).ravel())
    return float(of.distances(counts[None], np.array([area]), np.array([False]))[0, 0])


@pytest.mark.parametrize(
    ("share", "sizes", "fits"),
    [
        (0.36, Sizes(), True),
        (0.34, Sizes(), False),
        (0.34, Sizes(least=0.3), True),
        (2.4, Sizes(), True),
        (2.6, Sizes(), False),
        (2.6, Sizes(most=3.0), True),
    ],
)
def test_a_crop_of_quite_another_size_does_not_count(
    share: float, sizes: Sizes, fits: bool
) -> None:
    taught = crop(RED)
    found = distance(appearance(Kind.OBJECT, taught, sizes), taught, share * 28 * 28)
    assert found == (pytest.approx(0.0, abs=1e-3) if fits else 1.0)


@pytest.mark.parametrize(("tile_px", "like"), [(28, True), (56, False)])
def test_clutter_is_known_by_its_parts_in_tiles_of_the_declared_size(
    tile_px: int, like: bool
) -> None:
    clutter = appearance(Kind.CLUTTER, crop(RED, BLUE), Sizes(tile_px=tile_px))
    # A tile of 28 px is red alone; one of 56 px holds both, like the whole.
    assert (distance(clutter, crop(RED), 1.0) < 0.01) is like

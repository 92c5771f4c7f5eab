"""The catalogue detector names what it was taught, boxes it tightly, and names nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import painted_table as paint
import pytest

from perception_node.catalogue import load_catalogue
from perception_node.detection import Box, intersection_over_union
from perception_node.detectors.catalogue_detector import CatalogueDetector, CatalogueSettings


@pytest.fixture(scope="module")
def detector(tmp_path_factory: pytest.TempPathFactory) -> CatalogueDetector:
    folder = paint.teach_all(tmp_path_factory.mktemp("catalogue"))
    return CatalogueDetector(load_catalogue(folder), CatalogueSettings())


def named(detector: CatalogueDetector, picture: np.ndarray) -> dict[str, Box]:
    found = detector.detect(picture)
    assert len({detection.label for detection in found}) == len(found)
    return {detection.label: Box(*detection.box) for detection in found}


def test_every_taught_thing_is_named_and_boxed(detector: CatalogueDetector) -> None:
    picture = paint.table(seed=1)
    paint.flag(picture, 30, 40)
    paint.leaf(picture, 240, 170)
    paint.crate(picture, 100, 60)
    boxes = named(detector, picture)
    assert intersection_over_union(boxes["flag"], Box(30, 40, 70, 80)) > 0.9
    assert intersection_over_union(boxes["leaf"], Box(240, 170, 280, 210)) > 0.9
    assert intersection_over_union(boxes["crate"], Box(100, 60, 220, 160)) > 0.85


def test_things_that_touch_are_told_apart(detector: CatalogueDetector) -> None:
    picture = paint.table(seed=2)
    paint.flag(picture, 100, 100)
    paint.leaf(picture, 140, 100)
    boxes = named(detector, picture)
    assert intersection_over_union(boxes["flag"], Box(100, 100, 140, 140)) > 0.7
    assert intersection_over_union(boxes["leaf"], Box(140, 100, 180, 140)) > 0.7


def test_a_thing_in_the_container_is_named_and_so_is_the_container(
    detector: CatalogueDetector,
) -> None:
    picture = paint.table(seed=3)
    paint.crate(picture, 100, 60)
    paint.flag(picture, 140, 90)
    boxes = named(detector, picture)
    assert intersection_over_union(boxes["flag"], Box(140, 90, 180, 130)) > 0.7
    assert intersection_over_union(boxes["crate"], Box(100, 60, 220, 160)) > 0.85


def test_a_thing_that_was_not_taught_is_not_named(detector: CatalogueDetector) -> None:
    picture = paint.table(seed=4)
    paint.block(picture, 100, 100, (170, 60, 190), paint.BLACK)
    assert named(detector, picture) == {}


def test_a_taught_thing_of_quite_another_size_is_not_named(detector: CatalogueDetector) -> None:
    picture = paint.table(seed=5)
    paint.block(picture, 100, 60, paint.RED, paint.WHITE, size=100)
    assert "flag" not in named(detector, picture)


@pytest.mark.parametrize("gain", [0.85, 1.1])
def test_another_light_changes_no_name(detector: CatalogueDetector, gain: float) -> None:
    picture = paint.table(seed=6)
    paint.flag(picture, 30, 40)
    paint.leaf(picture, 240, 170)
    lit = np.clip(picture * gain, 0, 255).astype(np.uint8)
    assert set(named(detector, lit)) == {"flag", "leaf"}


@pytest.mark.parametrize(
    "picture",
    [
        paint.table(),
        np.zeros((240, 320, 3), np.uint8),
        np.full((1, 1, 3), 255, np.uint8),
        np.random.default_rng(0).integers(0, 256, (48, 64, 3)).astype(np.uint8),
    ],
    ids=["empty table", "black", "one pixel", "noise"],
)
def test_nothing_is_seen_where_nothing_is(detector: CatalogueDetector, picture: np.ndarray) -> None:
    assert named(detector, picture) == {}


def test_the_same_picture_gives_the_same_answer(detector: CatalogueDetector) -> None:
    picture = paint.table(seed=7)
    paint.flag(picture, 30, 40)
    assert detector.detect(picture) == detector.detect(picture.copy())


def test_a_catalogue_of_one_entry_works(tmp_path: Path) -> None:
    import shutil

    folder = paint.teach_all(tmp_path)
    shutil.rmtree(folder / "leaf")
    shutil.rmtree(folder / "crate")
    detector = CatalogueDetector(load_catalogue(folder), CatalogueSettings())
    picture = paint.table(seed=8)
    paint.flag(picture, 30, 40)
    assert set(named(detector, picture)) == {"flag"}

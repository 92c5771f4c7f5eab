"""The shipped catalogue on rendered tables of seeds that it was not taught with."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.perception_catalogue import Tally, must_be_named, score
from perception_node.catalogue import load_catalogue
from perception_node.detectors.catalogue_detector import CatalogueDetector, CatalogueSettings
from sim_node.rendered_tables import RenderedTables

CATALOGUE = Path(__file__).resolve().parents[3] / "config" / "catalogue"


@pytest.fixture(scope="module")
def detector() -> CatalogueDetector:
    return CatalogueDetector(load_catalogue(CATALOGUE), CatalogueSettings())


@pytest.fixture(scope="module")
def tables():
    rendered = RenderedTables()
    yield rendered
    rendered.close()


@pytest.mark.parametrize("situation", ["home", "basket", "arm"])
def test_groceries_and_basket_are_named_in_both_views(detector, tables, situation: str) -> None:
    tally = Tally()
    labels = ("milk", "mustard", "soup can", "cereal", "basket")
    frames = list(tables.frames(range(9000, 9005), situation))
    for frame in frames:
        score(frame, detector.detect(frame.rgb), labels, tally)
    due = sum(
        must_be_named(f, label) and f.box(label) is not None for f in frames for label in labels
    )
    assert tally.wrong == 0
    assert tally.missed == 0
    assert tally.right >= due
    assert tally.loose == 0

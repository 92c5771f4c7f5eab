"""A detector is made by its name; an unknown one lists the valid names."""

from __future__ import annotations

from pathlib import Path

import painted_table as paint
import pytest

from openral.errors import ConfigError
from perception_node.detectors.catalogue_detector import CatalogueSettings
from perception_node.detectors.factory import DetectorSettings, make_detector


def test_the_catalogue_detector_is_made(tmp_path: Path) -> None:
    settings = DetectorSettings(paint.teach_all(tmp_path), CatalogueSettings())
    detector = make_detector("catalogue", settings)
    assert detector.vocabulary.labels == ("crate", "flag", "leaf")
    assert detector.box_space is None


def test_an_unknown_detector_lists_the_valid_ones(tmp_path: Path) -> None:
    settings = DetectorSettings(tmp_path, CatalogueSettings())
    with pytest.raises(ConfigError, match=r"'yolo'.*one of 'catalogue'"):
        make_detector("yolo", settings)


def test_a_missing_catalogue_is_named(tmp_path: Path) -> None:
    settings = DetectorSettings(tmp_path / "nowhere", CatalogueSettings())
    with pytest.raises(ConfigError, match="nowhere"):
        make_detector("catalogue", settings)

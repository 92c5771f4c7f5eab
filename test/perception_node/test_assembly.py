"""Parameters reach what they are for."""

from __future__ import annotations

from perception_node.assembly import detector_settings
from perception_node.detectors.appearance import Sizes
from perception_node.detectors.catalogue_detector import CatalogueSettings
from perception_node.parameters import PerceptionParameters


def test_the_detectors_defaults_are_those_of_the_parameters() -> None:
    assert detector_settings(PerceptionParameters()).catalogue == CatalogueSettings()


def test_every_threshold_of_the_detector_can_be_set() -> None:
    parameters = PerceptionParameters(
        max_distance=0.5, min_margin=0.1, min_area=300, widespread=0.5,
        clutter_tile=40, least_size=0.2, largest_size=4.0,
    )  # fmt: skip
    assert detector_settings(parameters).catalogue == CatalogueSettings(
        0.5, 0.1, 300, 0.5, Sizes(40, 0.2, 4.0)
    )

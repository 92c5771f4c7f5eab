"""Makes a detector by name; an unknown name fails with the valid ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from openral.errors import ConfigError
from perception_node.catalogue import load_catalogue
from perception_node.detectors.catalogue_detector import CatalogueDetector, CatalogueSettings
from perception_node.detectors.protocol import Detector


@dataclass(frozen=True)
class DetectorSettings:
    """What detectors are made from; each takes what it needs.

    Attributes:
        catalogue_folder: Folder of the catalogue.
        catalogue: Thresholds of the catalogue detector.
    """

    catalogue_folder: Path
    catalogue: CatalogueSettings


def _catalogue(settings: DetectorSettings) -> Detector:
    return CatalogueDetector(load_catalogue(settings.catalogue_folder), settings.catalogue)


DETECTORS: Mapping[str, Callable[[DetectorSettings], Detector]] = MappingProxyType(
    {"catalogue": _catalogue}
)
"""Every detector by the id that its topics and services bear."""


def make_detector(name: str, settings: DetectorSettings) -> Detector:
    """The detector called `name`.

    Raises:
        ConfigError: No detector has that name, or it cannot be made from `settings`.
    """
    make = DETECTORS.get(name)
    if make is None:
        valid = ", ".join(repr(known) for known in DETECTORS)
        raise ConfigError(f"parameter 'detector' = {name!r}: valid is one of {valid}")
    return make(settings)

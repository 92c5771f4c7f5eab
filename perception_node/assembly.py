"""What the parameters ask for: the detector's settings, and a view of each camera."""

from __future__ import annotations

import itertools

from openral.bringup.installed import config_file, config_folder
from openral.camera_model import load_cameras
from openral.errors import ConfigError
from perception_node.calibration import Calibration
from perception_node.camera_view import CameraView
from perception_node.detectors.appearance import Sizes
from perception_node.detectors.catalogue_detector import CatalogueSettings
from perception_node.detectors.factory import DetectorSettings
from perception_node.freshness import FreshnessLimits
from perception_node.parameters import PerceptionParameters
from perception_node.tracker import TrackerLimits


def camera_views(parameters: PerceptionParameters, now: float) -> dict[str, CameraView]:
    """A view of each camera by its name, begun at `now` [s].

    Raises:
        ConfigError: The calibration cannot be read.
    """
    ids = itertools.count()  # shared: an id is given once, whichever camera it is for
    configured = load_cameras(config_file(parameters.cameras_file))
    return {
        camera: CameraView(
            camera,
            max_rate=parameters.max_rate,
            early=parameters.early,
            freshness=FreshnessLimits(
                stale_after_s=parameters.stale_after,
                first_image_after_s=parameters.first_image_after,
                frozen_pixels_after_s=parameters.frozen_pixels_after,
            ),
            tracking=TrackerLimits(
                max_gap_s=parameters.max_gap,
                gate_diagonals=parameters.gate_diagonals,
                label_penalty=parameters.label_penalty,
                label_overlap=parameters.label_overlap,
                min_hits=parameters.min_hits,
                smoothing=parameters.smoothing,
                vote_decay=parameters.vote_decay,
            ),
            calibration=Calibration(
                camera,
                configured.get(camera),
                parameters.camera_info_tolerance,
                parameters.cameras_file,
                parameters.report_period,
            ),
            ids=ids,
            now=now,
        )
        for camera in parameters.cameras
    }


def detector_settings(parameters: PerceptionParameters) -> DetectorSettings:
    """What the detector is made from.

    Raises:
        ConfigError: The catalogue's folder leaves the configuration folder.
    """
    root = config_folder().resolve()
    # By name only: an install by symbolic links leads every file to the source tree.
    folder = root / parameters.catalogue_folder
    if ".." in folder.parts or not folder.is_relative_to(root):
        raise ConfigError(
            f"parameter 'catalogue_folder' = {parameters.catalogue_folder!r}: valid is a folder"
            f" within {root}"
        )
    return DetectorSettings(
        catalogue_folder=folder,
        catalogue=CatalogueSettings(
            max_distance=parameters.max_distance,
            min_margin=parameters.min_margin,
            min_area_px=parameters.min_area,
            widespread=parameters.widespread,
            sizes=Sizes(
                tile_px=parameters.clutter_tile,
                least=parameters.least_size,
                most=parameters.largest_size,
            ),
        ),
    )

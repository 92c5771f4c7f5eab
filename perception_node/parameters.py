"""Parameters of `perception_node`, with units and ranges."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from openral.camera_agreement import TOLERANCE
from openral.names import NAME
from openral.ros.parameters import ParameterModel, count, number, seconds


class PerceptionParameters(ParameterModel):
    """One detector on some cameras."""

    detector: str = Field("catalogue", pattern=NAME, description="id of the detector")
    catalogue_folder: str = Field(
        "catalogue",
        min_length=1,
        description="folder of the catalogue, within the configuration folder",
    )
    cameras: tuple[Annotated[str, Field(pattern=NAME)], ...] = Field(
        ("front", "top"), min_length=1, max_length=8, description="cameras looked at all the time"
    )
    primary_camera: str = Field(
        "top", pattern=NAME, description="camera that a query without one means"
    )
    max_rate: float = number(
        4.0, 0.1, 60.0, "most images of a camera looked at per second", unit="Hz"
    )
    early: float = number(
        0.2,
        0.0,
        0.9,
        "share of the shortest time between images that one may come early: a camera as fast "
        "as max_rate jitters",
    )
    stale_after: float = seconds(
        2.0, 0.1, 60.0, "longest time without a new image, and longest age of one on arrival"
    )
    first_image_after: float = seconds(
        10.0, 0.1, 600.0, "longest wait for a camera's first image: it may start after this node"
    )
    frozen_pixels_after: float = seconds(
        0.0, 0.0, 600.0, "longest time of identical pixels under new stamps; 0 = not judged"
    )
    locate_wait: float = seconds(
        0.9, 0.0, 10.0, "longest wait of a query for an image newer than itself"
    )
    cameras_file: str = Field(
        "cameras.yaml",
        min_length=1,
        description="the cameras' calibration, within the configuration folder",
    )
    camera_info_tolerance: float = number(
        TOLERANCE,
        0.001,
        0.2,
        "share of the configured focal lengths and principal point that a camera_info may be off",
        unit="1",
    )
    max_gap: float = seconds(
        2.0, 0.1, 60.0, "an object unseen for longer is gone, and gets a new id when it comes back"
    )
    gate_diagonals: float = number(
        1.5, 0.1, 10.0, "farthest jump of an object between images, in diagonals of its box"
    )
    min_hits: int = count(2, 1, 20, "images until an object counts as appeared")
    label_penalty: float = number(
        0.45,
        0.0,
        2.0,
        "cost of going on with an object under another label; a box as expected costs 0, one "
        "as far as gate_diagonals allows 1",
    )
    label_overlap: float = number(
        0.2, 0.0, 1.0, "least overlap (intersection over union) to go on under another label"
    )
    smoothing: float = number(
        0.75,
        0.0,
        1.0,
        "share of a new image in an object's place; the rest is where it was expected",
        low_open=True,
    )
    vote_decay: float = number(
        0.8, 0.0, 1.0, "weight of an older image's label against the next one's in the vote"
    )
    max_distance: float = number(
        0.36,
        0.0,
        1.0,
        "farthest Hellinger distance to a crop at which a region is named",
        low_open=True,
    )
    min_margin: float = number(
        0.05, 0.0, 1.0, "how much farther the nearest crop of any other entry has to be"
    )
    min_area: int = count(150, 16, 100_000, "smallest region that is looked at", unit="px")
    widespread: float = number(
        0.25,
        0.0,
        1.0,
        "share of the image's cells (8 x 8) that a background colour occurs in",
        low_open=True,
    )
    clutter_tile: int = count(
        28,
        8,
        512,
        "side of the tiles that clutter's crops are learnt in, and of twice that; about as large as"
        " objects are",
        unit="px",
    )
    least_size: float = number(
        0.35, 0.01, 1.0, "smallest area of a region against the area of a crop that may name it"
    )
    largest_size: float = number(2.5, 1.0, 100.0, "largest such area; a nearer thing is larger")
    jpeg_quality: int = count(80, 1, 100, "of the annotated picture")
    health_period: float = seconds(0.2, 0.02, 2.0, "time between looks at the cameras' health")
    stall_after: float = seconds(
        5.0,
        0.5,
        120.0,
        "time for which a detector may look at one image before it counts as stalled",
    )
    report_period: float = seconds(
        1.0,
        0.1,
        60.0,
        "time between diagnostics, and least time between two changes of a calibration",
    )

    @model_validator(mode="after")
    def _cameras_agree(self) -> PerceptionParameters:
        if len(set(self.cameras)) != len(self.cameras):
            raise ValueError(f"cameras: each once, got {', '.join(self.cameras)}")
        if self.primary_camera not in self.cameras:
            raise ValueError(
                f"primary_camera = {self.primary_camera!r}: valid is one of"
                f" {', '.join(self.cameras)}"
            )
        return self

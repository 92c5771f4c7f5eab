"""Parameters of `perception_node`, with units and ranges."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from openral.camera_agreement import TOLERANCE
from openral.names import NAME
from openral.ros.parameters import ParameterModel


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
    max_rate: float = Field(
        4.0,
        ge=0.1,
        le=60.0,
        description="most images of a camera looked at per second",
        json_schema_extra={"unit": "Hz"},
    )
    early: float = Field(
        0.2,
        ge=0.0,
        le=0.9,
        description="share of the shortest time between images that one may come early: a camera"
        " as fast as max_rate jitters",
    )
    stale_after: float = Field(
        2.0,
        ge=0.1,
        le=60.0,
        description="longest time without a new image, and longest age of one on arrival",
        json_schema_extra={"unit": "s"},
    )
    first_image_after: float = Field(
        10.0,
        ge=0.1,
        le=600.0,
        description="longest wait for a camera's first image: it may start after this node",
        json_schema_extra={"unit": "s"},
    )
    frozen_pixels_after: float = Field(
        0.0,
        ge=0.0,
        le=600.0,
        description="longest time of identical pixels under new stamps; 0 = not judged",
        json_schema_extra={"unit": "s"},
    )
    locate_wait: float = Field(
        0.9,
        ge=0.0,
        le=10.0,
        description="longest wait of a query for an image newer than itself",
        json_schema_extra={"unit": "s"},
    )
    cameras_file: str = Field(
        "cameras.yaml",
        min_length=1,
        description="the cameras' calibration, within the configuration folder",
    )
    camera_info_tolerance: float = Field(
        TOLERANCE,
        ge=0.001,
        le=0.2,
        description="share of the configured focal lengths and principal point that a camera_info"
        " may be off",
        json_schema_extra={"unit": "1"},
    )
    max_gap: float = Field(
        2.0,
        ge=0.1,
        le=60.0,
        description="an object unseen for longer is gone, and gets a new id when it comes back",
        json_schema_extra={"unit": "s"},
    )
    gate_diagonals: float = Field(
        1.5,
        ge=0.1,
        le=10.0,
        description="farthest jump of an object between images, in diagonals of its box",
    )
    min_hits: int = Field(2, ge=1, le=20, description="images until an object counts as appeared")
    label_penalty: float = Field(
        0.45,
        ge=0.0,
        le=2.0,
        description="cost of going on with an object under another label; a box as expected costs"
        " 0, one as far as gate_diagonals allows 1",
    )
    label_overlap: float = Field(
        0.2,
        ge=0.0,
        le=1.0,
        description="least overlap (intersection over union) to go on under another label",
    )
    smoothing: float = Field(
        0.75,
        gt=0.0,
        le=1.0,
        description="share of a new image in an object's place; the rest is where it was expected",
    )
    vote_decay: float = Field(
        0.8,
        ge=0.0,
        le=1.0,
        description="weight of an older image's label against the next one's in the vote",
    )
    max_distance: float = Field(
        0.36,
        gt=0.0,
        le=1.0,
        description="farthest Hellinger distance to a crop at which a region is named",
    )
    min_margin: float = Field(
        0.05,
        ge=0.0,
        le=1.0,
        description="how much farther the nearest crop of any other entry has to be",
    )
    min_area: int = Field(
        150,
        ge=16,
        le=100_000,
        description="smallest region that is looked at",
        json_schema_extra={"unit": "px"},
    )
    widespread: float = Field(
        0.25,
        gt=0.0,
        le=1.0,
        description="share of the image's cells (8 x 8) that a background colour occurs in",
    )
    jpeg_quality: int = Field(80, ge=1, le=100, description="of the annotated picture")
    health_period: float = Field(
        0.2,
        ge=0.02,
        le=2.0,
        description="time between looks at the cameras' health",
        json_schema_extra={"unit": "s"},
    )
    stall_after: float = Field(
        5.0,
        ge=0.5,
        le=120.0,
        description="time for which a detector may look at one image before it counts as stalled",
        json_schema_extra={"unit": "s"},
    )
    report_period: float = Field(
        1.0,
        ge=0.1,
        le=60.0,
        description="time between diagnostics, and least time between two changes of a calibration",
        json_schema_extra={"unit": "s"},
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

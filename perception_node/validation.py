"""Checks a detector's boxes before anyone acts on them: refused with counted reason, or clipped."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from openral.errors import InputError
from perception_node.detection import Box, Detection, RawDetection


class DropReason(str, Enum):
    """Why a box was refused."""

    EMPTY_LABEL = "empty_label"
    NOT_FINITE = "not_finite"
    BAD_SCORE = "bad_score"
    INVERTED = "inverted"
    OUTSIDE = "outside"


@dataclass(frozen=True)
class BoxSpace:
    """The coordinates that a detector's boxes are in: an image of `width` x `height`.

    Models see a resized picture, or answer in thousandths; which of them has to be declared, since
    a box of 900..999 could be either.
    """

    width: float
    height: float

    def __post_init__(self) -> None:
        if not (self.width > 0 and self.height > 0 and math.isfinite(self.width * self.height)):
            raise InputError("a box space of positive size", f"{self.width}x{self.height}")


@dataclass(frozen=True)
class Checked:
    """The detections of one image that passed, and how many did not, by reason."""

    detections: tuple[Detection, ...]
    dropped: Mapping[DropReason, int] = field(default_factory=dict)

    @property
    def dropped_total(self) -> int:
        """Number of boxes refused."""
        return sum(self.dropped.values())


def check_detections(
    raw: Iterable[RawDetection],
    image_width: int,
    image_height: int,
    box_space: BoxSpace | None = None,
) -> Checked:
    """Rescales boxes to the image, drops what is no box in it, and clips what reaches beyond.

    Args:
        raw: A detector's detections.
        image_width: Width of the original image [px].
        image_height: Height of the original image [px].
        box_space: Coordinates of the boxes; None = the original image's own.

    Raises:
        InputError: The image is empty.
    """
    if image_width < 1 or image_height < 1:
        raise InputError("an image of at least 1x1 px", f"{image_width}x{image_height}")
    x_scale = image_width / box_space.width if box_space else 1.0
    y_scale = image_height / box_space.height if box_space else 1.0
    kept: list[Detection] = []
    dropped: Counter[DropReason] = Counter()
    for detection in raw:
        outcome = _check(detection, image_width, image_height, x_scale, y_scale)
        if isinstance(outcome, DropReason):
            dropped[outcome] += 1
        else:
            kept.append(outcome)
    return Checked(tuple(kept), dict(dropped))


def _check(
    raw: RawDetection, width: int, height: int, x_scale: float, y_scale: float
) -> Detection | DropReason:
    label = raw.label.strip()
    if not label:
        return DropReason.EMPTY_LABEL
    if len(raw.box) != 4 or not all(math.isfinite(value) for value in (*raw.box, raw.score)):
        return DropReason.NOT_FINITE
    if not 0.0 <= raw.score <= 1.0:
        return DropReason.BAD_SCORE
    scaled = Box(
        raw.box[0] * x_scale, raw.box[1] * y_scale, raw.box[2] * x_scale, raw.box[3] * y_scale
    )
    if scaled.width <= 0.0 or scaled.height <= 0.0:
        return DropReason.INVERTED
    inside = Box(
        max(0.0, scaled.x_min),
        max(0.0, scaled.y_min),
        min(float(width), scaled.x_max),
        min(float(height), scaled.y_max),
    )
    if inside.width <= 0.0 or inside.height <= 0.0:
        return DropReason.OUTSIDE
    return Detection(label, raw.score, inside, clipped=inside != scaled)

"""Draws what was detected into the picture, for a person to look at."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from openral.errors import InputError
from openral.image import RgbImage
from perception_node.captions import Captions
from perception_node.detection import TrackedDetection

_GOLDEN_ANGLE = math.pi * (3.0 - math.sqrt(5.0))


def colour(label: str) -> tuple[int, int, int]:
    """A label's own colour (red, green, blue), the same in every picture, dark enough for white."""
    hue = (sum(label.encode()) * _GOLDEN_ANGLE) % (2.0 * math.pi)
    shades = (math.cos(hue - offset) for offset in (0.0, 2.0 * math.pi / 3.0, 4.0 * math.pi / 3.0))
    red, green, blue = (round(110.0 + 80.0 * shade) for shade in shades)
    return red, green, blue


def annotate(
    rgb: RgbImage, detections: Sequence[TrackedDetection], camera: str, stamp: float
) -> RgbImage:
    """A copy of the picture with boxes, labels, ids and scores, and the camera and time below.

    Args:
        rgb: (height, width, 3) uint8 red, green, blue.
        detections: Boxes in this picture.
        camera: Its name.
        stamp: The image's stamp [s].
    """
    picture: RgbImage = np.ascontiguousarray(rgb).copy()
    captions = Captions(picture)
    # First, so that it stands at the same place in every picture.
    captions.write(f"{camera}  {_clock(stamp)}", 0, picture.shape[0], (40, 40, 40))
    for detection in detections:
        paint = colour(detection.label)
        box = detection.box
        corner = (round(box.x_min), round(box.y_min))
        cv2.rectangle(picture, corner, (round(box.x_max) - 1, round(box.y_max) - 1), paint, 2)
        text = f"{detection.label} #{detection.det_id} {detection.score:.2f}"
        captions.write(text, *corner, paint)
    return picture


def _clock(stamp: float) -> str:
    """Hours, minutes and seconds of a stamp: of the day (UTC), or since a simulated start."""
    milliseconds = round(stamp * 1000.0)
    minutes, rest = divmod(milliseconds, 60_000)
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}:{rest / 1000.0:06.3f}"


def jpeg(rgb: RgbImage, quality: int) -> bytes:
    """The picture as JPEG.

    Args:
        rgb: (height, width, 3) uint8 red, green, blue.
        quality: 1 to 100.

    Raises:
        InputError: The picture cannot be encoded.
    """
    parameters = [cv2.IMWRITE_JPEG_QUALITY, quality]
    done, data = cv2.imencode(".jpg", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), parameters)
    if not done:
        raise InputError("a picture that JPEG can hold", f"shape {rgb.shape}")
    return bytes(data)

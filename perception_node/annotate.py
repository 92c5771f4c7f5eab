"""Draws what was detected into the picture, for a person to look at."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from openral.errors import InputError
from openral.image import RgbImage
from perception_node.detection import TrackedDetection

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_WHITE = (255, 255, 255)
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
    """A copy of the picture with boxes, labels, ids and scores, and the camera and stamp below.

    Args:
        rgb: (height, width, 3) uint8 red, green, blue.
        detections: Boxes in this picture.
        camera: Its name.
        stamp: The image's stamp [s].
    """
    picture: RgbImage = np.ascontiguousarray(rgb).copy()
    height, width = picture.shape[:2]
    scale = max(0.35, width / 640.0 * 0.45)
    for detection in detections:
        paint = colour(detection.label)
        box = detection.box
        corner = (round(box.x_min), round(box.y_min))
        cv2.rectangle(picture, corner, (round(box.x_max) - 1, round(box.y_max) - 1), paint, 2)
        text = f"{detection.label} #{detection.det_id} {detection.score:.2f}"
        _caption(picture, text, corner[0], corner[1], paint, scale)
    _caption(picture, f"{camera}  {stamp:.3f} s", 0, height, (40, 40, 40), scale)
    return picture


def _caption(
    picture: RgbImage, text: str, x: int, bottom: int, paint: tuple[int, int, int], scale: float
) -> None:
    (text_width, text_height), baseline = cv2.getTextSize(text, _FONT, scale, 1)
    height, width = picture.shape[:2]
    block = text_height + baseline + 2
    left = max(0, min(x, width - text_width - 4))
    top = max(0, min(bottom - block, height - block))
    cv2.rectangle(picture, (left, top), (left + text_width + 4, top + block), paint, cv2.FILLED)
    origin = (left + 2, top + text_height + 1)
    cv2.putText(picture, text, origin, _FONT, scale, _WHITE, 1, cv2.LINE_AA)


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

"""Annotated pictures show box, label, id, score, camera and stamp, and leave the original alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from perception_node.annotate import _clock, annotate, colour, jpeg
from perception_node.detection import Box, TrackedDetection


def grey(width: int = 320, height: int = 240) -> np.ndarray:
    return np.full((height, width, 3), 128, dtype=np.uint8)


def test_the_box_is_drawn_in_the_labels_colour_on_a_copy() -> None:
    picture = grey()
    found = TrackedDetection(7, "milk", 0.9, Box(100, 80, 160, 180))
    drawn = annotate(picture, [found], "top", 12.5)
    assert (picture == 128).all()
    assert tuple(drawn[130, 100]) == colour("milk")
    assert tuple(drawn[179, 130]) == colour("milk")
    assert tuple(drawn[130, 130]) == (128, 128, 128)


def test_every_fact_changes_the_picture() -> None:
    def drawn(camera="top", stamp=1.0, label="milk", det_id=1, score=0.5):
        found = TrackedDetection(det_id, label, score, Box(100, 80, 160, 180))
        return annotate(grey(), [found], camera, stamp)

    base = drawn()
    for other in (
        drawn(camera="front"),
        drawn(stamp=2.0),
        drawn(label="soup"),
        drawn(det_id=2),
        drawn(score=0.6),
    ):
        assert not np.array_equal(base, other)
    assert np.array_equal(base, drawn())


@pytest.mark.parametrize("box", [Box(0, 0, 5, 5), Box(300, 230, 320, 240), Box(0, 0, 320, 240)])
def test_captions_at_the_border_stay_in_the_picture(box: Box) -> None:
    label = "a very long label that is wider than the picture itself, by far"
    drawn = annotate(grey(), [TrackedDetection(1, label, 0.5, box)], "top", 0.0)
    assert drawn.shape == (240, 320, 3)


def test_the_jpeg_keeps_the_colours_order() -> None:
    picture = grey()
    picture[:, :, 0] = 250
    decoded = cv2.imdecode(np.frombuffer(jpeg(picture, 90), np.uint8), cv2.IMREAD_COLOR)
    blue, _, red = decoded[100, 100].tolist()
    assert red > 230
    assert blue < 140


@pytest.mark.parametrize(
    ("stamp", "told"),
    [
        # 1 000 000 000 s after 1970 is 2001-09-09 01:46:40 UTC.
        (1_000_000_000.25, "01:46:40.250"),
        # A simulated clock begins at 0.
        (0.0, "00:00:00.000"),
        (3723.0005, "01:02:03.000"),
        (59.9996, "00:01:00.000"),
    ],
)
def test_the_time_is_told_as_a_clock_does(stamp: float, told: str) -> None:
    assert _clock(stamp) == told

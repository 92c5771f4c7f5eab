"""What a picture from above proves about objects that were called done."""

from __future__ import annotations

import pytest

from reasoner_node.events import LocateAnswered
from reasoner_node.final_look import no_picture


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "the detector did not answer"),
        (LocateAnswered(call_id="q", answered=False), "the detector did not answer"),
        (LocateAnswered(call_id="q", answered=False, message="gone"), "gone"),
        (LocateAnswered(call_id="q", answered=True), "no image"),
        (LocateAnswered(call_id="q", answered=True, camera="top", message="camera_stale"),
         "camera top gives no images"),
        (LocateAnswered(call_id="q", answered=True, camera="top",
                        message="camera_stale: camera top: no image for 31.0 s since the start"),
         "camera top gives no images (no image for 31.0 s since the start)"),
        (LocateAnswered(call_id="q", answered=True, camera="top",
                        message="camera top: live; image refused: expected rgb8, got 'yuv422'"),
         "camera top: live; image refused: expected rgb8, got 'yuv422'"),
        (LocateAnswered(call_id="q", answered=True, camera="up", message="unknown camera 'up'"),
         "unknown camera 'up'"),
        (LocateAnswered(call_id="q", answered=True, image_age_s=3.1),
         "the newest image is 3.1 s old"),
        (LocateAnswered(call_id="q", answered=True, image_age_s=3.0), ""),
    ],
)  # fmt: skip
def test_only_a_fresh_image_proves_anything(answer, said):
    assert no_picture(answer, 3.0) == said

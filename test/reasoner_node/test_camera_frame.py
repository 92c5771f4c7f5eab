"""A camera's frame as a picture to ask about, if it is of now."""

from __future__ import annotations

import pytest

from reasoner_node.camera_frame import age_problem


@pytest.mark.parametrize("stamp_s", [98.5, 100.0, 100.02])
def test_a_frame_of_now_may_be_asked_about(stamp_s: float) -> None:
    assert age_problem(stamp_s, 100.0, 1.5, 0.02) == ""


@pytest.mark.parametrize(
    ("stamp_s", "said"),
    [
        (None, "no image"),
        (90.0, "the newest image is 10.0 s old, expected at most 1.5 s"),
        (0.0, "the newest image is 100.0 s old, expected at most 1.5 s"),
        (160.0, "the image's stamp is 60.00 s ahead of this clock"),
        (100.03, "the image's stamp is 0.03 s ahead of this clock"),
    ],
)
def test_any_other_proves_nothing(stamp_s: float | None, said: str) -> None:
    assert age_problem(stamp_s, 100.0, 1.5, 0.02) == said

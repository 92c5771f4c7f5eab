"""What a picture from above proves about objects that were called done."""

from __future__ import annotations

import pytest

from reasoner_node.events import LocateAnswered, Seen
from reasoner_node.final_look import no_picture, outside

BASKET = Seen(label="basket", score=0.9, x_min=100, y_min=100, x_max=200, y_max=200)


def milk(x: float, y: float) -> Seen:
    return Seen(label="milk", score=0.9, x_min=x - 10, y_min=y - 10, x_max=x + 10, y_max=y + 10)


#   100       200
#    +---------+
#    | in      | edge   out
#    +---------+
@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        (150, 150, ""),
        (199, 150, ""),
        (201, 150, "is seen outside of the basket at pixel (201, 150)"),
        (300, 150, "is seen outside of the basket at pixel (300, 150)"),
        (150, 99, "is seen outside of the basket at pixel (150, 99)"),
    ],
)
def test_the_middle_of_the_object_decides(x, y, said):
    assert outside("milk", "basket", [BASKET, milk(x, y)]) == said


def test_an_object_that_is_hidden_is_not_held_against_it():
    assert outside("milk", "basket", [BASKET]) == ""


def test_a_second_one_outside_counts():
    assert outside("milk", "basket", [BASKET, milk(150, 150), milk(300, 150)])


def test_an_object_without_its_container_in_view_is_not_confirmed():
    assert outside("milk", "basket", [milk(150, 150)]) == "is seen, and no basket around it"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "the detector did not answer"),
        (LocateAnswered(call_id="q", answered=False), "the detector did not answer"),
        (LocateAnswered(call_id="q", answered=False, message="gone"), "gone"),
        (LocateAnswered(call_id="q", answered=True), "no image"),
        (LocateAnswered(call_id="q", answered=True, message="camera_stale"), "camera_stale"),
        (LocateAnswered(call_id="q", answered=True, image_age_s=3.1),
         "the newest image is 3.1 s old"),
        (LocateAnswered(call_id="q", answered=True, image_age_s=3.0), ""),
    ],
)  # fmt: skip
def test_only_a_fresh_image_proves_anything(answer, said):
    assert no_picture(answer, 3.0) == said

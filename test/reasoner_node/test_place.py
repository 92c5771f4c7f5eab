"""What a picture from above proves about objects that were called done."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from openral.camera_model import CameraConfig, load_cameras
from reasoner_node.events import Seen
from reasoner_node.place import Place, PlaceCheck, elsewhere, outside, place_of

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


# 1 m above the table, looking straight down, image up is x forward: 100 px wide and high, 90 deg,
# so that 1 px is 0.02 m on the table and the middle pixel (49.5, 49.5) is the point (0.5, 0).
DOWN = CameraConfig(
    parent="world",
    position=(0.5, 0.0, 1.0),
    orientation=(math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0),
    width=100,
    height=100,
    fovy_deg=90.0,
    rate_hz=4.0,
    depth=False,
)
FLAT = PlaceCheck(DOWN, tolerance_m=0.05, height_max_m=0.0)


@pytest.mark.parametrize(
    ("px", "point", "said"),
    [
        ((49.5, 49.5), (0.5, 0.0), ""),
        # 10 px up the image: 0.2 m forward. 5 px to its right: 0.1 m to the robot's right.
        ((54.5, 39.5), (0.7, -0.1), ""),
        ((54.5, 39.5), (0.7, 0.1), "is seen 0.20 m from its place (0.70, 0.10) m on the table"),
        ((51.5, 49.5), (0.5, 0.0), ""),
        ((52.5, 49.5), (0.5, 0.0), "is seen 0.06 m from its place (0.50, 0.00) m on the table"),
    ],
)
def test_an_object_has_to_be_seen_at_its_point_on_the_table(px, point, said):
    assert elsewhere("milk", Place(point=point), [milk(*px)], FLAT) == said


def test_a_tall_object_is_seen_beside_its_place_by_what_its_height_hides():
    # The middle of a box at 0.1 m height above (0.7, 0) is seen at 0.2 / 0.9 = 0.222 m: 11.1 px.
    seen = [milk(49.5, 49.5 - 0.2 / 0.9 / 0.02)]
    tall = PlaceCheck(DOWN, tolerance_m=0.01, height_max_m=0.2)
    assert elsewhere("milk", Place(point=(0.7, 0.0)), seen, tall) == ""
    short = PlaceCheck(DOWN, tolerance_m=0.01, height_max_m=0.0)
    assert "0.02 m from its place" in elsewhere("milk", Place(point=(0.7, 0.0)), seen, short)


def test_what_is_not_seen_on_the_table_is_not_there():
    said = elsewhere("milk", Place(point=(0.5, 0.0)), [BASKET], FLAT)
    assert said == "is not seen at its place (0.50, 0.00) m on the table"


@pytest.mark.parametrize("camera", [None, DOWN.model_copy(update={"parent": "panda_hand"})])
def test_without_a_camera_at_a_known_place_nothing_is_proved(camera):
    check = PlaceCheck(camera, tolerance_m=0.05, height_max_m=0.0)
    assert "cannot be looked for" in elsewhere(
        "milk", Place(point=(0.5, 0.0)), [milk(49.5, 49.5)], check
    )


def test_a_box_that_no_ray_leads_to_the_table_is_elsewhere():
    up = DOWN.model_copy(update={"orientation": (0.0, 0.0, 0.0, 1.0)})
    check = PlaceCheck(up, tolerance_m=0.05, height_max_m=0.0)
    assert "inf m from its place" in elsewhere(
        "milk", Place(point=(0.5, 0.0)), [milk(49.5, 49.5)], check
    )


def test_a_container_needs_no_calibration():
    check = PlaceCheck(None, tolerance_m=0.05, height_max_m=0.0)
    assert elsewhere("milk", Place(container="basket"), [BASKET, milk(150, 150)], check) == ""


@pytest.mark.parametrize(
    ("params", "place"),
    [
        ({"object": "milk", "container": "basket"}, Place(container="basket")),
        ({"object": "milk", "position": [0.4, -0.2]}, Place(point=(0.4, -0.2))),
        ({"object": "milk"}, None),
    ],
)
def test_a_skills_parameters_name_the_place(params, place):
    assert place_of(params) == place


def test_the_camera_from_above_of_the_configuration_stands_at_a_fixed_place():
    cameras = load_cameras(Path(__file__).parents[2] / "config" / "cameras.yaml")
    top = PlaceCheck(cameras["top"], tolerance_m=0.06, height_max_m=0.2)
    x, y = cameras["top"].model().project([0.45, -0.2, 0.05])
    assert elsewhere("milk", Place(point=(0.45, -0.2)), [milk(float(x), float(y))], top) == ""

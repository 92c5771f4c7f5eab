"""One camera's view: the rate limit, what a query is answered from, and changes of health."""

from __future__ import annotations

import itertools

import pytest

from openral.camera_model import CameraConfig
from openral.errors import InputError
from perception_node.calibration import Calibration
from perception_node.camera_view import CameraView, choose_view, sight_for_query
from perception_node.detection import RawDetection
from perception_node.freshness import CameraState, FreshnessLimits
from perception_node.tracker import TrackerLimits
from perception_node.validation import check_detections

VGA = (640, 480)


def ns(seconds: float) -> int:
    return round(seconds * 1e9)


def view(
    name: str = "top",
    max_rate: float = 4.0,
    config: CameraConfig | None = None,
    frozen_pixels_after_s: float = 0.0,
) -> CameraView:
    return CameraView(
        name,
        max_rate=max_rate,
        early=0.2,
        calibration=Calibration(name, config, 0.02, "cameras.yaml", 1.0),
        freshness=FreshnessLimits(1.0, 5.0, frozen_pixels_after_s),
        tracking=TrackerLimits(),
        ids=itertools.count(),
        now=0.0,
    )


def milk(count: int = 1):
    return check_detections(
        [RawDetection("milk", 0.9, (10, 10, 50, 50)), RawDetection("", 0.9, (0, 0, 5, 5))][:count],
        640,
        480,
    )


def test_faster_images_than_the_limit_are_not_looked_at() -> None:
    top = view(max_rate=4.0)
    due = [top.on_image(0.1 * i, ns(0.1 * i), i) for i in range(7)]
    # 4 Hz with a tolerance of 20 %: the next one is due 0.2 s after the last.
    assert due == [True, False, True, False, True, False, True]


def test_a_query_has_the_next_newer_image_looked_at() -> None:
    top = view(max_rate=0.5)
    assert top.on_image(1.0, ns(1.0), 1)
    top.want(ns(1.05))
    assert not top.on_image(1.06, ns(1.01), 2)  # taken before the query
    assert top.on_image(1.10, ns(1.08), 3)
    assert not top.on_image(1.20, ns(1.18), 4)


def test_a_repeated_image_is_not_looked_at() -> None:
    top = view()
    assert top.on_image(0.0, ns(0.0), 1)
    assert not top.on_image(9.0, ns(0.0), 1)


def test_images_of_a_stale_camera_are_not_looked_at() -> None:
    top = view()
    # Stamps 3 s behind the clock: taken for a start's lag at first, and for a fault after 1 s.
    looked = [top.on_image(10.0 + 0.5 * i, ns(7.0 + 0.5 * i), i) for i in range(5)]
    assert looked == [True, True, True, False, False]
    assert top.health(12.0).state is CameraState.LAGGING
    assert top.on_image(12.5, ns(12.5), 9)


def test_a_frozen_camera_is_looked_at_again_with_the_first_picture_that_differs() -> None:
    top = view(frozen_pixels_after_s=1.0)
    looked = [top.on_image(10.0 + 0.5 * i, ns(10.0 + 0.5 * i), 7) for i in range(5)]
    assert looked == [True, True, True, False, False]
    assert top.on_image(12.5, ns(12.5), 8)


def test_a_clock_set_back_does_not_stop_it() -> None:
    top = view()
    assert top.on_image(1000.0, ns(1000.0), 1)
    assert top.on_image(5.0, ns(5.0), 2)


def test_a_query_is_answered_from_a_newer_image_or_says_how_old_it_is() -> None:
    top = view()
    top.on_image(10.0, ns(9.9), 1)
    top.on_detections(ns(9.9), milk(), VGA)
    sight, note = sight_for_query(top, 10.1, ns(9.8), stale_after_s=1.0)
    assert sight is not None
    assert sight.seen[0].label == "milk"
    assert note == ""
    sight, note = sight_for_query(top, 10.5, ns(10.2), stale_after_s=1.0)
    assert sight is not None
    assert note == "image is 0.3 s older than the query"


def test_a_query_about_a_silent_camera_has_no_answer_but_a_reason() -> None:
    top = view()
    assert sight_for_query(top, 0.5, 0, 1.0) == (None, "camera top: no image yet")
    top.on_image(10.0, ns(10.0), 1)
    top.on_detections(ns(10.0), milk(), VGA)
    sight, reason = sight_for_query(top, 12.0, ns(11.0), 1.0)
    assert sight is None
    assert reason == ("camera_stale: camera top: expected an image every 1.0 s, none for 2.0 s")


def test_an_old_sight_is_no_answer_even_if_the_camera_lives() -> None:
    top = view()
    top.on_image(10.0, ns(10.0), 1)
    top.on_detections(ns(10.0), milk(), VGA)
    for i in range(1, 13):
        top.on_image(10.0 + 0.25 * i, ns(10.0 + 0.25 * i), i)
    sight, reason = sight_for_query(top, 13.0, ns(12.9), 1.0)
    assert sight is None
    assert "3.0 s old" in reason


def test_a_camera_whose_images_are_refused_says_why() -> None:
    top = view()
    top.on_image(10.0, ns(10.0), 1)
    top.on_refused("image refused: expected rgb8, got 'yuv422'")
    sight, reason = sight_for_query(top, 10.1, ns(9.9), 1.0)
    assert sight is None
    assert reason.startswith("camera top: ")
    assert reason.endswith("; image refused: expected rgb8, got 'yuv422'")
    top.on_detections(ns(10.1), milk(), VGA)
    top.on_image(11.9, ns(11.9), 2)
    sight, reason = sight_for_query(top, 12.0, ns(11.9), 1.0)
    assert (sight, reason) == (None, "camera top: newest image looked at is 1.9 s old")


def test_a_change_of_health_is_told_once() -> None:
    top = view()
    top.on_image(10.0, ns(10.0), 1)
    assert top.health_change(10.5) is None
    change = top.health_change(11.5)
    assert change is not None
    assert change.state is CameraState.SILENT
    assert top.health_change(11.7) is None
    top.on_image(12.0, ns(12.0), 2)
    back = top.health_change(12.0)
    assert back is not None
    assert not back.stale


def test_counters_book_every_image_and_box() -> None:
    top = view()
    top.on_image(1.0, ns(1.0), 1)
    top.on_detections(ns(1.0), milk(2), VGA)
    top.on_refused("bad encoding")
    counters = top.counters
    assert (counters.received, counters.looked_at, counters.refused) == (1, 1, 1)
    assert counters.dropped_boxes == {"empty_label": 1}
    assert counters.last_refusal == "bad encoding"


def test_an_unknown_camera_lists_the_valid_ones() -> None:
    views = [view("front"), view("top")]
    assert choose_view(views, "", "top")[0] is views[1]
    assert choose_view(views, " front ", "top")[0] is views[0]
    assert choose_view(views, "wrist", "top") == (
        None,
        "unknown camera 'wrist'; valid names are front, top",
    )


def test_an_image_of_another_size_ends_every_track() -> None:
    top = view()
    for i in range(2):
        before = top.on_detections(ns(1.0 + 0.2 * i), milk(), VGA).seen[0].det_id
    after = top.on_detections(ns(1.4), milk(), (320, 240))
    assert [lost.det_id for lost in after.gone] == [before]
    assert after.seen[0].det_id != before


def test_an_image_from_before_the_last_one_is_refused_and_the_next_goes_on() -> None:
    top = view()
    first = top.on_detections(ns(10.0), milk(), VGA).seen[0].det_id
    assert top.on_image(10.1, ns(9.5), 7)
    with pytest.raises(InputError, match=r"newer than 10.000 s, got 9.500 s"):
        top.on_detections(ns(9.5), milk(), VGA)
    assert top.on_detections(ns(10.2), milk(), VGA).seen[0].det_id == first


def test_a_camera_that_contradicts_its_calibration_is_not_looked_through() -> None:
    config = CameraConfig(
        parent="world",
        position=(0.0, 0.0, 1.0),
        orientation=(1.0, 0.0, 0.0, 0.0),
        width=640,
        height=480,
        fovy_deg=90.0,
        rate_hz=4.0,
        depth=False,
    )
    top = view(config=config)
    top.on_image(1.0, ns(1.0), 1)
    top.on_detections(ns(1.0), milk(), VGA)
    top.calibration.on_info(2.0, [0.0] * 9, 1280, 960)
    assert not top.on_image(2.0, ns(2.0), 2)
    sight, reason = sight_for_query(top, 2.0, ns(0.5), stale_after_s=5.0)
    assert sight is None
    assert "camera_info disagrees with config/cameras.yaml" in reason
    top.calibration.on_info(2.0, [0.0] * 9, 640, 480)
    assert top.on_image(3.0, ns(3.0), 3)

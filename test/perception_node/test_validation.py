"""A bad box is dropped with its reason; a box beyond the image is clipped and flagged."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openral.errors import InputError
from perception_node.detection import Box, RawDetection
from perception_node.validation import BoxSpace, DropReason, check_detections

THOUSANDTHS = BoxSpace(1000.0, 1000.0)
"""The 0–1000 convention of several vision-language models."""


def raw(box: tuple[float, ...], label: str = "cup", score: float = 0.9) -> RawDetection:
    return RawDetection(label, score, box)  # type: ignore[arg-type]


def test_bad_detections_are_counted_by_reason_and_the_large_one_is_clipped() -> None:
    checked = check_detections(
        [
            raw((10, 10, 50, 50), label=""),
            raw((math.nan, 0, 5, 5)),
            raw((60, 60, 20, 20)),
            raw((-5, -5, 700, 500), label="table"),
        ],
        640,
        480,
    )
    assert checked.dropped == {
        DropReason.EMPTY_LABEL: 1,
        DropReason.NOT_FINITE: 1,
        DropReason.INVERTED: 1,
    }
    assert checked.dropped_total == 3
    (table,) = checked.detections
    assert table.label == "table"
    assert table.box == Box(0.0, 0.0, 640.0, 480.0)
    assert table.clipped


def test_a_good_box_is_kept_as_it_is() -> None:
    (cup,) = check_detections([raw((10, 10, 50, 50), label=" cup ")], 640, 480).detections
    assert cup.label == "cup"
    assert cup.box == Box(10, 10, 50, 50)
    assert not cup.clipped


def test_a_box_of_a_resized_image_is_rescaled_then_clipped() -> None:
    # x · 368/364, y · 434/448: 476 · 434/448 = 461.1 lies below the image's 434 rows.
    checked = check_detections([raw((19, 300, 154, 476))], 368, 434, BoxSpace(364, 448))
    (box,) = checked.detections
    assert box.box.x_min == pytest.approx(19.2088, abs=1e-4)
    assert box.box.y_min == pytest.approx(290.625)
    assert box.box.x_max == pytest.approx(155.6923, abs=1e-4)
    assert box.box.y_max == 434.0
    assert box.clipped


def test_thousandths_are_only_read_where_declared() -> None:
    box = raw((900, 900, 999, 999))
    assert check_detections([box], 640, 480).dropped == {DropReason.OUTSIDE: 1}
    (read,) = check_detections([box], 640, 480, THOUSANDTHS).detections
    assert read.box.x_min == pytest.approx(576.0)
    assert read.box.y_max == pytest.approx(479.52)
    assert not read.clipped


@pytest.mark.parametrize("score", [-0.1, 1.1])
def test_a_score_outside_its_range_is_dropped(score: float) -> None:
    checked = check_detections([raw((0, 0, 5, 5), score=score)], 64, 48)
    assert checked.dropped == {DropReason.BAD_SCORE: 1}


def test_a_box_of_three_numbers_is_dropped() -> None:
    assert check_detections([raw((0, 0, 5))], 64, 48).dropped_total == 1


@pytest.mark.parametrize(("width", "height"), [(0, 480), (640, -1)])
def test_an_empty_image_is_refused(width: int, height: int) -> None:
    with pytest.raises(InputError):
        check_detections([], width, height)


@pytest.mark.parametrize(("width", "height"), [(0, 1), (math.nan, 1), (math.inf, 1)])
def test_an_empty_box_space_is_refused(width: float, height: float) -> None:
    with pytest.raises(InputError):
        BoxSpace(width, height)


number = st.floats(width=32)


@given(
    st.lists(st.tuples(st.text(max_size=3), number, st.tuples(number, number, number, number))),
    st.sampled_from([None, THOUSANDTHS, BoxSpace(364, 448)]),
)
def test_no_box_is_lost_and_every_kept_one_lies_inside(boxes, space) -> None:
    checked = check_detections([RawDetection(*box) for box in boxes], 640, 480, space)
    assert len(checked.detections) + checked.dropped_total == len(boxes)
    for found in checked.detections:
        assert 0.0 <= found.box.x_min < found.box.x_max <= 640.0
        assert 0.0 <= found.box.y_min < found.box.y_max <= 480.0
        assert found.label
        assert 0.0 <= found.score <= 1.0

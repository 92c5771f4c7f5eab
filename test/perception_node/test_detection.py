"""Boxes: overlap and distance worked by hand."""

from __future__ import annotations

import pytest

from perception_node.detection import Box, centre_distance, intersection_over_union


def test_overlap_of_boxes_shifted_by_half() -> None:
    # Shared 5·10 = 50, together 100 + 100 - 50 = 150.
    assert intersection_over_union(Box(0, 0, 10, 10), Box(5, 0, 15, 10)) == pytest.approx(1 / 3)


def test_boxes_that_only_touch_do_not_overlap() -> None:
    assert intersection_over_union(Box(0, 0, 10, 10), Box(10, 0, 20, 10)) == 0.0


def test_centre_distance_is_euclidean() -> None:
    assert centre_distance(Box(0, 0, 2, 2), Box(3, 4, 5, 6)) == 5.0


def test_an_inverted_box_has_no_area() -> None:
    assert Box(5, 5, 0, 0).area == 0.0

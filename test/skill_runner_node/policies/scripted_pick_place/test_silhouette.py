"""Where a body of known height stands, from its outline alone."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_runner_node.policies.scripted_pick_place.footprint import Footprint
from skill_runner_node.policies.scripted_pick_place.silhouette import outline, stand
from skill_runner_node.policy import Box


def camera(make_table: Callable):
    return make_table({}, None).view().model


@settings(deadline=None, max_examples=25)
@given(st.floats(0.36, 0.62), st.floats(-0.32, 0.0), st.floats(-1.5, 1.5))
def test_the_parallax_of_a_tall_box_is_taken_out(
    make_table: Callable, x: float, y: float, yaw: float
) -> None:
    top = camera(make_table)
    body = Footprint(np.array([x, y]), yaw, (0.045, 0.12), 0.17, False)
    hull = cv2.convexHull(top.project(body.prism()).astype(np.float32))[:, 0, :].astype(float)
    found = stand(hull, top, 0.17)
    assert np.hypot(*(found.centre - [x, y])) < 0.006
    assert sorted(found.size) == pytest.approx([0.045, 0.12], abs=0.008)


def test_a_can_is_round(make_table: Callable) -> None:
    top = camera(make_table)
    angles = np.linspace(0, 2 * np.pi, 60)
    ring = np.array([0.5, -0.2]) + 0.033 * np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.concatenate([np.column_stack([ring, np.full(60, z)]) for z in (0.0, 0.1)])
    hull = cv2.convexHull(top.project(points).astype(np.float32))[:, 0, :].astype(float)
    found = stand(hull, top, 0.1)
    assert found.round
    assert found.centre == pytest.approx([0.5, -0.2], abs=0.003)
    assert found.size[0] == pytest.approx(0.066, abs=0.004)


def test_the_outline_is_of_what_differs_from_the_ground() -> None:
    image = np.full((100, 100, 3), (190, 160, 120), np.uint8)
    image[40:60, 30:70] = (200, 30, 30)
    hull = outline(image, Box("x", 0.9, 28.0, 38.0, 72.0, 62.0))
    assert hull is not None
    assert hull.min(axis=0) == pytest.approx([30, 40], abs=1)
    assert hull.max(axis=0) == pytest.approx([69, 59], abs=1)


def test_nothing_on_the_ground_has_no_outline() -> None:
    image = np.full((100, 100, 3), (190, 160, 120), np.uint8)
    assert outline(image, Box("x", 0.9, 28.0, 38.0, 72.0, 62.0)) is None

"""Without depth the catalogue's heights stand in for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from skill_runner_node.catalogue_sizes import Size
from skill_runner_node.policies.scripted_pick_place.flat_scene import estimate_flat
from skill_runner_node.policies.scripted_pick_place.scene import SceneError
from skill_runner_node.policy import Outcome, View

SIZES = {"milk": Size(0.13, 0.06), "cereal": Size(0.17, 0.12), "basket": Size(0.18, 0.332)}
MILK = (0.45, -0.2, 0.4, 0.06, 0.06, 0.13)
CEREAL = (0.58, -0.05, -1.1, 0.045, 0.12, 0.17)


def picture(table: Any) -> View:
    """The view without depth: a plain ground, every box's outline filled with one colour."""
    view = table.view()
    image = np.full((480, 640, 3), (190, 160, 120), np.uint8)
    blocks = dict(table.objects)
    if table.basket is not None:
        blocks = {"basket": (*table.basket, 0.0, 0.332, 0.332, 0.18), **blocks}
    for count, (x, y, yaw, along, across, height) in enumerate(blocks.values()):
        cos, sin = np.cos(yaw), np.sin(yaw)
        corners = [
            [x + a * cos - b * sin, y + a * sin + b * cos, z]
            for a in (-along / 2, along / 2)
            for b in (-across / 2, across / 2)
            for z in (0.0, height)
        ]
        hull = cv2.convexHull(view.model.project(np.array(corners)).astype(np.int32))
        cv2.fillConvexPoly(image, hull, (30 + 60 * count, 40, 200 - 60 * count))
    return replace(view, depth=None, image=image)


def test_object_and_container_are_found_to_a_centimetre(make_table: Callable) -> None:
    views = {"top": picture(make_table({"milk": MILK, "cereal": CEREAL}))}
    scene = estimate_flat(views, SIZES, "cereal", "basket")
    assert scene.body is not None
    assert scene.container is not None
    assert scene.body.centre == pytest.approx([0.58, -0.05], abs=0.008)
    assert scene.container.centre == pytest.approx([0.42, 0.36], abs=0.008)
    assert 0.27 < 2 * min(scene.container.half) < 0.31
    around_milk = np.array([[0.47, -0.18], [0.43, -0.18], [0.43, -0.22], [0.47, -0.22]])
    assert scene.around.top(around_milk) == pytest.approx(0.13)


def test_what_is_not_seen_has_no_size_or_no_picture_is_said(make_table: Callable) -> None:
    view = picture(make_table({"milk": MILK}))
    with pytest.raises(SceneError) as error:
        estimate_flat({"top": view}, SIZES, "cereal", "basket")
    assert error.value.outcome is Outcome.NOT_FOUND
    with pytest.raises(SceneError, match="no size of 'unicorn'"):
        estimate_flat({"top": view}, SIZES, "unicorn", "basket")
    with pytest.raises(SceneError, match="neither"):
        estimate_flat({"top": replace(view, image=None)}, SIZES, "milk", "basket")

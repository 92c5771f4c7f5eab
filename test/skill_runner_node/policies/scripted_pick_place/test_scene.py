"""From depth and names to where things stand, on tables whose truth is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_runner_node.policies.scripted_pick_place.scene import SceneError, estimate
from skill_runner_node.policy import Outcome

MILK = (0.45, -0.2, 0.4, 0.06, 0.06, 0.13)
CEREAL = (0.58, -0.05, -1.1, 0.045, 0.12, 0.17)


def test_an_object_is_found_where_it_stands(make_table: Callable) -> None:
    table = make_table({"milk": MILK, "cereal": CEREAL})
    body = estimate({"top": table.view()}, "cereal", "basket").body
    assert body is not None
    assert body.centre == pytest.approx([0.58, -0.05], abs=0.004)
    assert sorted(body.size) == pytest.approx([0.045, 0.12], abs=0.006)
    assert body.height == pytest.approx(0.17, abs=0.003)
    narrow = body.yaw if body.size[0] < body.size[1] else body.yaw + np.pi / 2
    assert abs(np.sin(narrow + 1.1)) < 0.05


@settings(deadline=None, max_examples=15)
@given(st.floats(0.38, 0.62), st.floats(-0.32, 0.0), st.floats(-np.pi, np.pi))
def test_anywhere_on_the_table_it_is_found_to_some_millimetres(
    make_table: Callable, x: float, y: float, yaw: float
) -> None:
    table = make_table({"milk": (x, y, yaw, 0.06, 0.06, 0.13)}, basket=None)
    body = estimate({"top": table.view()}, "milk", None).body
    assert body is not None
    assert np.hypot(*(body.centre - [x, y])) < 0.005


def test_the_opening_of_the_container_is_measured(make_table: Callable) -> None:
    table = make_table({"milk": MILK}, basket=(0.42, 0.36))
    container = estimate({"top": table.view()}, "milk", "basket").container
    assert container is not None
    assert container.centre == pytest.approx([0.42, 0.36], abs=0.005)
    assert container.rim == pytest.approx(0.18, abs=0.003)
    # Never larger than the true 0.30 m, and not much smaller.
    assert 0.27 < 2 * min(container.half) <= 0.30


def test_everything_but_the_object_is_in_its_way(make_table: Callable) -> None:
    scene = estimate({"top": make_table({"milk": MILK, "cereal": CEREAL}).view()}, "milk", None)
    around = np.array([[0.5, -0.25], [0.4, -0.25], [0.4, -0.15], [0.5, -0.15]])
    assert scene.around.top(around) < 0.01
    assert scene.heights.top(around) == pytest.approx(0.13, abs=0.003)


@pytest.mark.parametrize(("target", "container"), [("mustard", "basket"), ("milk", "crate")])
def test_a_name_that_is_not_seen_is_not_found(
    make_table: Callable, target: str, container: str
) -> None:
    with pytest.raises(SceneError, match=r"expected '(mustard|crate)' in view of top") as error:
        estimate({"top": make_table({"milk": MILK}).view()}, target, container)
    assert error.value.outcome is Outcome.NOT_FOUND


def test_a_label_where_nothing_stands_is_not_found(make_table: Callable) -> None:
    view = make_table({"milk": MILK}).view()
    empty = make_table({}).view()
    with pytest.raises(SceneError, match="nothing stands there"):
        estimate({"top": replace(empty, boxes=view.boxes)}, "milk", "basket")


def test_an_object_inside_the_container_is_said_to_be_there(make_table: Callable) -> None:
    table = make_table({"milk": (0.42, 0.36, 0.2, 0.06, 0.06, 0.13)})
    assert estimate({"top": table.view()}, "milk", "basket").inside


def test_no_image_is_a_missing_observation() -> None:
    with pytest.raises(SceneError) as error:
        estimate({}, "milk", "basket")
    assert error.value.outcome is Outcome.OBSERVATION


def test_what_stands_against_the_container_neither_widens_it_nor_hides(
    make_table: Callable,
) -> None:
    # The outside of the wall is at y = 0.36 - 0.166 = 0.194 m.
    leaning = (0.42, 0.194 - 0.0225, 0.0, 0.12, 0.045, 0.17)
    scene = estimate({"top": make_table({"cereal": leaning}).view()}, "cereal", "basket")
    assert not scene.inside
    assert scene.body is not None
    assert scene.body.centre[1] < 0.19
    assert scene.container is not None
    assert scene.container.centre == pytest.approx([0.42, 0.36], abs=0.006)
    assert max(scene.container.half) <= 0.15


def test_two_that_touch_are_told_apart_by_their_boxes(make_table: Callable) -> None:
    touching = (0.45 + 0.06, -0.2, 0.0, 0.06, 0.06, 0.10)
    table = make_table({"milk": (0.45, -0.2, 0.0, 0.06, 0.06, 0.13), "can": touching})
    scene = estimate({"top": table.view()}, "milk", "basket")
    assert scene.body is not None
    assert scene.body.centre == pytest.approx([0.45, -0.2], abs=0.015)
    assert max(scene.body.size) < 0.09
    beyond = np.array([[0.54, -0.18], [0.5, -0.18], [0.5, -0.22], [0.54, -0.22]])
    assert scene.around.top(beyond) == pytest.approx(0.10, abs=0.003)

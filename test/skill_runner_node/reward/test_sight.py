"""What counts as gone and as filled, to the declared tolerances."""

from __future__ import annotations

import numpy as np
import pytest

from skill_runner_node.policies.scripted_pick_place.container import Container
from skill_runner_node.policies.scripted_pick_place.footprint import Footprint
from skill_runner_node.policies.scripted_pick_place.height_map import TABLE, HeightMap
from skill_runner_node.reward.settings import RewardSettings
from skill_runner_node.reward.sight import Sight, fills, gone, see

MILK = Footprint(np.array([0.5, 0.0]), 0.0, (0.06, 0.06), 0.13, False)
BASKET = Container(np.array([0.42, 0.36]), 0.0, (0.15, 0.15), 0.18)


def sight(*things: tuple[float, float, int, float]) -> Sight:
    """A bare table with squares on it: x, y [m] of a corner, cells a side, height [m]."""
    height = np.zeros(TABLE.shape)
    heights = HeightMap(height, np.zeros((0, 3)))
    for x, y, cells, top in things:
        i, j = heights.index(np.array([x + 0.001, y + 0.001]))[0]
        height[i : i + cells, j : j + cells] = top
    return Sight(heights, BASKET, None, False, False)


@pytest.mark.parametrize(
    ("after", "settings", "is_gone"),
    [
        (sight(), {}, True),
        # 2 cm where it stood are more than noise, unless declared to be.
        (sight((0.5, 0.0, 1, 0.02)), {}, False),
        (sight((0.5, 0.0, 1, 0.02)), {"flat": 0.03}, True),
        # Its edge is at x = 0.53 m: a cell 5 mm inside of that is its edge, unless none is left.
        (sight((0.525, 0.0, 1, 0.1)), {}, True),
        (sight((0.525, 0.0, 1, 0.1)), {"edge": 0.0}, False),
    ],
)
def test_it_is_gone_where_nothing_stands_any_more(
    after: Sight, settings: dict[str, float], is_gone: bool
) -> None:
    assert gone(MILK, after, RewardSettings(**settings)) is is_gone


# 6 cm square in the middle of the basket, 10 cm high, as is the milk lying there.
INSIDE = (0.39, 0.33, 12, 0.1)


@pytest.mark.parametrize(
    ("above_the_rim", "settings", "filled"),
    [(1, {}, True), (2, {}, False), (2, {"stray_cells": 5}, True)],
)
def test_some_cells_above_the_rim_are_noise(
    above_the_rim: int, settings: dict[str, int], filled: bool
) -> None:
    # A square of 1 or 2 cells a side: 1 or 4 of them, 30 cm high.
    after = sight(INSIDE, (0.5, 0.4, above_the_rim, 0.3))
    assert fills(sight(), after, MILK, RewardSettings(**settings)) is filled


def test_the_reward_looks_at_the_declared_table(make_table) -> None:
    views = {"top": make_table({"milk": (0.45, -0.2, 0.4, 0.06, 0.06, 0.13)}).view()}
    seen = see(views, "milk", "basket", None, RewardSettings())
    assert seen is not None
    assert seen.body is not None
    cut = see(views, "milk", "", None, RewardSettings(table_x_min=0.5))
    assert cut is not None
    assert cut.body is None
    assert cut.heights.height.shape == (90, 300)

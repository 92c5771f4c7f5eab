import itertools
import math

import pytest

from openral.errors import ConfigError
from sim_node.groceries import GROCERIES
from sim_node.spawn import SpawnArea, spawn

ALL = [make() for make in GROCERIES.values()]
AREA = SpawnArea()


@pytest.fixture(scope="module")
def views(cameras):
    return {name: c.model() for name, c in cameras.items() if c.parent == "world"}


@pytest.mark.parametrize("seed", range(25))
def test_every_object_is_reachable_apart_and_in_both_views(seed, views):
    poses = spawn(ALL, seed, AREA, views)
    sizes = {g.label: g for g in ALL}
    for label, (x, y, _) in poses.items():
        assert 0.38 <= math.hypot(x, y) <= 0.65
        grocery = sizes[label]
        for camera in views.values():
            assert camera.sees([x, y, 0.0])
            assert camera.sees([x, y, grocery.size[2]])
    for a, b in itertools.combinations(poses, 2):
        free = math.dist(poses[a][:2], poses[b][:2])
        free -= sizes[a].footprint_radius + sizes[b].footprint_radius
        assert free >= 0.065


@pytest.mark.parametrize("seed", range(25))
def test_every_object_is_large_enough_to_be_known_in_the_front_view(seed, views):
    poses = spawn(ALL, seed, AREA, views)
    for grocery in ALL:
        x, y, _ = poses[grocery.label]
        middle = [x, y, grocery.size[2] / 2]
        # Pixels per metre at the object: the slimmest, a 5.5 cm bottle, is at least 32 px wide.
        scale = views["front"].fx / views["front"].depth(middle)
        assert scale * 0.055 >= 32.0


def test_a_seed_decides_every_pose(views):
    assert spawn(ALL, 3, AREA, views) == spawn(ALL, 3, AREA, views)
    assert spawn(ALL, 3, AREA, views) != spawn(ALL, 4, AREA, views)


def test_too_little_room_is_refused(views):
    with pytest.raises(ConfigError, match="4 objects do not fit"):
        spawn(ALL, 0, SpawnArea(x=(0.5, 0.55), y=(0.0, 0.05)), views)

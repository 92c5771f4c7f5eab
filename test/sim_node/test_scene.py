import itertools

import numpy as np
import pytest

from openral.errors import ConfigError
from sim_node.basket import Basket
from sim_node.scene import BASKET_JITTER, BASKET_POSE, SceneOptions, build_scene
from sim_node.world import World


def test_a_seed_decides_the_whole_scene(scene, cameras):
    again = build_scene(SceneOptions(seed=7), cameras)
    assert again.poses == scene.poses
    assert again.basket_pose == scene.basket_pose
    np.testing.assert_array_equal(again.model.qpos0, scene.model.qpos0)
    np.testing.assert_array_equal(again.model.tex_data, scene.model.tex_data)
    other = build_scene(SceneOptions(seed=8), cameras)
    assert other.poses != scene.poses
    assert other.basket_pose != scene.basket_pose


def test_only_the_asked_objects_stand_on_the_table(cameras):
    scene = build_scene(SceneOptions(objects=("milk", "soup can"), basket=False), cameras)
    assert set(World(scene).object_poses()) == {"milk", "soup can"}
    assert scene.basket is None
    assert scene.basket_place is None
    with pytest.raises(KeyError):
        scene.model.body("basket")


def test_an_empty_table_is_a_scene(cameras):
    assert build_scene(SceneOptions(objects=()), cameras).poses == {}


def test_a_given_pose_is_taken_even_out_of_reach(cameras):
    options = SceneOptions(objects=("milk", "cereal"), object_poses={"milk": (0.95, -0.3, 0.5)})
    scene = build_scene(options, cameras)
    assert scene.poses["milk"] == (0.95, -0.3, 0.5)
    x, y, z, *_ = World(scene).object_poses()["milk"]
    assert (x, y, z) == pytest.approx((0.95, -0.3, 0.065), abs=1e-3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (SceneOptions(objects=("beer",)), r"'beer'; valid: milk, mustard, soup can, cereal"),
        (SceneOptions(object_poses={"beer": (0, 0, 0)}), "'beer'"),
        (SceneOptions(objects=("milk", "milk")), "each label once"),
    ],
)
def test_a_wrong_object_is_refused_with_the_valid_ones(cameras, options, message):
    with pytest.raises(ConfigError, match=message):
        build_scene(options, cameras)


def test_a_camera_on_no_frame_is_refused(cameras):
    lost = {"top": cameras["top"].model_copy(update={"parent": "panda_nose"})}
    with pytest.raises(ConfigError, match=r"cameras\.top\.parent: no frame 'panda_nose'"):
        build_scene(SceneOptions(objects=()), lost)


def test_the_objects_stand_still_where_they_were_put(scene):
    world = World(scene)
    for _ in range(500):
        world.step(None)
    for label, (x, y, yaw) in scene.poses.items():
        px, py, pz, qw, _, _, qz = world.object_poses()[label]
        assert (px, py) == pytest.approx((x, y), abs=5e-4)
        assert pz == pytest.approx(scene.groceries[label].size[2] / 2, abs=5e-4)
        assert np.cos(2 * np.arctan2(qz, qw) - yaw) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("name", ["front", "top"])
def test_a_fixed_view_sees_the_whole_basket_wherever_the_seed_puts_it(cameras, name):
    camera = cameras[name].model()
    outer = Basket().inner / 2 + Basket().wall
    for signs in itertools.product((-1, 1), repeat=3):
        x, y, yaw = (
            at + sign * shift
            for at, sign, shift in zip(BASKET_POSE, signs, BASKET_JITTER, strict=True)
        )
        for i, j, z in itertools.product((-outer, outer), (-outer, outer), (0.0, 0.18)):
            corner = [
                x + i * np.cos(yaw) - j * np.sin(yaw),
                y + i * np.sin(yaw) + j * np.cos(yaw),
                z,
            ]
            assert camera.sees(corner)

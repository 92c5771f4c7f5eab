import numpy as np
import pytest

from openral.errors import ConfigError
from sim_node import renderer as module
from sim_node.renderer import SceneRenderer
from sim_node.scene import SceneOptions, build_scene
from sim_node.world import World


@pytest.fixture(scope="module")
def renderer(scene):
    renderer = SceneRenderer(scene)
    yield renderer
    renderer.close()


@pytest.fixture(scope="module")
def world(scene):
    return World(scene)


def difference(a, b):
    """Pixels that differ visibly: shape (h, w)."""
    return np.abs(a.astype(int) - b.astype(int)).max(axis=-1) > 25


@pytest.mark.parametrize("camera", ["front", "top"])
@pytest.mark.parametrize("label", ["milk", "mustard", "soup can", "cereal"])
def test_the_camera_model_agrees_with_the_picture(renderer, world, scene, camera, label):
    """An object is drawn where the model of the camera projects it."""
    grocery = scene.groceries[label]
    joint = scene.model.joint(grocery.name)
    qpos = world.qpos()
    with_it = renderer.colour(camera, qpos).copy()
    at = qpos[joint.qposadr[0] : joint.qposadr[0] + 7].copy()
    qpos[joint.qposadr[0] + 2] = -5.0  # under the floor
    rows, columns = np.nonzero(difference(with_it, renderer.colour(camera, qpos)))
    half = np.array(grocery.size) / 2
    # the outline of the seen mesh, turned by the object's yaw
    yaw = 2.0 * np.arctan2(at[6], at[3])
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    px = scene.cameras[camera].model().project(at[:3] + grocery.mesh.vertices @ turn.T)
    assert half.min() > 0.0
    np.testing.assert_allclose(
        [columns.min(), rows.min(), columns.max(), rows.max()],
        [*px.min(axis=0), *px.max(axis=0)],
        atol=2.5,
    )


def test_depth_is_the_distance_along_the_axis(renderer, world, scene):
    renderer.pose(world.qpos())
    depth = renderer.depth_mm("top")
    assert depth.shape == (480, 640)
    assert depth.dtype == np.uint16
    camera = scene.cameras["top"].model()
    # The table is 1.45 m below the camera everywhere: planar depth, not along the ray.
    u, v = camera.project([0.75, -0.1, 0.0]).round().astype(int)
    assert abs(int(depth[v, u]) - 1450) <= 2


@pytest.mark.parametrize("label", ["milk", "soup can", "cereal"])
def test_a_lid_unprojects_to_the_top_of_its_object(renderer, world, scene, label):
    renderer.pose(world.qpos())
    depth = renderer.depth_mm("top")
    camera = scene.cameras["top"].model()
    x, y, z, *_ = world.object_poses()[label]
    top = z + scene.groceries[label].size[2] / 2
    u, v = camera.project([x, y, top]).round().astype(int)
    point = camera.unproject([u, v], depth[v, u] / 1000.0)
    np.testing.assert_allclose(point, [x, y, top], atol=0.003)


@pytest.mark.parametrize("camera", ["front", "top"])
def test_the_arm_at_home_hides_nothing_on_the_table(renderer, world, scene, camera):
    """No pixel of an object or the basket changes when the arm is taken away."""
    qpos = world.qpos()
    with_arm = renderer.colour(camera, qpos).copy()
    for label, grocery in scene.groceries.items():
        model = scene.cameras[camera].model()
        x, y, z, *_ = world.object_poses()[label]
        u, v = model.project([x, y, z]).round().astype(int)
        without = qpos.copy()
        for i, value in enumerate((2.8, -1.7, 0.0, -2.9, 0.0, 0.1, 0.0)):
            without[scene.model.joint(f"panda_joint{i + 1}").qposadr[0]] = value
        moved = renderer.colour(camera, without)
        r = max(8, int(grocery.size[2] * model.fx / model.depth([x, y, z]) / 2))
        area = (slice(max(0, v - r), v + r), slice(max(0, u - r), u + r))
        assert not difference(with_arm[area], moved[area]).any(), label


def test_the_top_camera_sees_into_the_basket(renderer, world, scene):
    renderer.pose(world.qpos())
    depth = renderer.depth_mm("top")
    camera = scene.cameras["top"].model()
    x, y, _ = scene.basket_pose
    for dx, dy in ((0, 0), (0.1, 0.1), (0.1, -0.1), (-0.1, 0.1), (-0.1, -0.1)):
        u, v = camera.project([x + dx, y + dy, 0.008]).round().astype(int)
        assert abs(int(depth[v, u]) - 1442) <= 3


def test_the_same_state_gives_the_same_picture(renderer, world):
    qpos = world.qpos()
    first = renderer.colour("front", qpos).copy()
    renderer.depth_mm("top")
    np.testing.assert_array_equal(first, renderer.colour("front", qpos))


def test_the_wrist_camera_has_its_own_size(renderer, world):
    assert renderer.colour("wrist", world.qpos()).shape == (240, 320, 3)


def test_no_gl_is_refused_in_one_line_that_says_what_to_install(monkeypatch, cameras):
    def no_gl(*_):
        raise AttributeError("'NoneType' object has no attribute 'glGetError'\nand so on")

    monkeypatch.setattr(module.mujoco, "Renderer", no_gl)
    scene = build_scene(SceneOptions(objects=(), basket=False), cameras)
    with pytest.raises(ConfigError, match="apt install libegl1") as refusal:
        SceneRenderer(scene)
    assert "\n" not in str(refusal.value)

import mink
import mujoco
import numpy as np
import pytest

from sim_node.robot import ARM_JOINTS, HOME, panda_spec
from sim_node.scene import SceneOptions, build_scene
from sim_node.servo import JointCommand
from sim_node.world import World

OPEN, CLOSED = 0.04, 0.0
DOWN = mink.SO3(np.array([0.0, 1.0, 0.0, 0.0]))


@pytest.fixture(scope="module")
def reach():
    """Arm joints that put the fingertips at a place [m], the hand looking down, at a yaw [rad]."""
    model = panda_spec().compile()
    order = [model.joint(name).qposadr[0] for name in ARM_JOINTS]

    def solve(position, yaw=0.0, near=HOME[:7]):
        configuration = mink.Configuration(model)
        q = configuration.q.copy()
        q[order] = near
        configuration.update(q)
        task = mink.FrameTask("panda_TCP", "site", position_cost=1.0, orientation_cost=1.0)
        turned = mink.SO3.from_z_radians(yaw) @ DOWN
        task.set_target(mink.SE3.from_rotation_and_translation(turned, np.array(position)))
        limits = [mink.ConfigurationLimit(model)]
        for _ in range(300):
            velocity = mink.solve_ik(configuration, [task], 0.05, "daqp", limits=limits)
            configuration.integrate_inplace(velocity, 0.05)
        assert np.linalg.norm(task.compute_error(configuration)) < 1e-3
        return configuration.q[order]

    return solve


def move(world, arm, finger, duration):
    """Go to a place on a smooth curve, with a new command every 5 ms."""
    # The arm on a curve, the finger at once: a target that starts where the grip is lets go of it.
    start = np.array([*world.state().position[:7], finger])
    goal = np.array([*arm, finger])
    begin, command, sent = world.time, None, -1.0
    while world.time - begin < duration:
        t = world.time - begin
        if t - sent >= 0.005 - 1e-9:
            s = t / duration
            place = start + (goal - start) * (3 * s**2 - 2 * s**3)
            speed = (goal - start) * (6 * s - 6 * s**2) / duration
            command, sent = JointCommand(place, speed), t
        world.step(command)


def descend(reach, place, high, low, yaw=0.0, steps=8):
    """Arm joints along a straight way down, shape (steps, 7), ends included."""
    heights = np.linspace(high, low, steps)
    way = [reach((*place, high), yaw)]
    for height in heights[1:]:
        way.append(reach((*place, height), yaw, near=way[-1]))
    return way


def pick(world, way):
    """Down the way with open fingers, grasp, and up again."""
    move(world, way[0], OPEN, 1.5)
    for arm in way:
        move(world, arm, OPEN, 0.25)
    move(world, way[-1], CLOSED, 0.6)
    for arm in way[::-1]:
        move(world, arm, CLOSED, 0.25)


@pytest.mark.parametrize(
    ("label", "height"), [("milk", 0.10), ("mustard", 0.115), ("soup can", 0.07), ("cereal", 0.14)]
)
def test_every_object_is_lifted_by_a_top_down_grasp_and_falls_when_let_go(
    cameras, reach, label, height
):
    place, high = (0.5, -0.1), 0.30
    # The thin carton is gripped across its thin side, which its yaw turns along the fingers.
    turned = np.pi / 2 if label == "cereal" else 0.0
    options = SceneOptions(objects=(label,), object_poses={label: (*place, turned)})
    world = World(build_scene(options, cameras))
    way = descend(reach, place, high, height)
    before = world.object_poses()[label][2]
    pick(world, way)
    lifted = world.object_poses()[label][2]
    assert lifted - before == pytest.approx(high - height, abs=0.005)
    move(world, way[0], CLOSED, 2.0)
    # held without creeping
    assert world.object_poses()[label][2] == pytest.approx(lifted, abs=0.001)
    move(world, way[0], OPEN, 0.8)
    assert world.object_poses()[label][2] < before + 0.02


def test_an_object_dropped_over_the_basket_comes_to_rest_inside(cameras, reach):
    options = SceneOptions(objects=("milk",), object_poses={"milk": (0.5, -0.1, 0.0)})
    world = World(build_scene(options, cameras))
    x, y, _ = world.scene.basket_pose
    pick(world, descend(reach, (0.5, -0.1), 0.36, 0.10))
    over = reach((x, y, 0.36))
    move(world, over, CLOSED, 2.0)
    move(world, over, OPEN, 1.5)
    px, py, pz, *_ = world.object_poses()["milk"]
    assert abs(px - x) < 0.15
    assert abs(py - y) < 0.15
    # on the basket's floor, standing or lying
    assert 0.03 < pz < 0.08


def test_a_command_goes_on_at_its_velocity_while_it_is_in_force(scene):
    world = World(scene)
    velocity = np.array([0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    command = JointCommand(np.array(HOME), velocity)
    for _ in range(100):
        world.step(command)
    # 0.2 s at 0.2 rad/s
    assert world.state().position[0] == pytest.approx(0.04, abs=0.002)


def test_time_advances_by_the_timestep(scene):
    world = World(scene)
    assert world.time == 0.0
    world.step(None)
    assert world.time == pytest.approx(0.002)


def test_what_is_measured_is_a_copy(scene):
    world = World(scene)
    state, qpos = world.state(), world.qpos()
    world.step(JointCommand(np.array(HOME) * 0.9, np.zeros(8)))
    np.testing.assert_allclose(state.position, HOME, atol=1e-6)
    assert not np.array_equal(qpos, world.qpos())


def test_two_worlds_of_one_scene_go_the_same_way(scene):
    def run():
        world = World(scene)
        for i in range(200):
            place = np.array(HOME)
            place[0] += 0.001 * i
            world.step(JointCommand(place, np.zeros(8)))
        return world.qpos()

    np.testing.assert_array_equal(run(), run())


def test_the_hand_moves_with_its_frame(scene):
    world = World(scene)
    data = mujoco.MjData(scene.model)
    data.qpos[:] = world.qpos()
    mujoco.mj_forward(scene.model, data)
    np.testing.assert_allclose(world.frame("panda_hand")[:3, 3], data.body("panda_hand").xpos)


def test_the_top_speed_is_that_of_the_fastest_joint_either_way(scene):
    world = World(scene)
    assert world.top_speed() < 1e-3
    velocity = np.zeros(8)
    velocity[[0, 3]] = 0.1, -0.3
    command = JointCommand(position=world.state().position, velocity=velocity)
    for _ in range(20):
        world.step(command)
    assert world.top_speed() == np.abs(world.state().velocity).max()
    assert world.top_speed() == pytest.approx(0.3, rel=0.1)

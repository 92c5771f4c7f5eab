from pathlib import Path

import numpy as np
import yaml

from sim_node.robot import (
    ARM_JOINTS,
    GRIPPER_JOINT,
    GRIPPER_LIMITS,
    HOME,
    JOINTS,
    POSITION_LIMITS,
    panda_spec,
)
from sim_node.world import World


def test_home_lies_within_the_limits():
    for value, (low, high) in zip(HOME, POSITION_LIMITS, strict=False):
        assert low < value < high


def test_home_and_limits_agree_with_the_robots_configuration():
    path = Path(__file__).resolve().parents[2] / "config" / "robots" / "panda.yaml"
    shipped = yaml.safe_load(path.read_text())["/**"]["ros__parameters"]["robot"]
    assert tuple(shipped["joints"]) == JOINTS
    assert tuple(shipped["home"]) == HOME
    for name, (low, high) in zip(JOINTS, (*POSITION_LIMITS, GRIPPER_LIMITS), strict=True):
        limits = shipped["limits"][name]
        assert (limits["position_min"], limits["position_max"]) == (low, high)


def test_the_fingers_limits_are_those_of_its_model():
    joint = panda_spec().compile().joint(GRIPPER_JOINT)
    assert tuple(joint.range) == GRIPPER_LIMITS


def test_the_arm_has_seven_joints_and_two_fingers():
    model = panda_spec().compile()
    assert model.nu == 9
    assert [model.joint(name).name for name in JOINTS] == list(JOINTS)
    assert len(ARM_JOINTS) == 7


def test_the_point_between_the_fingertips_is_where_the_hand_has_it(scene):
    world = World(scene)
    hand = world.frame("panda_hand")
    # 0.1034 m, Franka Emika, hand: from its flange to between the fingertips.
    tip = hand[:3, 3] + 0.1034 * hand[:3, 2]
    model = scene.model
    import mujoco

    data = mujoco.MjData(model)
    data.qpos[:] = world.qpos()
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(tip, data.site("panda_TCP").xpos, atol=1e-9)


def test_the_hand_looks_straight_down_at_home(scene):
    np.testing.assert_allclose(World(scene).frame("panda_hand")[:3, 2], [0, 0, -1], atol=1e-6)

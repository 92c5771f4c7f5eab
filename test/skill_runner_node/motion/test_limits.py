"""Limits come from the kernel's own file, and a bad one names its field."""

from __future__ import annotations

from pathlib import Path

import pytest

from openral.errors import ConfigError
from skill_runner_node.motion.limits import JointLimits, load_limits

GOOD = """
/**:
  ros__parameters:
    robot:
      name: two
      joints: [a, f]
      gripper_joints: [f]
      home: [0.0, 0.04]
      limits:
        a: {position_min: -1.0, position_max: 1.0, velocity_max: 0.5, acceleration_max: 5.0}
        f: {position_min: 0.0, position_max: 0.04, velocity_max: 0.1, acceleration_max: 2.0}
"""


def load(folder: Path, text: str) -> JointLimits:
    path = folder / "robot.yaml"
    path.write_text(text, encoding="utf-8")
    return load_limits(path)


def test_the_shipped_robot_has_seven_joints_and_a_finger(limits: JointLimits) -> None:
    assert limits.robot == "panda"
    assert len(limits.names) == 8
    assert limits.gripper == ("panda_finger_joint1",)


def test_values_stand_in_the_order_of_the_joints(tmp_path: Path) -> None:
    limits = load(tmp_path, GOOD)
    assert limits.position_max.tolist() == [1.0, 0.04]
    assert limits.velocity.tolist() == [0.5, 0.1]


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("velocity_max: 0.5", "velocity_max: fast", "robot.limits.a.velocity_max"),
        ("velocity_max: 0.5", "velocity_max: .nan", "robot.limits.a.velocity_max"),
        (
            "velocity_max: 0.5",
            "velocity_max: 0.0",
            "robot.limits.a.velocity_max' = 0.0: valid is (0.0",
        ),
        (
            "velocity_max: 0.5",
            "velocity_max: 9, velocity_max: 1",
            ", line 10: key 'velocity_max' is",
        ),
        ("position_max: 1.0", "position_max: -2.0", "position_min must be below"),
        ("home: [0.0, 0.04]", "home: [0.0]", "robot.home"),
        ("home: [0.0, 0.04]", "home: [1.1, 0.04]", "'robot.home', joint 'a' = 1.1: valid is [-1.0"),
        ("home: [0.0, 0.04]", "home: [0.0, -1]", "'robot.home', joint 'f' = -1.0: valid is [0.0"),
        ("home: [0.0, 0.04]", "home: [.nan, 0.04]", "'robot.home.0' = nan"),
        ("home: [0.0, 0.04]", "home: [x, 0.04]", "'robot.home.0' = 'x'"),
        ("home: [0.0, 0.04]", "home: [0.0, true]", "'robot.home.1' = True"),
        ("gripper_joints: [f]", "gripper_joints: [g]", "robot.gripper_joints"),
        ("joints: [a, f]", "joints: [a, f, b]", "'robot.limits.b' is missing"),
        ("ros__parameters", "parameters", "ros__parameters"),
    ],
)
def test_a_bad_field_is_named(tmp_path: Path, old: str, new: str, word: str) -> None:
    with pytest.raises(ConfigError) as error:
        load(tmp_path, GOOD.replace(old, new, 1))
    assert word in str(error.value)


def test_the_arm_may_rest_on_its_limits(tmp_path: Path) -> None:
    limits = load(tmp_path, GOOD.replace("home: [0.0, 0.04]", "home: [-1, 0]", 1))
    assert limits.home.tolist() == [-1.0, 0.0]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml"):
        load_limits(tmp_path / "none.yaml")

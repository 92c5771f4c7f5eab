"""A node's robot is the one that the launch gave everything else, or the node does not start."""

from __future__ import annotations

import array
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from openral.errors import ConfigError
from skill_runner_node.robot_agreement import check_agreement

PANDA = Path(__file__).parents[2] / "config" / "robots" / "panda.yaml"
HOME = yaml.safe_load(PANDA.read_text(encoding="utf-8"))["/**"]["ros__parameters"]["robot"]["home"]


class Launched:
    """A node that was started with parameters."""

    def __init__(self, given: dict[str, object]) -> None:
        self._given = given
        self.declared: list[str] = []

    def declare_parameter(self, name: str, value: Any, descriptor: Any) -> SimpleNamespace:
        assert descriptor.read_only
        self.declared.append(name)
        return SimpleNamespace(value=self._given.get(name, value))


def test_the_same_file_agrees_and_nothing_given_is_nothing_to_compare() -> None:
    check_agreement(PANDA, Launched({}))
    node = Launched({"robot.name": "panda", "robot.home": array.array("d", HOME), "tick_s": 0.01})
    check_agreement(PANDA, node)
    assert "robot.limits.panda_joint1.velocity_max" in node.declared
    assert all(name.startswith("robot.") for name in node.declared)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"robot.name": "ur5e"}, "'robot.name' = 'panda' as there, got 'ur5e'"),
        ({"robot.home": [0.0] * 8}, "'robot.home'"),
        ({"robot.limits.panda_joint1.velocity_max": 9.0}, "velocity_max"),
    ],
)
def test_another_robot_is_refused_by_name(given: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError) as error:
        check_agreement(PANDA, Launched(given))
    assert words in str(error.value)
    assert "panda.yaml" in str(error.value)

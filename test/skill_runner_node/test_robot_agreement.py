"""A node's robot is the one that the launch gave everything else, or the node does not start."""

from __future__ import annotations

import array
from pathlib import Path

import pytest
import yaml

from openral.errors import ConfigError
from skill_runner_node.robot_agreement import check_agreement

PANDA = Path(__file__).parents[2] / "config" / "robots" / "panda.yaml"
HOME = yaml.safe_load(PANDA.read_text(encoding="utf-8"))["/**"]["ros__parameters"]["robot"]["home"]


def test_the_same_file_agrees_and_nothing_given_is_nothing_to_compare() -> None:
    check_agreement(PANDA, {})
    check_agreement(
        PANDA, {"robot.name": "panda", "robot.home": array.array("d", HOME), "tick_s": 0.01}
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"robot.name": "ur5e"}, "'robot.name' = 'panda' as there, got 'ur5e'"),
        ({"robot.home": [0.0] * 8}, "'robot.home'"),
        ({"robot.limits.elbow.velocity_max": 1.0}, "'robot.limits.elbow.velocity_max' = 'not set'"),
    ],
)
def test_another_robot_is_refused_by_name(given: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError) as error:
        check_agreement(PANDA, given)
    assert words in str(error.value)
    assert "panda.yaml" in str(error.value)

"""The reward monitor scores by a geometric manifest for its own robot, or does not start."""

from __future__ import annotations

import pytest

from openral.errors import ConfigError
from openral.rskill import parse_manifest
from skill_runner_node.reward.node import geometric_reward

GEOMETRIC = """
kind: reward
id: by_sight
description: scores
critic_id: geometric
runtime: geometric
robots: [panda]
cameras: [top]
contract: {success_threshold: 0.9, check_floor: 0.5, patience_s: 30.0, stall_window_s: 10.0,
  stall_epsilon: 0.02}
"""
SCRIPTED = """
kind: scripted
id: pick_place
description: put one object into a container
policy: scripted_pick_place
deadline_s: 60.0
"""


def test_a_geometric_reward_for_this_robot_is_taken() -> None:
    manifest = parse_manifest(GEOMETRIC, "rskill.yaml")
    assert geometric_reward(manifest, "panda") is manifest


@pytest.mark.parametrize(
    ("text", "robot", "said"),
    [
        (GEOMETRIC, "ur5e", "'by_sight' is for panda: valid is a geometric reward for 'ur5e'"),
        (SCRIPTED, "panda", "'pick_place': valid is a geometric reward"),
    ],
)
def test_any_other_stops_the_start(text: str, robot: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        geometric_reward(parse_manifest(text, "rskill.yaml"), robot)

"""A policy that does not exist is refused with the names of those that do."""

from __future__ import annotations

import pytest

from openral.errors import ConfigError
from skill_runner_node.motion.limits import JointLimits
from skill_runner_node.parameters import RunnerParameters
from skill_runner_node.policies.factory import make_policy


def test_an_unknown_policy_lists_the_valid_ones(limits: JointLimits) -> None:
    with pytest.raises(ConfigError, match="'act': valid is one of scripted_pick_place"):
        make_policy("act", limits, ("top",), RunnerParameters())

"""Which skills may be chosen."""

from __future__ import annotations

import pytest

from openral.rskill import parse_manifest
from reasoner_node.palette import Palette

SKILL = """
kind: scripted
id: {name}
description: a skill
policy: scripted_pick_place
robots: [{robot}]
deadline_s: 10.0
"""
REWARD = """
kind: reward
id: {name}
description: a reward
critic_id: {name}
runtime: geometric
cameras: [top]
contract: {{success_threshold: {threshold}, check_floor: 0.1, patience_s: 30.0,
  stall_window_s: 10.0, stall_epsilon: 0.02}}
"""
VLA = """
kind: vla
id: learned
description: a policy
runtime: openpi
checkpoint: pi0
cameras: [front]
horizon: 50
dt: 0.02
deadline_s: 60.0
reward_rskill_name: b
"""


def make(**texts: str) -> Palette:
    return Palette({n: parse_manifest(t, n) for n, t in texts.items()}, "panda", 3)


def test_only_runnable_skills_of_the_robot_are_offered():
    palette = make(
        mine=SKILL.format(name="mine", robot="panda"),
        other=SKILL.format(name="other", robot="ur5"),
        reward=REWARD.format(name="reward", threshold=0.9),
    )
    assert list(palette.skills) == ["mine"]


@pytest.mark.parametrize("outcome", ["refused", "policy_error", "observation"])
def test_three_failures_of_its_own_take_a_skill_off(outcome):
    palette = make(mine=SKILL.format(name="mine", robot="panda"))
    for _ in range(2):
        palette.note_outcome("mine", outcome)
    assert "mine" in palette.skills
    palette.note_outcome("mine", outcome)
    assert not palette.skills
    assert palette.broken == ("mine",)
    palette.restore()
    assert "mine" in palette.skills


@pytest.mark.parametrize("outcome", ["completed", "grasp_failed", "not_found", "unreachable"])
def test_a_failure_of_the_task_is_none_of_the_skill(outcome):
    palette = make(mine=SKILL.format(name="mine", robot="panda"))
    palette.note_outcome("mine", "policy_error")
    palette.note_outcome("mine", "policy_error")
    palette.note_outcome("mine", outcome)
    palette.note_outcome("mine", "policy_error")
    assert "mine" in palette.skills


def test_the_only_reward_model_scores_a_skill_that_names_none():
    palette = make(
        mine=SKILL.format(name="mine", robot="panda"), a=REWARD.format(name="a", threshold=0.7)
    )
    contract = palette.reward_contract("mine")
    assert contract is not None
    assert contract.success_threshold == 0.7


def test_a_policy_is_scored_by_the_reward_model_that_it_names():
    palette = make(
        learned=VLA, a=REWARD.format(name="a", threshold=0.7),
        b=REWARD.format(name="b", threshold=0.8),
    )  # fmt: skip
    contract = palette.reward_contract("learned")
    assert contract is not None
    assert contract.success_threshold == 0.8


def test_two_reward_models_and_no_name_leave_the_choice_open():
    palette = make(
        mine=SKILL.format(name="mine", robot="panda"), a=REWARD.format(name="a", threshold=0.7),
        b=REWARD.format(name="b", threshold=0.8),
    )  # fmt: skip
    assert palette.reward_contract("mine") is None

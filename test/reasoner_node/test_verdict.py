"""Three tiers on the progress head, and whose limits count."""

from __future__ import annotations

import math

import pytest

from openral.rskill import RewardContract
from reasoner_node.verdict import Limits, VerdictTier, evaluate_task_verdict, resolve_limits

FALLBACK = Limits(0.9, 0.5, 30.0, 20.0, 0.01)
CONTRACT = RewardContract(
    success_threshold=0.8, check_floor=0.6, patience_s=45.0, stall_window_s=25.0, stall_epsilon=0.02
)


@pytest.mark.parametrize(
    ("progress", "tier"),
    [
        (1.0, "pass"), (0.9, "pass"), (0.899, "vlm_check"), (0.5, "vlm_check"), (0.499, "ladder"),
        (0.0, "ladder"), (None, "ladder"), (math.nan, "ladder"), (math.inf, "ladder"),
        (1.5, "ladder"), (-0.1, "ladder"),
    ],
)  # fmt: skip
def test_tiers(progress, tier):
    assert evaluate_task_verdict(progress, FALLBACK).tier is VerdictTier(tier)


def test_genuine_success_and_failure_of_the_progress_head_are_told_apart():
    # 0.80 to 0.86 is success, about 0.74 failure, at a threshold of 0.8.
    limits = resolve_limits(FALLBACK, CONTRACT)
    assert evaluate_task_verdict(0.82, limits).tier is VerdictTier.PASS
    assert evaluate_task_verdict(0.74, limits).tier is VerdictTier.VLM_CHECK


def test_the_fallback_speaks_where_nobody_else_does():
    assert resolve_limits(FALLBACK, None) == FALLBACK


def test_the_contract_overrules_the_fallback():
    assert resolve_limits(FALLBACK, CONTRACT) == Limits(0.8, 0.6, 45.0, 25.0, 0.02, "contract")


def test_the_task_overrules_the_contract():
    limits = resolve_limits(FALLBACK, CONTRACT, success_threshold=0.7, patience_s=10.0)
    assert (limits.success_threshold, limits.patience_s, limits.source) == (0.7, 10.0, "task")


def test_an_override_below_the_floor_takes_the_floor_along():
    limits = resolve_limits(FALLBACK, CONTRACT, success_threshold=0.55)
    assert limits.check_floor == 0.55
    assert evaluate_task_verdict(0.54, limits).tier is VerdictTier.LADDER

"""Whether a task is done, from the progress head: pass, ask about the image, or replan.

The progress head decides because it separates success from failure; the success head is noisy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from openral.rskill import RewardContract


class VerdictTier(str, Enum):
    """What a score leads to."""

    PASS = "pass"  # noqa: S105
    VLM_CHECK = "vlm_check"
    LADDER = "ladder"


@dataclass(frozen=True)
class Limits:
    """How scores are read, and whose word that is.

    Attributes:
        success_threshold: Progress from here on passes.
        check_floor: Progress below goes to the ladder.
        patience_s: [s] without new best progress.
        stall_window_s: [s] over which progress must rise by `stall_epsilon`.
        source: `fallback`, `contract` or `task`, the highest authority that spoke.
    """

    success_threshold: float
    check_floor: float
    patience_s: float
    stall_window_s: float
    stall_epsilon: float
    source: str = "fallback"


def resolve_limits(
    fallback: Limits,
    contract: RewardContract | None,
    *,
    success_threshold: float | None = None,
    patience_s: float | None = None,
) -> Limits:
    """The authority stack: fallback, over it the contract, over it the task's own override."""
    limits = fallback
    if contract is not None:
        limits = Limits(
            contract.success_threshold,
            contract.check_floor,
            contract.patience_s,
            contract.stall_window_s,
            contract.stall_epsilon,
            "contract",
        )
    if success_threshold is not None:
        limits = replace(
            limits,
            success_threshold=success_threshold,
            # An override below the floor would leave no order between the two.
            check_floor=min(limits.check_floor, success_threshold),
            source="task",
        )
    if patience_s is not None:
        limits = replace(limits, patience_s=patience_s, source="task")
    return limits


@dataclass(frozen=True)
class Verdict:
    """Tier and the reason in one line."""

    tier: VerdictTier
    reason: str


def evaluate_task_verdict(progress: float | None, limits: Limits) -> Verdict:
    """Three tiers on the progress head; without a score nothing passes.

    Args:
        progress: Last progress of the attempt in [0, 1]; None or not finite = cannot tell.
        limits: From the authority stack.
    """
    if progress is None or not 0.0 <= progress <= 1.0:
        return Verdict(VerdictTier.LADDER, "no reward score, so success cannot be claimed")
    seen = f"progress {progress:.2f}"
    if progress >= limits.success_threshold:
        return Verdict(VerdictTier.PASS, f"{seen} at or above {limits.success_threshold:.2f}")
    if progress >= limits.check_floor:
        return Verdict(
            VerdictTier.VLM_CHECK,
            f"{seen} between {limits.check_floor:.2f} and {limits.success_threshold:.2f}",
        )
    return Verdict(VerdictTier.LADDER, f"{seen} below {limits.check_floor:.2f}")

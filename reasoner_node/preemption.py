"""Which events force a tick: four tiers, by topic and severity, in one table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from openral.names import FailureLayer
from reasoner_node.events import (
    FAIL,
    SEVERITY_NAMES,
    WARN,
    Event,
    Failure,
    ImageAnswered,
    KernelState,
    LocateAnswered,
    NodePresence,
    OperatorPrompt,
    ServiceAnswered,
    SkillEnded,
)


class Tier(str, Enum):
    """Who interrupts: safety, execution, progress, operator or world, an own call's answer."""

    SAFETY = "A"
    EXECUTION = "B"
    PROGRESS = "C"
    WORLD = "D"
    ANSWER = "answer"


@dataclass(frozen=True)
class Rule:
    """From `min_severity` on, a failure of the layer preempts as `tier`."""

    tier: Tier
    min_severity: int


FAILURE_RULES: dict[FailureLayer, Rule] = {
    "safety": Rule(Tier.SAFETY, WARN),
    "hal": Rule(Tier.EXECUTION, FAIL),
    "sensor": Rule(Tier.EXECUTION, FAIL),
    "rskill": Rule(Tier.EXECUTION, FAIL),
    "wam": Rule(Tier.EXECUTION, FAIL),
    "critic": Rule(Tier.PROGRESS, FAIL),
}
_ANSWERS = (SkillEnded, LocateAnswered, ImageAnswered, ServiceAnswered)


@dataclass(frozen=True)
class Urgency:
    """Tier of an event, and whether it forces a tick."""

    tier: Tier
    preempts: bool


def urgency(event: Event) -> Urgency:
    """Tier and force of an event; what is only seen or scored informs and never forces."""
    if isinstance(event, Failure):
        rule = FAILURE_RULES[event.layer]
        return Urgency(rule.tier, event.severity >= rule.min_severity)
    if isinstance(event, KernelState):
        return Urgency(Tier.SAFETY, event.state in ("latched", "disarmed"))
    if isinstance(event, NodePresence):
        return Urgency(Tier.EXECUTION, not event.alive)
    if isinstance(event, OperatorPrompt):
        return Urgency(Tier.WORLD, True)
    if isinstance(event, _ANSWERS):
        return Urgency(Tier.ANSWER, True)
    return Urgency(Tier.WORLD, False)


def severity_name(severity: int) -> str:
    """`info`, `warn`, `fail` or `abort`."""
    return SEVERITY_NAMES[severity]

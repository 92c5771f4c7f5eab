"""The table of tiers: which topic and severity force a tick."""

from __future__ import annotations

import pytest

from reasoner_node.events import (
    CriticScore,
    DetectionsSeen,
    Failure,
    KernelState,
    NodePresence,
    OperatorPrompt,
    PerceptionChange,
    SkillAccepted,
    SkillEnded,
)
from reasoner_node.preemption import Tier, Urgency, urgency


@pytest.mark.parametrize(
    ("layer", "severity", "tier", "preempts"),
    [
        ("safety", 0, "A", False), ("safety", 1, "A", True), ("safety", 2, "A", True),
        ("safety", 3, "A", True),
        ("hal", 1, "B", False), ("hal", 2, "B", True),
        ("sensor", 1, "B", False), ("sensor", 2, "B", True),
        ("rskill", 1, "B", False), ("rskill", 3, "B", True),
        ("wam", 1, "B", False), ("wam", 2, "B", True),
        ("critic", 1, "C", False), ("critic", 2, "C", True),
    ],
)  # fmt: skip
def test_failures_by_layer_and_severity(layer, severity, tier, preempts):
    event = Failure(layer=layer, severity=severity, failure="x")
    assert urgency(event) == Urgency(Tier(tier), preempts)


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (OperatorPrompt(text="x"), Urgency(Tier.WORLD, True)),
        (PerceptionChange(change="motion"), Urgency(Tier.WORLD, False)),
        (DetectionsSeen(detector="d", camera="c", detections=()), Urgency(Tier.WORLD, False)),
        (CriticScore(critic_id="g", trace_id="t", threshold=0.9, floor=0.5),
         Urgency(Tier.WORLD, False)),
        (KernelState(state="latched"), Urgency(Tier.SAFETY, True)),
        (KernelState(state="holding"), Urgency(Tier.SAFETY, False)),
        (NodePresence(node="robot", alive=False), Urgency(Tier.EXECUTION, True)),
        (NodePresence(node="robot", alive=True), Urgency(Tier.EXECUTION, False)),
        (SkillEnded(trace_id="t", outcome="completed"), Urgency(Tier.ANSWER, True)),
        (SkillAccepted(trace_id="t"), Urgency(Tier.WORLD, False)),
    ],
)  # fmt: skip
def test_other_events(event, expected):
    assert urgency(event) == expected

"""Whether every node of the system answers, judged by what was heard from it."""

from __future__ import annotations

from openral.cli.observed import Observed

EVIDENCE = {
    "sim_node": "joint_states",
    "safety_kernel": "kernel_status",
    "perception_node": "perception/catalogue/detections",
    "skill_runner_node": "execute_rskill",
    "reward_monitor": "query_task_progress",
    "reasoner_node": "mission",
}
"""Node, and the message or server that shows that it works."""


def ready(observed: Observed) -> tuple[str, ...]:
    """Nodes that were heard."""
    shown = {
        "sim_node": "joint_states" in observed.rates,
        "safety_kernel": observed.kernel is not None,
        "perception_node": "detections" in observed.rates,
        "skill_runner_node": observed.servers.get("execute_rskill", False),
        "reward_monitor": observed.servers.get("query_task_progress", False),
        "reasoner_node": observed.mission is not None,
    }
    return tuple(name for name in EVIDENCE if shown[name])


def missing(observed: Observed) -> tuple[str, ...]:
    """Nodes that were not heard, each with what is waited for; empty = the system is ready."""
    there = ready(observed)
    return tuple(f"{name} (no {what})" for name, what in EVIDENCE.items() if name not in there)

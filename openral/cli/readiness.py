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

WITHOUT_DRIVER = {name: what for name, what in EVIDENCE.items() if name != "sim_node"}
"""The same for what works before a real robot's driver and its cameras are there."""


def ready(observed: Observed, *, driver: bool = True) -> tuple[str, ...]:
    """Nodes that were heard.

    Args:
        observed: What was heard.
        driver: Whether joint states and images are there. Without, nothing is asked of the robot,
            and of perception no more than that it would say what it saw.
    """
    shown = {
        "sim_node": "joint_states" in observed.rates,
        "safety_kernel": observed.kernel is not None,
        "perception_node": "detections" in observed.rates
        or (not driver and observed.perception_present),
        "skill_runner_node": observed.servers.get("execute_rskill", False),
        "reward_monitor": observed.servers.get("query_task_progress", False),
        "reasoner_node": observed.mission is not None,
    }
    return tuple(name for name in _asked(driver) if shown[name])


def missing(observed: Observed, *, driver: bool = True) -> tuple[str, ...]:
    """Nodes that were not heard, each with what is waited for; empty = the system is ready.

    The arguments are those of `ready`.
    """
    there = ready(observed, driver=driver)
    asked = _asked(driver)
    return tuple(f"{name} (no {what})" for name, what in asked.items() if name not in there)


def _asked(driver: bool) -> dict[str, str]:
    return EVIDENCE if driver else WITHOUT_DRIVER

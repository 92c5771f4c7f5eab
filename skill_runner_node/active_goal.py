"""The goal that runs now, as the node keeps it."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import rclpy.task

from openral.rskill import ScriptedManifest
from skill_runner_node.goal_run import GoalRun
from skill_runner_node.policy import Policy


@dataclass
class ActiveGoal:
    """One goal between its acceptance and its result.

    Attributes:
        manifest: Of its rSkill.
        request: The goal's message.
        trace_id: Given, or made.
        run: What it does next.
        policy, begun: What thinks, and whether it could begin this goal.
        goal_handle: Of the action server.
        over: Gets the `End`.
        chunks: Sent so far.
        stamped: [s] steady time of the last state message.
    """

    manifest: ScriptedManifest
    request: Any
    trace_id: str
    run: GoalRun
    policy: Policy
    begun: Future[None]
    goal_handle: Any
    over: rclpy.task.Future
    chunks: int = 0
    stamped: float = 0.0

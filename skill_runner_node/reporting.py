"""What the skill runner says about itself: `skill_state`, `failure/rskill`, `diagnostics`."""

from __future__ import annotations

import json
from collections.abc import Mapping

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from openral_msgs.action import ExecuteRskill
from openral_msgs.msg import FailureTrigger, SkillState
from rclpy.node import Node

from openral.ros import qos
from skill_runner_node.messages import outcome_number
from skill_runner_node.policy import Outcome
from skill_runner_node.watch import End

_STATE = {Outcome.COMPLETED: SkillState.SUCCEEDED, Outcome.CANCELED: SkillState.CANCELED}


class Reporter:
    """Publishes in the name of a node."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._states = node.create_publisher(SkillState, "skill_state", qos.SKILL_STATE)
        self._failures = node.create_publisher(FailureTrigger, "failure/rskill", qos.FAILURE)
        self._diagnostics = node.create_publisher(DiagnosticArray, "diagnostics", qos.DIAGNOSTICS)
        self._publish(SkillState(state=SkillState.IDLE))

    def running(
        self,
        request: ExecuteRskill.Goal,
        trace_id: str,
        *,
        stage: str,
        progress: float,
        chunks: int,
        end: End | None = None,
    ) -> None:
        """Where a goal is; with `end`, how it ended."""
        state = SkillState.RUNNING if end is None else _STATE.get(end.outcome, SkillState.FAILED)
        self._publish(
            SkillState(
                state=state,
                skill_id=request.rskill_id,
                task=request.prompt,
                params_json=request.params_json,
                trace_id=trace_id,
                stage=stage,
                progress=progress,
                chunk_index=chunks,
                reason="" if end is None else end.reason,
            )
        )

    def failure(self, skill_id: str, trace_id: str, end: End) -> None:
        """That a goal was refused (WARN) or failed (FAIL); nothing for any other end."""
        if end.outcome in _STATE:
            return
        refused = end.outcome is Outcome.REFUSED
        message = FailureTrigger(
            severity=FailureTrigger.WARN if refused else FailureTrigger.FAIL,
            kind=end.outcome.value,
            source=self._node.get_name(),
            skill_id=skill_id,
            trace_id=trace_id,
            message=end.reason,
            evidence_json=json.dumps({"outcome": outcome_number(end.outcome)}),
        )
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._failures.publish(message)

    def health(self, silent: list[str], values: Mapping[str, object]) -> None:
        """Which inputs are silent, and some figures."""
        status = DiagnosticStatus(
            level=DiagnosticStatus.WARN if silent else DiagnosticStatus.OK,
            name=f"{self._node.get_name()}: runner",
            message=f"nothing from {', '.join(silent)}" if silent else "ok",
            values=[KeyValue(key=key, value=str(value)) for key, value in values.items()],
        )
        message = DiagnosticArray(status=[status])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._diagnostics.publish(message)

    def _publish(self, message: SkillState) -> None:
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._states.publish(message)

"""What one answer of the brain leads to: dropped, corrected once, failed, capped or dispatched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from reasoner_node.brain import BrainReply
from reasoner_node.context import allowed_tools
from reasoner_node.dispatch import dispatch, grounded_names
from reasoner_node.ending import end_mission
from reasoner_node.mission import MissionPhase
from reasoner_node.repair import InvalidCallError, parse_call
from reasoner_node.state import InFlight, ReasonerState
from reasoner_node.task_queue import abandon_task
from reasoner_node.tools import (
    ExecuteRskill,
    LocateInView,
    ReasonerToolCall,
    RecallObject,
    Wait,
)


@dataclass(frozen=True)
class Decision:
    """How an answer was booked; `correction` is what the brain is to be told, empty = nothing."""

    verdict: Literal["superseded", "corrected", "failed", "retry_cap", "dispatched"]
    correction: str = ""


def book(state: ReasonerState, flight: InFlight, reply: BrainReply, now: float) -> Decision:
    """Books the answer to the decision in flight; drains only what its context held."""
    if flight.superseded:
        return Decision("superseded")
    try:
        if reply.error:
            raise InvalidCallError("one tool call", reply.error)
        names = grounded_names(state, now)
        call = parse_call(reply.tool, reply.arguments, allowed_tools(state), names)
        within = _within_cap(state, call, now)
        if within:
            dispatch(state, call, now)
    except InvalidCallError as error:
        may_correct = flight.corrections < state.settings.corrections_per_decision
        if (reply.correctable or not reply.error) and may_correct:
            return Decision("corrected", str(error))
        _failed(state, str(error), now)
        return Decision("failed")
    state.failed_ticks = 0
    state.log.drain(flight.drain_to)
    return Decision("dispatched" if within else "retry_cap")


def _within_cap(state: ReasonerState, call: ReasonerToolCall, now: float) -> bool:
    """Counts the selection; beyond the cap the next rung is taken instead of the call."""
    if isinstance(call, Wait) and state.attempt is not None:
        return True
    if isinstance(call, (LocateInView, RecallObject)) and state.locate_budget.left == 0:
        # The looks' own budget ends the task, and knows what they showed.
        return True
    kind = f"{call.tool}:{call.rskill_id}" if isinstance(call, ExecuteRskill) else call.tool
    if state.retry.select(kind):
        return True
    mission = state.active_mission
    task = mission.current_task if mission else None
    reason = f"{call.tool} was chosen more than {state.retry.cap} times in a row"
    if mission is not None and mission.decomposed and task is not None and state.attempt is None:
        abandon_task(state, reason, now)
    else:
        words = f"I hand over: {reason} and nothing changed."
        end_mission(state, MissionPhase.INCOMPLETE, "handoff", words, now)
    return False


def _failed(state: ReasonerState, why: str, now: float) -> None:
    state.failed_ticks += 1
    state.log.add(now, f"decision failed: {why[:300]}")
    if state.failed_ticks >= state.settings.retry_cap_per_kind:
        words = (
            f"I hand over: {state.brain} gave no usable decision {state.failed_ticks} times in a "
            f"row ({why[:300]})."
        )
        end_mission(state, MissionPhase.INCOMPLETE, "handoff", words, now)
    elif state.attempt is None:
        state.gate.request()

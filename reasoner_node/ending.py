"""How a mission ends: always in one state and with exactly one final say."""

from __future__ import annotations

from openral.missions import SayKind
from reasoner_node.attempt import AttemptPhase
from reasoner_node.effects import CancelSkill
from reasoner_node.mission import MissionPhase, MissionState, TaskPhase
from reasoner_node.state import ReasonerState


def end_mission(
    state: ReasonerState, phase: MissionPhase, kind: SayKind, words: str, now: float
) -> None:
    """Ends the active mission; nothing happens where none is active.

    The running skill is cancelled, questions are forgotten, a decision in flight is superseded.

    Args:
        state: Changed in place.
        phase: How the mission ends.
        kind: Kind of the final say.
        words: Its first sentence: what happened, and what the operator can do.
        now: [s].
    """
    mission = state.active_mission
    if mission is None:
        return
    cancel_attempt(state, f"the mission ended: {words}", now)
    if state.attempt is not None:
        if state.attempt.holds_runner:
            state.attempt.orphan = True
        else:
            state.attempt = None
    state.questions.clear()
    state.wait_until = None
    state.look_again_at = None
    state.gate.requested = False
    if state.in_flight is not None and not state.in_flight.superseded:
        state.in_flight.superseded = "the mission ended"
    state.mission = mission.end(phase, words, now)
    tally = _tally(state.mission)
    state.say(f"{words} {tally}".strip(), kind)
    state.publish(now)


def conclude(state: ReasonerState, now: float) -> None:
    """Ends a mission whose tasks have all ended, by what became of them."""
    mission = state.active_mission
    if mission is None:
        return
    if len(mission.in_phase(TaskPhase.DONE)) == len(mission.tasks):
        end_mission(state, MissionPhase.DONE, "done", f"Done: {mission.goal}.", now)
    else:
        words = f"I could not complete: {mission.goal}."
        end_mission(state, MissionPhase.INCOMPLETE, "could_not_complete", words, now)


def cancel_attempt(state: ReasonerState, reason: str, now: float) -> None:
    """Asks the skill runner to end the running goal; asked twice is asked once."""
    attempt = state.attempt
    if attempt is None or not attempt.cancellable:
        return
    attempt.phase = AttemptPhase.CANCELLING
    attempt.cancel_reason = reason
    attempt.due_at = now + state.settings.cancel_timeout_s
    state.effects.append(CancelSkill(trace_id=attempt.trace_id, reason=reason))


def _tally(mission: MissionState) -> str:
    if not mission.decomposed:
        reason = mission.tasks[0].reason
        why = f"Reason: {reason}. " if reason and reason != mission.message else ""
        return f"{why}Nothing was moved."
    done = [task.object_ref for task in mission.in_phase(TaskPhase.DONE)]
    undone = [
        f"{task.object_ref} ({task.reason})"
        if task.reason and task.reason != mission.message
        else task.object_ref
        for task in mission.in_phase(TaskPhase.ABANDONED)
    ]
    parts = []
    if done:
        parts.append(f"Done: {', '.join(done)}.")
    if undone:
        parts.append(f"Not done: {', '.join(undone)}.")
    return " ".join(parts)

"""What happens by time alone: one list of everything that is due, and one place that does it."""

from __future__ import annotations

from reasoner_node.ending import conclude, end_mission
from reasoner_node.events import ImageAnswered
from reasoner_node.final_look import begin_final_look
from reasoner_node.looks import look_unanswered
from reasoner_node.mission import MissionPhase
from reasoner_node.skill_runs import attempt_due, handle_image_answer
from reasoner_node.state import ReasonerState


def next_deadline(state: ReasonerState, now: float) -> float | None:
    """The earliest time at which `handle_due` has something to do [s]; None = never."""
    due: list[float] = [question.due_at for question in state.questions.values()]
    if state.attempt is not None:
        due.append(state.attempt.next_due(now))
    due += [at for at in (state.wait_until, state.look_again_at) if at is not None]
    due += [at for at in (_brain_ends_at(state), _mission_ends_at(state)) if at is not None]
    return min(due, default=None)


def handle_due(state: ReasonerState, now: float) -> bool:
    """Does all that is due; False = nothing was."""
    due_at = next_deadline(state, now)
    if due_at is None or now < due_at:
        return False
    settings = state.settings
    ends_at = _mission_ends_at(state)
    if ends_at is not None and now >= ends_at:
        words = f"I hand over: the goal took longer than {settings.mission_budget_s:g} s."
        end_mission(state, MissionPhase.INCOMPLETE, "handoff", words, now)
        return True
    ends_at = _brain_ends_at(state)
    if ends_at is not None and now >= ends_at:
        words = f"I hand over: {state.brain} did not decide within {settings.brain_timeout_s:g} s."
        end_mission(state, MissionPhase.INCOMPLETE, "handoff", words, now)
        return True
    for question in [q for q in state.questions.values() if now >= q.due_at]:
        if question.kind == "locate":
            look_unanswered(state, question, now)
            continue
        state.questions.pop(question.call_id, None)
        if question.kind == "image":
            silence = ImageAnswered(
                call_id=question.call_id, answer="cannot_tell", message="no answer in time"
            )
            handle_image_answer(state, silence, now)
        else:
            state.log.add(now, f"question {question.call_id} was not answered in time")
            state.gate.request()
    attempt = state.attempt
    if attempt is not None and now >= attempt.next_due(now):
        attempt_due(state, now)
    if state.wait_until is not None and now >= state.wait_until:
        state.wait_until = None
        state.gate.request()
    if state.look_again_at is not None and now >= state.look_again_at:
        state.look_again_at = None
        if not begin_final_look(state, now):
            conclude(state, now)
    return True


def _brain_ends_at(state: ReasonerState) -> float | None:
    mission, flight = state.active_mission, state.in_flight
    if mission is None or flight is None:
        return None
    # A new goal may wait for an answer to an older one: its own time begins with itself.
    return max(flight.asked_at, mission.started_at) + state.settings.brain_timeout_s


def _mission_ends_at(state: ReasonerState) -> float | None:
    mission = state.active_mission
    return None if mission is None else mission.started_at + state.settings.mission_budget_s

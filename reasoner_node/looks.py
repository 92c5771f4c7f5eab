"""Answers of detectors to the brain's own questions: what they tell and what they cost."""

from __future__ import annotations

from reasoner_node.cameras import answer_of_blind_camera, lose_camera
from reasoner_node.events import LocateAnswered
from reasoner_node.final_look import finish_final_look, no_picture
from reasoner_node.state import Look, Question, ReasonerState
from reasoner_node.task_queue import abandon_task


def handle_located(state: ReasonerState, event: LocateAnswered, now: float) -> None:
    """An answer came; one that was not asked for is of no concern."""
    question = state.take_question(event.call_id, "locate")
    if question is not None:
        _answered(state, question, event, now)


def look_unanswered(state: ReasonerState, question: Question, now: float) -> None:
    """The time for an answer is over."""
    state.questions.pop(question.call_id, None)
    waited = state.settings.question_timeout_s
    silence = LocateAnswered(
        call_id=question.call_id,
        answered=False,
        camera=question.camera,
        message=f"no answer from the detector within {waited:g} s",
    )
    _answered(state, question, silence, now)


def _answered(state: ReasonerState, question: Question, event: LocateAnswered, now: float) -> None:
    problem = no_picture(event, state.settings.image_max_age_s)
    camera = event.camera or question.camera
    news = False
    if answer_of_blind_camera(event) and not question.regained:
        lose_camera(state, camera, event.message, now)
    if not problem:
        news = state.scene.note_located(camera, question.nouns, event.detections, now)
    if question.purpose == "final_look":
        finish_final_look(state, event, now)
        return
    found = tuple(dict.fromkeys(seen.label for seen in event.detections))
    look = Look(
        question.nouns, camera, event.found and not problem, not problem,
        () if problem else found, problem or event.message, now,
    )  # fmt: skip
    state.looks.append(look)
    state.log.add(now, look_line(look))
    if news:
        state.retry.context_shifted()
        mission = state.active_mission
        if mission is not None and not mission.decomposed:
            # While the goal is being read, only looks that tell nothing new count.
            state.locate_budget.reset()
    state.gate.request()


def spend_look(state: ReasonerState, now: float) -> bool:
    """Takes one look from the task's budget; False = none was left, and the task is given up."""
    if state.locate_budget.spend():
        return True
    last = state.looks[-1].message if state.looks else ""
    reason = f"looked {state.locate_budget.cap} times without being able to act"
    abandon_task(state, f"{reason}; {last}" if last else reason, now)
    return False


def look_line(look: Look) -> str:
    """A look in one line for the context."""
    asked = ", ".join(look.nouns)
    if not look.looked:
        return f"look for {asked} in {look.camera or 'the primary camera'}: {look.message}"
    seen = ", ".join(look.labels) or "nothing"
    return f"look for {asked} in {look.camera}: found {seen}{'' if look.found else ', not all'}"

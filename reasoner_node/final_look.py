"""The last check of a mission: look once more whether what was called done is where it belongs.

The reward judged each task at its own end; an object may have been knocked out since. Nothing that
is seen outside of its container is called done, nothing that is not seen at its place on the table,
nor anything when no fresh image is to be had.
"""

from __future__ import annotations

from reasoner_node.cameras import answer_of_blind_camera, no_images
from reasoner_node.effects import Locate
from reasoner_node.ending import conclude
from reasoner_node.events import LocateAnswered
from reasoner_node.mission import MissionState, TaskPhase, TaskState
from reasoner_node.place import PlaceCheck, elsewhere
from reasoner_node.state import Question, ReasonerState


def begin_final_look(state: ReasonerState, now: float) -> bool:
    """Asks the detector about everything that is called done; False = there is nothing to check."""
    mission = state.active_mission
    if mission is None:
        return False
    checked = _checked_tasks(state, mission)
    if not checked or state.final_looks >= state.settings.max_final_looks:
        return False
    nouns = list(dict.fromkeys(task.object_ref for task in checked))
    containers = dict.fromkeys(state.places[task.task_id].container for task in checked)
    nouns += [name for name in containers if name and name not in nouns]
    call_id = state.next_call_id()
    settings = state.settings
    state.final_look_tries += 1
    state.look_again_at = None
    state.questions[call_id] = Question(
        call_id, "locate", "final_look", now + settings.question_timeout_s, tuple(nouns),
        settings.verify_camera,
    )  # fmt: skip
    state.effects.append(
        Locate(
            call_id=call_id, detector=settings.detector, query=", ".join(nouns),
            camera=settings.verify_camera,
        )
    )  # fmt: skip
    return True


def finish_final_look(state: ReasonerState, answer: LocateAnswered | None, now: float) -> None:
    """Compares the answer with what is called done; None = no answer came."""
    mission = state.active_mission
    if mission is None:
        return
    # A picture from before the last skill ended shows another world.
    since_last_run = now - max((end.at for end in state.ended.values()), default=now)
    problem = no_picture(answer, min(state.settings.image_max_age_s, since_last_run))
    if answer is None or problem:
        if state.final_look_tries < state.settings.final_look_tries:
            state.look_again_at = now + state.settings.final_look_pause_s
            return
        reason = f"not confirmed: no picture for the final look ({problem})"
        for task in _checked_tasks(state, mission):
            mission = mission.revoke(task.task_id, reason)
        state.mission = mission
        conclude(state, now)
        return
    state.final_looks += 1
    state.final_look_tries = 0
    reopened = False
    settings = state.settings
    check = PlaceCheck(
        state.verify_calibration, settings.place_tolerance_m, settings.object_height_max_m
    )
    may_try = state.final_looks < state.settings.max_final_looks
    for task in _checked_tasks(state, mission):
        place = state.places[task.task_id]
        reason = elsewhere(task.object_ref, place, answer.detections, check)
        if not reason:
            continue
        state.log.add(now, f"final look: {task.object_ref} {reason}")
        if may_try and task.attempts < state.settings.max_task_attempts:
            mission = mission.reopen(task.task_id, f"final look: {reason}")
            reopened = True
        else:
            mission = mission.revoke(task.task_id, f"final look: {reason}")
    state.mission = mission
    if reopened:
        state.mission = mission.activate_next(now)
        state.retry.context_shifted()
        state.locate_budget.reset()
        state.publish(now)
        state.gate.request()
    else:
        conclude(state, now)


def no_picture(answer: LocateAnswered | None, max_age_s: float) -> str:
    """Why an answer proves nothing; empty = it rests on a fresh image."""
    if answer is None:
        return "the detector did not answer"
    if not answer.answered:
        return answer.message or "the detector did not answer"
    if answer_of_blind_camera(answer):
        return no_images(answer.camera, answer.message)
    if answer.image_age_s is None:
        return answer.message or "no image"
    if answer.image_age_s > max_age_s:
        return f"the newest image is {answer.image_age_s:.1f} s old"
    return ""


def _checked_tasks(state: ReasonerState, mission: MissionState) -> tuple[TaskState, ...]:
    done = mission.in_phase(TaskPhase.DONE)
    return tuple(task for task in done if task.task_id in state.places)

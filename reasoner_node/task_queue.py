"""What follows when a task has ended: the next one, or the final look, or the end."""

from __future__ import annotations

from reasoner_node.ending import conclude
from reasoner_node.final_look import begin_final_look
from reasoner_node.state import ReasonerState


def task_ended(state: ReasonerState, now: float) -> None:
    """The current task is done or abandoned: goes on with the queue."""
    mission = state.active_mission
    if mission is None:
        return
    state.retry.context_shifted()
    state.locate_budget.reset()
    state.mission = mission.activate_next(now)
    if state.mission.current is not None:
        state.publish(now)
        state.gate.request()
    elif not begin_final_look(state, now):
        conclude(state, now)
    else:
        state.publish(now)


def abandon_task(state: ReasonerState, reason: str, now: float) -> None:
    """Gives the current task up, says so, and goes on with the queue."""
    mission = state.active_mission
    if mission is None or mission.current_task is None:
        return
    task = mission.current_task
    state.log.add(now, f"task {task.task_id} ({task.object_ref}) abandoned: {reason}")
    state.mission = mission.abandon_active(reason, now)
    others = any(other.task_id != task.task_id for other in mission.tasks)
    if mission.decomposed and others:
        # With a single task the final say says the same.
        state.say(f"I could not complete task {task.task_id} ({task.text}): {reason}.")
    task_ended(state, now)

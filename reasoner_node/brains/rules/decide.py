"""The rules' decision for one tick: refuse, look, decompose, run the skill, or wait."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from reasoner_node.brain import BrainReply, PreparedTick
from reasoner_node.brains.rules.goal import Goal, NotUnderstood, parse_goal
from reasoner_node.brains.rules.resolve import (
    Ambiguous,
    LookFor,
    Plan,
    Unresolvable,
    plan_tasks,
    visible,
)
from reasoner_node.context import ContextView
from reasoner_node.mission import TaskState

NAME = "rules (deterministic, no language model)"


class RulesBrain:
    """Understands put, place and move of one, several or all objects into a container."""

    @property
    def name(self) -> str:
        """What it is, for the log."""
        return NAME

    @property
    def is_model(self) -> bool:
        """It asks no language model."""
        return False

    def choose(self, tick: PreparedTick) -> BrainReply:
        """One tool call for one context; the same context gives the same call."""
        tool, arguments = decide(tick.view)
        return BrainReply(tool=tool, arguments=dict(arguments))


Choice = tuple[str, Mapping[str, Any]]


def decide(context: ContextView) -> Choice:
    """Tool and arguments for one context."""
    if context.running:
        return _wait(context.settings.running_wait_s, "the skill runs")
    if "perception" in context.lost:
        return _end("could_not_complete", "I cannot see: perception does not answer.")
    if not context.mission.decomposed:
        return _read_goal(context)
    task = context.task
    if task is None:
        return _wait(context.settings.running_wait_s, "no task is active")
    return _work(context, task)


def _read_goal(context: ContextView) -> Choice:
    goal = parse_goal(context.mission.goal, visible(context))
    if isinstance(goal, NotUnderstood):
        return _end("refused", goal.why)
    if not _pick_and_place(context):
        return _end("handoff", "I hand over: no skill here puts an object into a container.")
    blind = _blind(context)
    if blind:
        return blind
    plan = plan_tasks(goal, context)
    if isinstance(plan, LookFor):
        return _look(plan.nouns, context.settings.primary_camera)
    if isinstance(plan, (Ambiguous, Unresolvable)):
        return _unplanned(plan, goal, context)
    return _decompose(plan)


def _blind(context: ContextView) -> Choice | None:
    """The last look showed no fresh image: look again while the budget lasts, then say so."""
    if not context.looks or context.looks[-1].looked:
        return None
    last = context.looks[-1]
    if context.locate_left > 0:
        return _pause(context) or _look(last.nouns, last.camera)
    camera = last.camera or context.settings.primary_camera
    if camera in context.blind:
        return _end("could_not_complete", f"I cannot see: {last.message}.")
    return _end("could_not_complete", f"I cannot see through camera {camera}: {last.message}.")


def _unplanned(plan: Ambiguous | Unresolvable, goal: Goal, context: ContextView) -> Choice:
    if isinstance(plan, Ambiguous):
        options = " or ".join(plan.labels)
        return _end("refused", f"'{plan.noun}' may be {options}. Which one do you mean?")
    if plan.nothing_seen and not _saw_anything(context):
        return _wait(context.settings.nothing_seen_wait_s, "for something to come into view")
    return _end("could_not_complete" if plan.container else "refused", plan.why)


def _saw_anything(context: ContextView) -> bool:
    """Whether to end rather than to wait: looks were spent, or a camera reported."""
    return bool(context.view_ages) or context.locate_left == 0


def _decompose(plan: Plan) -> Choice:
    return "decompose_mission", {
        "subtasks": [
            {"object_ref": task.label, "text": f"put the {task.label} into the {task.container}"}
            for task in plan.tasks
        ],
        "unavailable": [
            {"object_ref": noun, "reason": reason} for noun, reason in plan.unavailable
        ],
    }


def _work(context: ContextView, task: TaskState) -> Choice:
    """Runs the skill for the active task; looks first where the last run missed the object."""
    ended = context.ended.get(task.task_id)
    if ended is not None and ended.outcome in ("not_found", "observation", "grasp_failed"):
        since = [look for look in context.looks if look.at >= ended.at]
        if not since:
            return _look((task.object_ref,), context.settings.primary_camera)
        if not since[-1].looked:
            return _pause(context) or _look((task.object_ref,), context.settings.primary_camera)
        if task.object_ref not in since[-1].labels:
            other = context.settings.verify_camera
            tried = {look.camera for look in since}
            return _look(
                (task.object_ref,), context.settings.primary_camera if other in tried else other
            )
    skill = _pick_and_place(context)
    if not skill:
        return _end("handoff", "I hand over: no skill here puts an object into a container.")
    params = {"object": task.object_ref, "container": _container(context, task)}
    return "execute_rskill", {
        "rskill_id": skill,
        "prompt": task.text,
        "params_json": json.dumps(params),
    }


def _container(context: ContextView, task: TaskState) -> str:
    """The container that the task's own words name, as `_decompose` wrote them."""
    return task.text.rsplit(" into the ", 1)[-1]


def _pick_and_place(context: ContextView) -> str:
    for skill in context.skills:
        if "object" in skill.fields and "container" in skill.fields:
            return skill.rskill_id
    return ""


def _pause(context: ContextView) -> Choice | None:
    """A wait for what is left of the pause after a blind look; None = it is over."""
    # A camera may need a moment.
    left = context.looks[-1].at + context.settings.blind_wait_s - context.now
    # The shortest wait that the tool takes is 0.1 s.
    return _wait(left, "for a fresh image") if left >= 0.1 else None


def _look(nouns: tuple[str, ...], camera: str) -> Choice:
    return "locate_in_view", {"query": ", ".join(nouns), "camera": camera}


def _wait(seconds: float, reason: str) -> Choice:
    return "wait", {"seconds": seconds, "reason": reason}


def _end(kind: str, text: str) -> Choice:
    return "emit_prompt", {"kind": kind, "text": text[:1000]}

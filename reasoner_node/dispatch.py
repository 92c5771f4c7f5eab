"""From one valid tool call to effects, by policy: what the state forbids is refused with words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pydantic import ValidationError

from openral.rskill import ParamsError
from reasoner_node.attempt import Attempt
from reasoner_node.effects import (
    AskScene,
    ChangeLifecycle,
    Effect,
    Locate,
    QueryProgress,
    ReloadPipeline,
    StartSkill,
)
from reasoner_node.ending import end_mission
from reasoner_node.looks import spend_look
from reasoner_node.mission import MissionPhase, MissionState, TaskPhase, TaskState
from reasoner_node.place import place_of
from reasoner_node.repair import InvalidCallError
from reasoner_node.reward_watch import CriticWatchdogGroup
from reasoner_node.scene import known_names
from reasoner_node.state import Question, ReasonerState
from reasoner_node.stops import refuse_to_start
from reasoner_node.tools import (
    DecomposeMission,
    EmitPrompt,
    ExecuteRskill,
    LifecycleTransition,
    LocateInView,
    QueryScene,
    QueryTaskProgress,
    ReasonerToolCall,
    RecallObject,
    ReloadGstPipeline,
    Wait,
)
from reasoner_node.verdict import Limits, resolve_limits


def dispatch(state: ReasonerState, call: ReasonerToolCall, now: float) -> None:
    """Turns a call into effects.

    Raises:
        InvalidCallError: The state does not allow the call; says what would be allowed.
    """
    handler = _HANDLERS.get(type(call))
    if handler is None:
        raise InvalidCallError(
            "a tool that this robot has", f"{call.tool}, for which nothing is installed here"
        )
    handler(state, call, now)


def _wait(state: ReasonerState, call: Wait, now: float) -> None:
    if state.attempt is None:
        state.wait_until = now + call.seconds


def _emit(state: ReasonerState, call: EmitPrompt, now: float) -> None:
    if call.kind == "info":
        state.say(call.text)
    else:
        end_mission(state, MissionPhase.INCOMPLETE, call.kind, call.text, now)


def _decompose(state: ReasonerState, call: DecomposeMission, now: float) -> None:
    mission = _mission(state)
    settings = state.settings
    names = {name.lower() for name in grounded_names(state, now)}
    for subtask in call.subtasks:
        if subtask.object_ref.lower() not in names:
            raise InvalidCallError(
                "object_ref among what is in view or located: "
                + (", ".join(sorted(names)) or "nothing"),
                repr(subtask.object_ref),
                "use locate_in_view first, or list it under unavailable",
            )
    if len(mission.tasks) + len(call.subtasks) + len(call.unavailable) > settings.max_tasks:
        raise InvalidCallError(f"at most {settings.max_tasks} tasks", str(len(call.subtasks)))
    if not mission.decomposed:
        lost = [(item.object_ref, item.reason) for item in call.unavailable]
        state.mission = mission.decompose(call.subtasks, lost, now)
    else:
        task = _active_task(mission)
        if task.depth >= settings.max_subdivide_depth:
            raise InvalidCallError(
                f"a task above depth {settings.max_subdivide_depth}", f"depth {task.depth}"
            )
        state.mission = mission.subdivide_active(call.subtasks, settings.max_subdivide_depth, now)
    state.retry.context_shifted()
    state.locate_budget.reset()
    state.publish(now)


def _execute(state: ReasonerState, call: ExecuteRskill, now: float) -> None:
    mission = _mission(state)
    if not mission.decomposed:
        raise InvalidCallError("decompose_mission first", "execute_rskill for a goal without tasks")
    if state.attempt is not None:
        raise InvalidCallError("one skill at a time", "execute_rskill while a skill runs", "wait")
    task = _active_task(mission)
    manifest = state.palette.skills.get(call.rskill_id)
    if manifest is None:
        known = ", ".join(sorted(state.palette.skills)) or "none"
        raise InvalidCallError(f"a skill id among: {known}", repr(call.rskill_id))
    try:
        params = manifest.params.parse(call.params_json)
    except ParamsError as error:
        raise InvalidCallError(f"params_json with {error.expected}", error.got, error.do) from None
    _check_target(state, task, params, now)
    if refuse_to_start(state, now):
        return
    if state.kernel is None:
        state.wait_until = now + state.settings.kernel_unknown_wait_s
        # Not tried, so not a retry; a kernel that stays silent is reported lost.
        state.retry.context_shifted()
        return
    settings = state.settings
    limits = resolve_limits(
        _fallback(state),
        state.palette.reward_contract(call.rskill_id),
        success_threshold=call.success_threshold,
        patience_s=call.patience_s,
    )
    state.mission = mission.begin_attempt()
    trace_id = f"{mission.mission_id}.t{task.task_id}.a{task.attempts + 1}"
    state.attempt = Attempt(
        trace_id=trace_id,
        task_id=task.task_id,
        rskill_id=call.rskill_id,
        started_at=now,
        due_at=now + settings.goal_response_timeout_s,
        hard_end_at=now + manifest.deadline_s + settings.deadline_margin_s,
        limits=limits,
        watch=CriticWatchdogGroup(limits, now, settings.max_critics, settings.max_scores),
        grace_s=settings.scripted_grace_s if manifest.kind == "scripted" else 0.0,
    )
    place = place_of(params)
    if place is not None:
        state.places[task.task_id] = place
    else:
        state.places.pop(task.task_id, None)
    state.locate_budget.reset()
    state.effects.append(
        StartSkill(
            trace_id=trace_id, rskill_id=call.rskill_id, prompt=call.prompt,
            params_json=call.params_json, deadline_s=manifest.deadline_s,
        )
    )  # fmt: skip
    state.publish(now)


def _check_target(
    state: ReasonerState, task: TaskState, params: dict[str, Any], now: float
) -> None:
    target = params.get("object")
    if isinstance(target, str) and target.lower() != task.object_ref.lower():
        raise InvalidCallError(
            f"object {task.object_ref!r}, which the active task is about", repr(target)
        )
    container = params.get("container")
    names = grounded_names(state, now)
    if isinstance(container, str) and container not in names:
        raise InvalidCallError(
            f"a container among what is in view or located: {', '.join(names) or 'nothing'}",
            repr(container),
        )


def _locate(state: ReasonerState, call: LocateInView, now: float) -> None:
    nouns = tuple(noun.strip() for noun in call.query.split(","))
    if state.attempt is not None and state.locate_budget.left == 0:
        # Giving the task up now would leave its run to be judged as the next task's.
        raise InvalidCallError(
            "wait until the running skill ends", "a look beyond the task's", "wait"
        )
    if not spend_look(state, now):
        return
    camera = call.camera or state.settings.primary_camera
    call_id = _ask(state, now, nouns=nouns, camera=camera, locate=True)
    detector = call.detector or state.settings.detector
    state.effects.append(
        Locate(call_id=call_id, detector=detector, query=", ".join(nouns), camera=camera)
    )


def _recall(state: ReasonerState, call: RecallObject, now: float) -> None:
    wanted = call.object_ref.lower()
    hits = [
        s
        for s in (*state.scene.located(now), *state.scene.in_view(now))
        if wanted in (s.seen.label.lower(), s.query.lower())
    ]
    if not hits:
        # Nothing is remembered, so the detector looks now, whatever the brain would do next.
        _locate(state, _single_look(call.object_ref), now)
        return
    lines = ", ".join(
        f"{s.camera} @px({s.seen.centre[0]:.0f},{s.seen.centre[1]:.0f}) {s.age_s:.1f} s ago"
        for s in hits
    )
    state.log.add(now, f"recall {call.object_ref}: {lines}")


def _single_look(noun: str) -> LocateInView:
    try:
        return LocateInView(query=noun)
    except ValidationError as error:
        raise InvalidCallError("one concrete object", error.errors()[0]["msg"]) from None


def _query_scene(state: ReasonerState, call: QueryScene, now: float) -> None:
    camera = call.camera or state.settings.primary_camera
    call_id = _ask(state, now)
    _effect(state, AskScene(call_id=call_id, camera=camera, question=call.question))


def _query_progress(state: ReasonerState, call: QueryTaskProgress, now: float) -> None:
    _effect(state, QueryProgress(call_id=_ask(state, now), window_s=call.window_s))


def _lifecycle(state: ReasonerState, call: LifecycleTransition, now: float) -> None:
    allowed = state.settings.lifecycle_allow
    if call.node not in allowed:
        raise InvalidCallError(f"a node among: {', '.join(allowed) or 'none'}", repr(call.node))
    call_id = _ask(state, now)
    _effect(state, ChangeLifecycle(call_id=call_id, node=call.node, transition=call.transition))


def _reload(state: ReasonerState, call: ReloadGstPipeline, now: float) -> None:
    cameras = sorted(state.scene.view_ages(now))
    if call.camera not in cameras:
        raise InvalidCallError(f"a camera among: {', '.join(cameras) or 'none'}", repr(call.camera))
    _effect(state, ReloadPipeline(call_id=_ask(state, now), camera=call.camera))


def _ask(
    state: ReasonerState,
    now: float,
    *,
    nouns: tuple[str, ...] = (),
    camera: str = "",
    locate: bool = False,
) -> str:
    call_id = state.next_call_id()
    due_at = now + state.settings.question_timeout_s
    kind: Literal["locate", "service"] = "locate" if locate else "service"
    state.questions[call_id] = Question(call_id, kind, "brain", due_at, nouns, camera)
    return call_id


def _effect(state: ReasonerState, effect: Effect) -> None:
    state.effects.append(effect)


def _mission(state: ReasonerState) -> MissionState:
    mission = state.active_mission
    if mission is None:
        raise InvalidCallError("a goal", "none")
    return mission


def _active_task(mission: MissionState) -> TaskState:
    task = mission.current_task
    if task is None or task.phase is not TaskPhase.ACTIVE:
        raise InvalidCallError(
            "an active task", "none" if task is None else f"one {task.phase.value}"
        )
    return task


def grounded_names(state: ReasonerState, now: float) -> tuple[str, ...]:
    """Labels that are grounded now: fresh detections and everything located for this goal."""
    in_view = known_names(state.scene.in_view(now), state.settings.in_view_max_age_s)
    located = known_names(state.scene.located(now))
    return tuple(dict.fromkeys((*in_view, *located)))


def _fallback(state: ReasonerState) -> Limits:
    s = state.settings
    return Limits(
        s.fallback_success_threshold,
        s.fallback_check_floor,
        s.fallback_patience_s,
        s.fallback_stall_window_s,
        s.fallback_stall_epsilon,
    )


_HANDLERS: dict[type[Any], Callable[[ReasonerState, Any, float], None]] = {
    Wait: _wait,
    EmitPrompt: _emit,
    DecomposeMission: _decompose,
    ExecuteRskill: _execute,
    LocateInView: _locate,
    RecallObject: _recall,
    QueryScene: _query_scene,
    QueryTaskProgress: _query_progress,
    LifecycleTransition: _lifecycle,
    ReloadGstPipeline: _reload,
}

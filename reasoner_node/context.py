"""What a brain is given to decide on: a frozen view of the state, and the same as bounded text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from reasoner_node.attempt import AttemptPhase
from reasoner_node.cameras import no_images
from reasoner_node.event_log import Line
from reasoner_node.events import NodeName
from reasoner_node.looks import look_line
from reasoner_node.mission import MissionState, TaskPhase, TaskState
from reasoner_node.scene import Sighting, rounded
from reasoner_node.settings import Settings
from reasoner_node.state import Blind, Ended, Look, ReasonerState
from reasoner_node.tools import ServedTool


@dataclass(frozen=True)
class SkillView:
    """A skill that may be chosen.

    Attributes:
        fields: Names of its parameters.
        params: Its parameters in one line.
    """

    rskill_id: str
    description: str
    fields: tuple[str, ...]
    params: str


@dataclass(frozen=True)
class RewardView:
    """One critic's word on the running attempt."""

    critic_id: str
    progress: float | None
    success: float | None
    stage: str


@dataclass(frozen=True)
class ContextView:
    """The state at `now`, complete enough to decide on.

    Attributes:
        looks: Answered looks of this mission, oldest first.
        ended: How the last skill run of each task ended, by task id.
        running: Trace id of the skill that runs; empty = none.
        locate_left: Looks left for the current task.
        tools: Names of the tools that may be called now.
    """

    now: float
    robot: str
    mission: MissionState
    in_view: tuple[Sighting, ...]
    located: tuple[Sighting, ...]
    view_ages: Mapping[str, float]
    skills: tuple[SkillView, ...]
    broken: tuple[str, ...]
    looks: tuple[Look, ...]
    ended: Mapping[int, Ended]
    rewards: tuple[RewardView, ...]
    execution: tuple[str, ...]
    events: tuple[Line, ...]
    events_dropped: int
    lost: Mapping[NodeName, str]
    blind: Mapping[str, Blind]
    kernel: str
    running: str
    locate_left: int
    tools: tuple[str, ...]
    settings: Settings

    @property
    def task(self) -> TaskState | None:
        """The task that is active or verifying."""
        return self.mission.current_task


def allowed_tools(state: ReasonerState) -> tuple[str, ...]:
    """The tools that make sense now, by state and by what this deployment has."""
    tools = ["emit_prompt", "wait", "locate_in_view", "recall_object"]
    mission = state.active_mission
    task = mission.current_task if mission else None
    if mission is not None and task is not None and state.attempt is None:
        deep = task.depth >= state.settings.max_subdivide_depth
        if not mission.decomposed or (task.phase is TaskPhase.ACTIVE and not deep):
            tools.append("decompose_mission")
        if mission.decomposed and state.palette.skills:
            tools.append("execute_rskill")
    optional = (*get_args(ServedTool), "resolve_place", "memory_write", "memory_search")
    return (*tools, *(tool for tool in optional if tool in state.services))


def view(state: ReasonerState, now: float) -> ContextView:
    """The state as a brain may see it."""
    mission = state.active_mission
    assert mission is not None
    attempt = state.attempt
    running = attempt is not None and attempt.phase in (
        AttemptPhase.STARTING,
        AttemptPhase.RUNNING,
    )
    return ContextView(
        now=now,
        robot=state.robot,
        mission=mission,
        in_view=tuple(rounded(s) for s in state.scene.in_view(now)),
        located=tuple(rounded(s) for s in state.scene.located(now)),
        view_ages=state.scene.view_ages(now),
        skills=tuple(
            SkillView(name, m.description, tuple(m.params.fields), m.params.summary())
            for name, m in state.palette.skills.items()
        ),
        broken=state.palette.broken,
        looks=tuple(state.looks),
        ended=dict(state.ended),
        rewards=tuple(
            RewardView(c.critic_id, c.latest, c.latest_success, c.stage) for c in attempt.watch
        )
        if attempt
        else (),
        execution=tuple(state.execution),
        events=state.log.pending(),
        events_dropped=state.log.dropped,
        lost=dict(state.lost),
        blind=dict(state.blind),
        kernel=state.kernel.state if state.kernel else "unknown",
        running=attempt.trace_id if attempt is not None and running else "",
        locate_left=state.locate_budget.left,
        tools=allowed_tools(state),
        settings=state.settings,
    )


def render(context: ContextView, max_chars: int) -> str:
    """The context as text of at most `max_chars` characters.

    Where it is too long, the oldest events and execution lines go first and the text says how many.
    """
    events, execution = list(context.events), list(context.execution)
    dropped = context.events_dropped
    while True:
        text = _text(context, events, execution, dropped)
        if len(text) <= max_chars:
            return text
        if events:
            events.pop(0)
            dropped += 1
        elif execution:
            execution.pop(0)
        else:
            return text[: max_chars - 15] + "\n(cut to size)"


def _text(
    context: ContextView, events: Sequence[Line], execution: Sequence[str], dropped: int
) -> str:
    lines = ["## ROBOT", *_robot(context), "", "## MISSION", *_mission(context), ""]
    lines += ["## SEEN (camera pixels, no 3D)", *_seen(context), ""]
    lines += ["## SKILLS", *_skills(context), ""]
    lines += ["## EXECUTION", *(execution or ["no skill has run"]), ""]
    lines += ["## REWARD", *_reward(context), ""]
    lines += ["## EVENTS since the last decision"]
    if dropped:
        lines.append(f"({dropped} older ones left out)")
    lines += [_event(line, context.now) for line in events] or ["none"]
    return "\n".join(lines)


def _robot(context: ContextView) -> list[str]:
    lines = [f"{context.robot}, safety kernel {context.kernel}"]
    lines += [f"not answering: {node} ({why})" for node, why in context.lost.items()]
    lines += [no_images(camera, blind.reason) for camera, blind in context.blind.items()]
    return lines


def _mission(context: ContextView) -> list[str]:
    mission = context.mission
    lines = [f"goal (operator's words): {mission.goal}"]
    if not mission.decomposed:
        lines.append("not decomposed yet")
        return lines
    for task in mission.tasks:
        progress = "" if task.progress is None else f", progress {task.progress:.2f}"
        reason = f", {task.reason}" if task.reason else ""
        lines.append(
            f"{task.task_id}. [{task.phase.value}] {task.text} (object_ref {task.object_ref}, "
            f"{task.attempts} tries{progress}{reason})"
        )
    return lines


def _seen(context: ContextView) -> list[str]:
    lines = []
    for camera, age in context.view_ages.items():
        objects = ", ".join(
            f"#{s.seen.det_id} {s.seen.label} @px({s.seen.centre[0]:.0f},{s.seen.centre[1]:.0f})"
            for s in context.in_view
            if s.camera == camera
        )
        stale = f" (STALE, {age:.1f} s old)" if age > context.settings.in_view_max_age_s else ""
        lines.append(f"in_view[{camera}]{stale}: {objects or 'nothing'}")
    for camera in dict.fromkeys(s.camera for s in context.located):
        objects = ", ".join(
            f"{s.seen.label}{f' (asked as {s.query})' if s.query not in ('', s.seen.label) else ''}"
            f" @px({s.seen.centre[0]:.0f},{s.seen.centre[1]:.0f}) {s.age_s:.1f} s ago"
            for s in context.located
            if s.camera == camera
        )
        lines.append(f"located[{camera}] (authoritative over in_view): {objects}")
    lines += [look_line(look) for look in context.looks[-4:]]
    return lines or ["nothing has been seen yet"]


def _skills(context: ContextView) -> list[str]:
    lines = [f"{s.rskill_id} {s.params}: {s.description}" for s in context.skills]
    lines += [f"{name}: broken, not to be chosen" for name in context.broken]
    return lines or ["none"]


def _reward(context: ContextView) -> list[str]:
    lines = []
    for reward in context.rewards:
        progress = "unknown" if reward.progress is None else f"{reward.progress:.2f}"
        success = "unknown" if reward.success is None else f"{reward.success:.2f}"
        lines.append(
            f"{reward.critic_id}: progress {progress}, success {success}, stage {reward.stage}"
        )
    return lines or ["no attempt is being scored"]


def _event(line: Line, now: float) -> str:
    times = f" ({line.times} times)" if line.times > 1 else ""
    return f"{max(0.0, now - line.at):.1f} s ago: {line.text}{times}"

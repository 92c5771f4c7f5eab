"""Turns the system's messages into the plain data of `observed`, with words fit for a terminal."""

from __future__ import annotations

from openral_msgs.msg import (
    CriticScore,
    FailureTrigger,
    KernelStatus,
    MissionState,
    Prompt,
    SkillState,
    TaskState,
)

from openral.cli.observed import Failure, Kernel, Mission, Said, Score, Skill, Task
from openral.ros.names import KERNEL_STATE, MISSION_STATE, SEVERITY, SKILL_STATE, TASK_STATE
from openral.ros.stamp import seconds
from openral.terminal_text import printable


def task(message: TaskState) -> Task:
    """One subtask."""
    return Task(
        object_ref=printable(message.object_ref),
        text=printable(message.text),
        state=TASK_STATE.shown(message.state),
        attempts=int(message.attempts),
        progress=float(message.progress),
        verdict=printable(message.verdict),
        reason=printable(message.reason),
        elapsed_s=float(message.elapsed_s),
    )


def mission(message: MissionState, heard_at: float) -> Mission:
    """The mission queue."""
    return Mission(
        heard_at=heard_at,
        mission_id=printable(message.mission_id),
        goal=printable(message.goal),
        state=MISSION_STATE.shown(message.state),
        tasks=tuple(task(one) for one in message.tasks),
        current=int(message.current),
        model_calls=int(message.model_calls),
        brain=printable(message.brain),
        message=printable(message.message),
    )


def kernel(message: KernelStatus) -> Kernel:
    """The safety kernel."""
    return Kernel(
        state=KERNEL_STATE.shown(message.state),
        epoch=int(message.epoch),
        reason=printable(message.reason),
        message=printable(message.message),
        unmet=tuple(printable(one) for one in message.unmet),
        admitted=int(message.chunks_admitted),
        refused=int(message.chunks_refused),
        stops=int(message.stops),
        commands=int(message.commands),
        late_ticks=int(message.late_ticks),
        tick_rate=float(message.tick_rate),
    )


def skill(message: SkillState) -> Skill:
    """The running rSkill."""
    return Skill(
        state=SKILL_STATE.shown(message.state),
        skill_id=printable(message.skill_id),
        task=printable(message.task),
        stage=printable(message.stage),
        progress=float(message.progress),
        chunk_index=int(message.chunk_index),
        reason=printable(message.reason),
    )


def score(message: CriticScore, heard_at: float) -> Score:
    """One reward."""
    return Score(
        heard_at=heard_at,
        score=float(message.score),
        threshold=float(message.threshold),
        floor=float(message.floor),
        stage=printable(message.stage),
        task=printable(message.task),
    )


def said(message: Prompt, heard_at: float) -> Said:
    """One `say` line."""
    return Said(
        heard_at=heard_at,
        stamp=seconds(message.header.stamp),
        kind=printable(message.kind) or "info",
        text=printable(message.text),
        trace_id=printable(message.trace_id),
    )


def failure(message: FailureTrigger, layer: str, heard_at: float) -> Failure:
    """One failure."""
    return Failure(
        heard_at=heard_at,
        layer=layer,
        severity=SEVERITY.shown(message.severity),
        kind=printable(message.kind),
        message=printable(message.message),
    )

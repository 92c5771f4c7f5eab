"""Which goals are taken. What a client can get wrong is refused here, before anything moves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from openral.errors import InputError
from openral.names import TRACE_ID_CHARS
from openral.rskill import ScriptedManifest

ID_CHARS = 64
PROMPT_CHARS = 4096
"""Texts of a goal are repeated in every state and failure message, so they have a length."""
PATIENCE_MAX_S = 3600.0


class GoalRefusedError(InputError):
    """A goal that cannot be run; says expected and got."""


class GoalFields(Protocol):
    """Of `ExecuteRskill.Goal`."""

    rskill_id: str
    prompt: str
    params_json: str
    patience_s: float
    deadline_s: float
    trace_id: str


@dataclass(frozen=True)
class Admitted:
    """A goal that may run.

    Attributes:
        manifest: Of its rSkill.
        params: As the manifest's schema has checked them.
        deadline_s: [s] that it may take.
        patience_s: [s] that it may get nowhere.
    """

    manifest: ScriptedManifest
    params: Mapping[str, Any]
    deadline_s: float
    patience_s: float


def admit(
    goal: GoalFields, skills: Mapping[str, ScriptedManifest], unfit: Mapping[str, str]
) -> Admitted:
    """The goal, checked whole.

    Args:
        goal: As it came.
        skills: What runs here, by id.
        unfit: Why other rSkills do not, by id.

    Raises:
        GoalRefusedError: If a text is too long, the rSkill does not run here, or a time is out of
            its range.
        ParamsError: If the parameters do not fit the rSkill's schema.
    """
    _short("rskill_id", goal.rskill_id, ID_CHARS)
    _fits("trace_id", goal.trace_id, TRACE_ID_CHARS)
    _short("prompt", goal.prompt, PROMPT_CHARS)
    valid = ", ".join(sorted(skills)) or "none"
    if goal.rskill_id in unfit:
        raise GoalRefusedError(
            f"an rSkill that runs here: {valid}",
            f"'{goal.rskill_id}', which {unfit[goal.rskill_id]}",
        )
    manifest = skills.get(goal.rskill_id)
    if manifest is None:
        raise GoalRefusedError(f"an rSkill that runs here: {valid}", f"unknown '{goal.rskill_id}'")
    deadline = _seconds("deadline_s", goal.deadline_s, manifest.deadline_max_s)
    patience = _seconds("patience_s", goal.patience_s, PATIENCE_MAX_S)
    return Admitted(
        manifest,
        manifest.params.parse(goal.params_json),
        deadline or manifest.deadline_s,
        patience or manifest.patience_s,
    )


def _short(name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise GoalRefusedError(f"{name} of at most {most} characters", f"{len(text)}")


def _fits(name: str, text: str, most: int) -> None:
    """As `_short`, for what every chunk carries: ROS bounds a text in a message in bytes."""
    _short(name, text, most)
    size = len(text.encode(errors="replace"))
    if size > most:
        raise GoalRefusedError(f"{name} of at most {most} bytes in UTF-8", f"{size}")


def _seconds(name: str, value: float, most: float) -> float:
    if not math.isfinite(value) or not 0.0 <= value <= most:
        raise GoalRefusedError(f"{name} in [0, {most:g}] s, 0 = the manifest's", f"{value}")
    return value

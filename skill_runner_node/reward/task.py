"""What an attempt is about, read from the runner's state."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass

from openral.errors import InputError


@dataclass(frozen=True)
class Task:
    """One object that is to be somewhere else.

    Attributes:
        target: Label of the object.
        container: Label of the container; empty where it goes onto the table.
        position: [m] x, y on the table; None where it goes into a container.
    """

    target: str
    container: str
    position: tuple[float, float] | None


def task_of(params_json: str) -> Task:
    """The task of a goal's parameters.

    Raises:
        InputError: If they are not those of a pick-and-place.
    """
    expected = "parameters with 'object' and 'container' or 'position'"
    try:
        params = json.loads(params_json or "{}")
    except (ValueError, RecursionError):
        raise InputError(expected, "text that is not JSON") from None
    if not isinstance(params, dict):
        raise InputError(expected, type(params).__name__)
    target, container = params.get("object"), params.get("container")
    position = params.get("position")
    if not isinstance(target, str) or not target:
        raise InputError(expected, f"object = {str(target)[:80]!r}")
    if isinstance(container, str) and container:
        return Task(target, container, None)
    if isinstance(position, list) and len(position) == 2 and all(map(_is_number, position)):
        return Task(target, "", (float(position[0]), float(position[1])))
    raise InputError(expected, f"container = {str(container)[:80]!r}, position = {position!r}")


def _is_number(value: object) -> bool:
    """Whether it fits a float: JSON also holds NaN, infinities and whole numbers of any length."""
    return isinstance(value, (int, float)) and -sys.float_info.max <= value <= sys.float_info.max

"""Asks the referee, a process of its own, what lies in the basket by the robot's record."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openral.bringup import installed
from openral.errors import InputError, OpenralError
from openral.terminal_text import printable

TIMEOUT_S = 60.0


class RefereeError(OpenralError):
    """The referee gave no judgement."""


@dataclass(frozen=True)
class Judgement:
    """One object's end by the strict rule.

    Attributes:
        label: Of the object.
        inside_footprint: Its centre is within the basket, seen from above.
        below_rim: Its centre is lower than the rim.
        in_basket: Both.
        moved: Distance between its first and last place [m].
    """

    label: str
    inside_footprint: bool
    below_rim: bool
    in_basket: bool
    moved: float


def judge(record: Path) -> tuple[Judgement, ...]:
    """The referee's judgement of every object.

    Raises:
        RefereeError: If it did not run, did not end or said something else.
    """
    command = [str(installed.executable("openral", "referee")), str(record), "--json"]
    try:
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RefereeError(f"the referee did not run: {error}") from None
    try:
        return parse(done.stdout)
    except InputError as error:
        said = (done.stderr.strip().splitlines() or [str(error)])[-1]
        raise RefereeError(f"the referee gave no judgement: {said}") from None


def parse(text: str) -> tuple[Judgement, ...]:
    """Reads the referee's JSON.

    Raises:
        InputError: If it is not what the referee writes.
    """
    try:
        objects = json.loads(text)["objects"]
        return tuple(
            Judgement(
                label=printable(label),
                inside_footprint=_truth(one["inside_footprint"]),
                below_rim=_truth(one["below_rim"]),
                in_basket=_truth(one["in_basket"]),
                moved=float(one["moved"]),
            )
            for label, one in sorted(objects.items())
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError("the referee's JSON with 'objects'", f"{error!r}") from None


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is no truth value")
    return value


def in_basket(judgements: Sequence[Judgement]) -> frozenset[str]:
    """Labels that lie in the basket."""
    return frozenset(one.label for one in judgements if one.in_basket)

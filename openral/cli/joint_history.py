"""Reads the joints' motion from the simulated robot's record."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openral.errors import InputError


@dataclass(frozen=True)
class JointHistory:
    """Motion over time.

    Attributes:
        names: Joints, shape (n,).
        t: Monotonic time [s], shape (m,).
        position: [rad], gripper joints [m], shape (m, n).
        velocity: [rad/s], gripper joints [m/s], shape (m, n).
    """

    names: tuple[str, ...]
    t: NDArray[np.float64]
    position: NDArray[np.float64]
    velocity: NDArray[np.float64]


def read_joint_history(lines: Iterable[str], every: int = 5) -> JointHistory:
    """Takes each `every`-th line of a record.

    Raises:
        InputError: If the header or a line is not a record's.
    """
    rows = iter(lines)
    try:
        names = tuple(str(name) for name in json.loads(next(rows))["joints"])
    except (StopIteration, ValueError, KeyError, TypeError) as error:
        raise InputError("a record whose header names 'joints'", repr(error)) from None
    t, position, velocity = [], [], []
    for number, line in enumerate(rows):
        if number % every or not line.endswith("\n"):
            continue
        try:
            row = json.loads(line)
            t.append(float(row["t_mono"]))
            position.append([float(value) for value in row["q"]])
            velocity.append([float(value) for value in row["qd"]])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError("a record's line", f"line {number + 2}: {error!r}") from None
    shape = (len(t), len(names))
    try:
        return JointHistory(
            names,
            np.asarray(t, dtype=np.float64),
            np.asarray(position, dtype=np.float64).reshape(shape),
            np.asarray(velocity, dtype=np.float64).reshape(shape),
        )
    except ValueError as error:
        raise InputError(f"{len(names)} joints in every line", str(error)) from None

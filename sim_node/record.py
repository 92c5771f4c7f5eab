"""The referee's record: what was true, one JSON object a line, never on a topic.

The first line is the header (`RecordHeader`), every other a sample (`Sample`): at a fixed rate, and
at every physics step from a lapse of the lease until the arm rests (`fine_steps`). A line is one
write: a reader, or a kill, never sees half of one.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from openral.errors import ConfigError

Pose = Annotated[
    tuple[float, float, float, float, float, float, float],
    Field(description="x, y, z [m], qw, qx, qy, qz"),
]


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class BasketGeometry(_Line):
    """Size of the basket [m]: inner width in x and y, height of the rim over its foot."""

    inner: float = Field(gt=0.0)
    rim: float = Field(gt=0.0)


class RecordHeader(_Line):
    """What does not change during a run."""

    seed: int
    joints: tuple[str, ...]
    objects: tuple[str, ...]
    basket: BasketGeometry | None


class CommandInForce(_Line):
    """Which motor command the robot obeyed."""

    sequence: int
    epoch: int


class Sample(_Line):
    """The world at one time.

    Attributes:
        t_mono: steady clock [s], comparable between processes of one machine.
        t_ros: ROS clock [s].
        q, qd: joints, in the header's order [rad, rad/s], the finger [m, m/s].
        cmd: the command in force.
        lease: whether there is one.
        objects: pose of every object's centre by label.
        basket: pose of the basket's foot.
    """

    t_mono: float
    t_ros: float
    q: tuple[float, ...]
    qd: tuple[float, ...]
    cmd: CommandInForce | None
    lease: Literal["ok", "lapsed"]
    objects: dict[str, Pose]
    basket: Pose | None


class Recorder:
    """Appends to a new record file.

    Raises:
        ConfigError: the file cannot be made.
    """

    def __init__(self, path: Path, header: RecordHeader) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, flags, 0o644)
        except OSError as error:
            raise ConfigError(f"record_path {path}: cannot be written: {error.strerror}") from error
        self._line(header.model_dump())

    def write(self, sample: Sample) -> None:
        """Append one sample."""
        self._line(sample.model_dump())

    def close(self) -> None:
        """No more samples."""
        os.close(self._file)

    def _line(self, fields: dict[str, object]) -> None:
        line = json.dumps(fields, separators=(",", ":"), allow_nan=False)
        os.write(self._file, line.encode() + b"\n")

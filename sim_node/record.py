"""The referee's record: what was true, one JSON object a line, never on a topic.

The first line is the header (`RecordHeader`), every other a sample (`Sample`): at a fixed rate, and
at every physics step from a lapse of the lease until the arm rests (`fine_steps`). A line is one
write: a kill never leaves half of one. What could not be written, or not within the file's largest
size, the header counts.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
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
    """What does not change during a run, and how many samples it lacks for want of room."""

    seed: int
    joints: tuple[str, ...]
    objects: tuple[str, ...]
    basket: BasketGeometry | None
    lost: int = Field(0, ge=0)


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


FULL = "record_size_max_mb is reached"
"""Why a record ended that is as large as it may become."""


class Recorder:
    """Writes a new record file; what the disk does not take is lost and counted, not raised.

    The count stands in the header in a field of fixed width and is overwritten in place, which
    needs no room: a gap shows even where the disk stays full until the end.

    Args:
        path: Of the file; its folders are made.
        header: What does not change.
        retry_s: [s] of the samples' steady clock between two attempts once one has failed.
        size_max: Largest size [bytes]: at the first sample that would pass it the record ends.

    Attributes:
        lost: Samples that could not be written.
        problem: Why the newest could not; empty = it could.

    Raises:
        ConfigError: the file cannot be made, or does not take its header.
    """

    def __init__(self, path: Path, header: RecordHeader, *, retry_s: float, size_max: int) -> None:
        self.lost = 0
        self.problem = ""
        self._retry_s = retry_s
        self._retry_at = 0.0
        self._size_max = size_max
        self._end = 0
        before, after = _header_line(header)
        self._count_at = len(before)
        self._marked = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        except OSError as error:
            raise ConfigError(f"record_path {path}: cannot be written: {error.strerror}") from error
        try:
            self._append(before + _count(0) + after)
        except OSError as error:
            os.close(self._file)
            raise ConfigError(f"record_path {path}: cannot be written: {error.strerror}") from error

    def write(self, sample: Sample) -> None:
        """Append one sample, or count it as lost."""
        if self.problem and sample.t_mono < self._retry_at:
            self.lost += 1
            return
        try:
            # First, or a record with a gap would look whole.
            self._mark()
            if self.problem:
                os.ftruncate(self._file, self._end)
            line = _line(sample.model_dump())
            if self._end + len(line) > self._size_max:
                raise OSError(errno.EFBIG, FULL)
            self._append(line)
        except OSError as error:
            self.lost += 1
            self.problem = error.strerror or str(error)
            # A shorter sample that still fits would only hide where the record ends.
            full = self.problem == FULL
            self._retry_at = math.inf if full else sample.t_mono + self._retry_s
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._end)
            with contextlib.suppress(OSError):
                self._mark()
        else:
            self.problem = ""

    def close(self) -> None:
        """No more samples."""
        with contextlib.suppress(OSError):
            self._mark()
        os.close(self._file)

    def _mark(self) -> None:
        if self._marked != self.lost:
            _write_all(self._file, _count(self.lost), self._count_at)
            self._marked = self.lost

    def _append(self, line: bytes) -> None:
        _write_all(self._file, line, self._end)
        self._end += len(line)


def _header_line(header: RecordHeader) -> tuple[bytes, bytes]:
    """What stands before and after the count."""
    fixed = _line(header.model_dump(exclude={"lost"}))
    return fixed.removesuffix(b"}\n") + b',"lost":', b"}\n"


def _count(lost: int) -> bytes:
    return b"%10d" % lost


def _line(fields: dict[str, object]) -> bytes:
    return json.dumps(fields, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _write_all(file: int, data: bytes, at: int) -> None:
    """A disk that fills up takes a part, and says why at the rest."""
    while data:
        written = os.pwrite(file, data, at)
        data, at = data[written:], at + written

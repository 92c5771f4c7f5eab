"""The folder of one run, `runs/<YYYYmmdd-HHMMSS>/`: everything that a run leaves behind."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True)
class RunFolder:
    """Paths of one run; `path` is absolute."""

    path: Path

    @property
    def trace(self) -> Path:
        """The reasoner's decisions, JSON lines."""
        return self.path / "trace.jsonl"

    @property
    def say(self) -> Path:
        """What the reasoner said, JSON lines."""
        return self.path / "say.jsonl"

    @property
    def record(self) -> Path:
        """The simulated robot's ground truth, for the referee, JSON lines."""
        return self.path / "record.jsonl"

    @property
    def frames(self) -> Path:
        """Annotated camera images."""
        return self.path / "frames"

    @property
    def plot(self) -> Path:
        """Reward and joint motion over time."""
        return self.path / "reward_and_joints.png"

    @property
    def clip(self) -> Path:
        """The annotated front camera as a short film."""
        return self.path / "clip.mp4"

    @property
    def summary(self) -> Path:
        """The closing table as JSON."""
        return self.path / "summary.json"

    @property
    def logs(self) -> Path:
        """One log a process."""
        return self.path / "logs"

    @property
    def supervisor(self) -> Path:
        """The supervisor's configuration, pid file and the parameters that it set."""
        return self.path / "supervisor"


def create(base: Path, now: datetime) -> RunFolder:
    """Makes the folder of a run that begins at `now`, and points `<base>/latest` to it.

    Raises:
        OSError: If the folder cannot be written, or the disk is full.
    """
    base = base.resolve()
    name = now.strftime("%Y%m%d-%H%M%S")
    try:
        base.mkdir(parents=True, exist_ok=True)
        path = _first_free(base, name)
        folder = RunFolder(path)
        for part in (folder.frames, folder.logs, folder.supervisor):
            part.mkdir()
        _point_latest(base, path.name)
    except OSError as error:
        why = f"run folder {base / name} cannot be made: {error.strerror}"
        raise OSError(error.errno, why) from None
    return folder


def _first_free(base: Path, name: str) -> Path:
    """Two runs may begin within one second: the second takes `<name>-2`."""
    for number in range(1, 1000):
        path = base / (name if number == 1 else f"{name}-{number}")
        try:
            path.mkdir()
            return path
        except FileExistsError:
            continue
    raise FileExistsError(errno.EEXIST, "1000 runs in this second", str(base / name))


def _point_latest(base: Path, name: str) -> None:
    temporary = base / f".latest-{os.getpid()}"
    temporary.unlink(missing_ok=True)
    temporary.symlink_to(name, target_is_directory=True)
    temporary.replace(base / "latest")

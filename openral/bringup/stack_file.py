"""Remembers which stack `openral up` started in which ROS domain: `openral stop` finds it."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from openral.bringup.session import Leader, members
from openral.errors import ConfigError


class StackNote(BaseModel):
    """One started stack.

    Attributes:
        kind: What runs it.
        pid: Of the supervisor, or of `ros2 launch`; it leads a session of its own.
        start_ticks: The process's start by the kernel's clock: a process id may be given anew.
        pid_space: What `pid` and `start_ticks` are counted in (`pid_space`).
        folder: Its run folder.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["supervisor", "launch"]
    pid: int = Field(gt=1)
    start_ticks: int = Field(ge=0)
    pid_space: str
    folder: Path

    @property
    def leader(self) -> Leader:
        """The process that was noted."""
        return Leader(self.pid, self.start_ticks)

    @property
    def runs(self) -> bool:
        """True while a process of it lives: the nodes of a killed `ros2 launch` live on."""
        if self.pid_space != pid_space():
            return False
        return self.leader.lives or bool(members(self.leader))


def pid_space() -> str:
    """Boot and PID namespace that we are in: elsewhere a process id is another process's."""
    parts = []
    with suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip())
    with suppress(OSError):
        parts.append(str(Path("/proc/self/ns/pid").readlink()))
    return " ".join(parts)


def note_path(domain: int) -> Path:
    """Where the note of a domain lies; in a folder of this user's own.

    Raises:
        ConfigError: If somebody else made that folder.
    """
    folder = Path(tempfile.gettempdir(), f"openral-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise ConfigError(f"{folder} belongs to another user: remove it, or set TMPDIR")
    return folder / f"domain-{domain}.json"


def write(domain: int, kind: Literal["supervisor", "launch"], pid: int, folder: Path) -> None:
    """Notes the stack of a domain."""
    note = StackNote(
        kind=kind,
        pid=pid,
        start_ticks=Leader.of(pid).start_ticks,
        pid_space=pid_space(),
        folder=folder,
    )
    path = note_path(domain)
    temporary = path.with_suffix(f".{os.getpid()}")
    temporary.write_text(note.model_dump_json(), encoding="utf-8")
    temporary.replace(path)


@contextmanager
def alone(domain: int) -> Iterator[None]:
    """While it is held nobody else starts a stack in `domain`; the lock ends with the process.

    Raises:
        ConfigError: If a stack runs in this domain already, or another one is being started.
    """
    with note_path(domain).with_suffix(".lock").open("wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held = True
        except BlockingIOError:
            held = False
        running = read(domain)
        if running is not None:
            raise ConfigError(
                f"a system runs already in ROS domain {domain} (run folder {running.folder}): "
                "`openral stop` ends it"
            )
        if not held:
            raise ConfigError(
                f"another system is started or runs in ROS domain {domain}: "
                "end it, or choose another ROS_DOMAIN_ID"
            )
        yield


def read(domain: int) -> StackNote | None:
    """The stack of a domain, or None where none that `openral up` started runs."""
    try:
        note = StackNote.model_validate_json(note_path(domain).read_bytes())
    except (OSError, ValidationError):
        return None
    return note if note.runs else None


def remove(domain: int) -> None:
    """Forgets the stack of a domain."""
    note_path(domain).unlink(missing_ok=True)

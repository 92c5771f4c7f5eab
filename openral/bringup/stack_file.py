"""Remembers which stack `openral up` started in which ROS domain: `openral stop` finds it."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
        folder: Its run folder.
        boot_id: Of the boot that it was started in; None = not known, or an older version's note.
        pid_namespace: That `pid` is counted in; None as above.
    """

    # What another version notes besides is no reason to take its system for none.
    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: Literal["supervisor", "launch"]
    pid: int = Field(gt=1)
    start_ticks: int = Field(ge=0)
    folder: Path
    boot_id: str | None = None
    pid_namespace: str | None = None

    @property
    def leader(self) -> Leader:
        """The process that was noted."""
        return Leader(self.pid, self.start_ticks)

    @property
    def elsewhere(self) -> bool:
        """True if it is of another PID namespace: its `pid` is here another process's, or none."""
        return self.pid_namespace is not None and self.pid_namespace != pid_namespace()

    @property
    def runs(self) -> bool:
        """True while a process of it lives: the nodes of a killed `ros2 launch` live on.

        True, too, for one that is `elsewhere` since this boot: whether it lives cannot be seen.
        """
        now = boot_id()
        if None not in (self.boot_id, now) and self.boot_id != now:
            return False
        return self.elsewhere or self.leader.lives or bool(members(self.leader))


def boot_id() -> str | None:
    """The boot that we are in, by random(4); None where it cannot be told."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return None


def pid_namespace() -> str | None:
    """What our process ids are counted in, by pid_namespaces(7); None where it cannot be told."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return None


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


def write(domain: int, kind: Literal["supervisor", "launch"], pid: int, folder: Path) -> StackNote:
    """Notes the stack of a domain, and returns what it noted."""
    note = StackNote(
        kind=kind,
        pid=pid,
        start_ticks=Leader.of(pid).start_ticks,
        folder=folder,
        boot_id=boot_id(),
        pid_namespace=pid_namespace(),
    )
    path = note_path(domain)
    temporary = path.with_suffix(f".{os.getpid()}")
    temporary.write_text(note.model_dump_json(), encoding="utf-8")
    temporary.replace(path)
    return note


@contextmanager
def alone(domain: int) -> Iterator[None]:
    """While it is held nobody else starts a stack in `domain`; the lock ends with the process.

    Raises:
        ConfigError: If a stack runs in this domain already, here or in another container, or
            another one is being started.
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
                in_another_container(domain, running)
                or f"a system runs already in ROS domain {domain} (run folder {running.folder}): "
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
    note = _noted(domain)
    return note if note is not None and note.runs else None


def in_another_container(domain: int, note: StackNote) -> str:
    """One line on a stack that nobody can see or end from here; empty for any other."""
    if not note.elsewhere:
        return ""
    return (
        f"the system of ROS domain {domain} runs in another container (run folder {note.folder}): "
        f"`openral stop` there ends it; if that container is gone, remove {note_path(domain)}"
    )


def remove(domain: int, note: StackNote) -> None:
    """Forgets a stack of a domain; does nothing where another one has been noted since."""
    if _noted(domain) == note:
        note_path(domain).unlink(missing_ok=True)


def _noted(domain: int) -> StackNote | None:
    try:
        return StackNote.model_validate_json(note_path(domain).read_bytes())
    except (OSError, ValidationError):
        return None

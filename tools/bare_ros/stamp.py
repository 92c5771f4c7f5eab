"""The stamp that says what a finished virtual environment was made from."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path

STAMP_NAME = "openral-setup.json"


class Work(Enum):
    """What has to be done to the virtual environment."""

    NOTHING = "nothing"
    SCRIPTS = "write the scripts"
    UPDATE = "update"
    MAKE_NEW = "make new"


@dataclass(frozen=True)
class Stamp:
    """Everything that the content of the virtual environment depends on."""

    venv: str
    python: str
    repairs: str
    """SHA-256 of the code that repairs the wheels."""
    lock: str
    """SHA-256 of the lock file."""
    scripts: str = ""
    """SHA-256 of the scripts to source and run, and of what writes them."""


def wanted_stamp(venv: Path, lock: Path, repair_code: Path, scripts: Sequence[Path]) -> Stamp:
    """The stamp that an environment made now would get."""
    return Stamp(
        venv=str(venv),
        python=f"{sys.base_prefix} {sys.version}",
        repairs=_sha256(repair_code),
        lock=_sha256(lock),
        scripts=_sha256(*scripts),
    )


def read_stamp(venv: Path) -> Stamp | None:
    """The stamp of `venv`; None if there is none or it cannot be read."""
    try:
        return Stamp(**json.loads((venv / STAMP_NAME).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def remove_stamp(venv: Path) -> None:
    """Marks `venv` as unfinished."""
    (venv / STAMP_NAME).unlink(missing_ok=True)


def write_stamp(venv: Path, stamp: Stamp) -> None:
    """Marks `venv` as finished, in one step that cannot be half done."""
    draft = venv / f"{STAMP_NAME}.draft"
    draft.write_text(json.dumps(asdict(stamp), indent=1) + "\n", encoding="utf-8")
    draft.replace(venv / STAMP_NAME)


def work_to_do(found: Stamp | None, wanted: Stamp) -> Work:
    """What brings an environment with the stamp `found` to `wanted`.

    Other scripts are written over the old ones, and another lock alone is installed
    over the old one, which keeps what the user added. Anything else, an interrupted
    set-up too, needs a new environment: a repair cannot be taken back and a
    half-written package cannot be trusted.
    """
    if found == wanted:
        return Work.NOTHING
    if found is None or (found.venv, found.python, found.repairs) != (
        wanted.venv,
        wanted.python,
        wanted.repairs,
    ):
        return Work.MAKE_NEW
    return Work.SCRIPTS if found.lock == wanted.lock else Work.UPDATE


def _sha256(*paths: Path) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()

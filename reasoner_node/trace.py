"""The run as JSON lines: every input of the core with what it led to, in one file.

A line is written whole or, after a crash, is the last of that life and cut: readers skip it and say
so. Each life of the node begins with a header. No key reaches the file.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from openral.errors import ConfigError, InputError
from openral.llm.redaction import redact

FORMAT = 4
LOST = "lost"
"""Kind of a record that stands for others which could not be written; `records` says how many."""


def encode(record: Mapping[str, Any]) -> str:
    """One record as one line without its end.

    Keys keep their order, which the manifests' parameters need and the core gives always alike.
    """
    return redact(json.dumps(record, separators=(",", ":"), ensure_ascii=False))


class TraceFullError(OSError):
    """The trace has its largest size."""


class TraceFile:
    """Appends records; not for two writers at once.

    Args:
        path: Of the file; its folders are made.
        size_max: Largest size [bytes], what earlier lives wrote included.

    Raises:
        ConfigError: The file cannot be opened for appending.
    """

    def __init__(self, path: Path, size_max: int) -> None:
        self._size_max = size_max
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            self._end_cut_line()
        except OSError as error:
            raise ConfigError(
                f"parameter 'trace_path' = {str(path)!r}: valid is a file that can be written "
                f"({error.strerror})"
            ) from None

    def append(self, line: str, *, durable: bool, mark: bool = False) -> None:
        """Writes a record's line with a single write; `durable` waits until it is on the disk.

        A `mark`, which says what is missing, is written beyond the largest size too.

        Raises:
            TraceFullError: The line would pass the largest size.
            OSError: The disk is full or gone.
        """
        data = (line + "\n").encode("utf-8", errors="replace")
        begun = os.fstat(self._file).st_size
        if begun + len(data) > self._size_max and not mark:
            raise TraceFullError(errno.EFBIG, "trace_size_max_mb is reached, and the trace ends")
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError:
            # Half a line would make one that follows unreadable.
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, begun)
            raise
        if durable:
            os.fsync(self._file)

    def close(self) -> None:
        """Flushes and closes.

        Raises:
            OSError: The disk is full or gone.
        """
        try:
            os.fsync(self._file)
        finally:
            os.close(self._file)

    def _end_cut_line(self) -> None:
        """An earlier life may have died within a line; what follows begins on one of its own."""
        size = os.fstat(self._file).st_size
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            os.write(self._file, b"\n")


def is_decision(record: Mapping[str, Any]) -> bool:
    """Whether a record has to be on the disk before anything else is written."""
    out = record.get("out", {})
    return record.get("in") == "reply" or bool(out.get("effects"))


def read_trace(path: Path) -> tuple[list[dict[str, Any]], int]:
    """All whole records of a trace, and how many cut lines were left out (the last of a life).

    Raises:
        InputError: The file cannot be read, or a line within a life is no record.
    """
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        raise InputError("a trace file", f"{path}: {error.strerror}") from None
    records: list[dict[str, Any]] = []
    cut, bad = 0, 0
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        record = _record(line)
        if bad and (record is None or record.get("in") != "header"):
            raise InputError("a JSON object in each line", f"line {bad} of {path.name}")
        if record is None:
            bad, cut = number, cut + 1
        else:
            bad = 0
            records.append(record)
    if bad and lines[-1] == "":
        # The file ends with a whole line, so that was no crash.
        raise InputError("a JSON object in each line", f"line {bad} of {path.name}")
    return records, cut


def _record(line: str) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None

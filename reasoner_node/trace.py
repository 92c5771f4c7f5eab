"""The run as JSON lines: every input of the core with what it led to, in one file.

A line is written whole or, after a crash, is the last and cut: readers skip it and say so. No key
reaches the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from openral.errors import ConfigError, InputError
from openral.llm.redaction import redact

FORMAT = 1


def encode(record: Mapping[str, Any]) -> str:
    """One record as one line without its end.

    Keys keep their order, which the manifests' parameters need and the core gives always alike.
    """
    return redact(json.dumps(record, separators=(",", ":"), ensure_ascii=False))


class TraceFile:
    """Appends records; not for two writers at once.

    Raises:
        ConfigError: The file cannot be opened for appending.
    """

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise ConfigError(
                f"parameter 'trace_path' = {str(path)!r}: valid is a file that can be written "
                f"({error.strerror})"
            ) from None

    def append(self, record: Mapping[str, Any], *, durable: bool) -> None:
        """Writes one line with a single write; `durable` waits until it is on the disk.

        Raises:
            OSError: The disk is full or gone.
        """
        data = (encode(record) + "\n").encode("utf-8", errors="replace")
        while data:
            data = data[os.write(self._file, data) :]
        if durable:
            os.fsync(self._file)

    def close(self) -> None:
        """Flushes and closes."""
        os.fsync(self._file)
        os.close(self._file)


def is_decision(record: Mapping[str, Any]) -> bool:
    """Whether a record has to be on the disk before anything else is written."""
    out = record.get("out", {})
    return record.get("in") == "reply" or bool(out.get("effects"))


def read_trace(path: Path) -> tuple[list[dict[str, Any]], int]:
    """All whole records of a trace, and how many cut lines were left out (at most the last).

    Raises:
        InputError: A line before the last is no record.
    """
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    records: list[dict[str, Any]] = []
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if isinstance(record, dict):
            records.append(record)
        elif number >= len(lines):
            return records, 1
        else:
            raise InputError("a JSON object in each line", f"line {number} of {path.name}")
    return records, 0

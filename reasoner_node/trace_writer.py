"""Writes the trace on a thread of its own: a disk that waits must not delay a timer."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from reasoner_node.trace import LOST, TraceFile, is_decision
from reasoner_node.workers import Mailbox, Worker


class TraceWriter:
    """Takes records in order; without a path it takes them and keeps nothing.

    What the disk refuses, and what comes while too much waits for it, is counted, told, and marked
    in the file at the next record that can be written.

    Args:
        path: The file; empty = none.
        max_waiting: Records that may wait for the disk.
        failed: Told of an error, on the writer's thread or the caller's.

    Raises:
        ConfigError: The file cannot be opened.
    """

    def __init__(self, path: str, max_waiting: int, failed: Callable[[Exception], None]) -> None:
        self._file = TraceFile(Path(path).expanduser()) if path else None
        self._max_waiting = max_waiting
        self._failed = failed
        self._lock = threading.Lock()
        self._waiting = 0
        self._refused = 0
        self._unwritten = 0
        self.lost = 0
        """Records that are not in the file."""
        self._worker: Worker[None] | None = (
            Worker("trace", Mailbox(_nobody), failed) if self._file else None
        )

    def __call__(self, record: Mapping[str, Any]) -> None:
        """Takes one record."""
        file = self._file
        if file is None or self._worker is None:
            return
        with self._lock:
            full = self._waiting >= self._max_waiting
            if full:
                self._refused += 1
                self.lost += 1
            else:
                self._waiting += 1
                refused_before, self._refused = self._refused, 0
        if full:
            self._failed(OSError(f"{self._max_waiting} records wait for the disk"))
            return
        self._worker.submit(lambda: self._write(file, record, refused_before), _ignore)

    def close(self, timeout_s: float) -> None:
        """Writes what is left, for at most `timeout_s` [s]."""
        if self._worker is None or self._file is None:
            return
        file, self._file = self._file, None
        self._worker.submit(lambda: _close(file), _ignore)
        self._worker.stop()
        self._worker.join(timeout_s)

    def _write(self, file: TraceFile, record: Mapping[str, Any], refused_before: int) -> None:
        with self._lock:
            self._waiting -= 1
        self._unwritten += refused_before
        try:
            if self._unwritten:
                file.append({"in": LOST, "records": self._unwritten}, durable=False)
                self._unwritten = 0
            file.append(record, durable=is_decision(record))
        except OSError:
            self._unwritten += 1
            self.lost += 1
            raise


def _close(file: TraceFile) -> None:
    # What could not be written was told when it happened.
    with contextlib.suppress(OSError):
        file.close()


def _nobody() -> None:
    """Nobody waits for the trace."""


def _ignore(_result: object) -> None:
    """A write has no result."""

"""Writes the trace on a thread of its own: a disk that waits must not delay a timer."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from reasoner_node.trace import LOST, TraceFile, TraceFullError, encode, is_decision
from reasoner_node.workers import Worker

MAX_WAITING_CHARS = 64_000_000
"""Of records that wait for the disk, together."""


class TraceWriter:
    """Takes records in order; without a path it takes them and keeps nothing.

    What the disk refuses, and what comes while too much waits for it, is counted, told, and marked
    in the file at the next record that can be written, at the latest when the file is closed. At
    its largest size the file ends for good: that is marked and told once.

    Args:
        path: The file; empty = none.
        max_waiting: Records that may wait for the disk; of `MAX_WAITING_CHARS` together.
        failed: Told of an error, on the writer's thread or the caller's.
        size_max: Largest size of the file [bytes].

    Raises:
        ConfigError: The file cannot be opened.
    """

    def __init__(
        self, path: str, max_waiting: int, failed: Callable[[Exception], None], *, size_max: int
    ) -> None:
        self._file = TraceFile(Path(path).expanduser(), size_max) if path else None
        self._full = False
        self._max_waiting = max_waiting
        self._failed = failed
        self._lock = threading.Lock()
        self._waiting = self._waiting_chars = 0
        self._refused = 0
        self._unwritten = 0
        self.lost = 0
        """Records that are not in the file."""
        self._worker: Worker[None] | None = Worker("trace", None, failed) if self._file else None

    def __call__(self, record: Mapping[str, Any]) -> None:
        """Takes one record."""
        file = self._file
        if file is None or self._worker is None:
            return
        line = encode(record)
        size = len(line)
        with self._lock:
            # One record may be larger than the bound: with nothing before it, it is written.
            too_large = self._waiting > 0 and self._waiting_chars + size > MAX_WAITING_CHARS
            full = self._waiting >= self._max_waiting or too_large
            if full:
                self._refused += 1
                self.lost += 1
            else:
                self._waiting += 1
                self._waiting_chars += size
                refused_before, self._refused = self._refused, 0
        if full:
            self._failed(OSError(f"{self._waiting} records wait for the disk"))
            return
        self._worker.submit(lambda: self._write(file, line, is_decision(record), refused_before))

    def close(self, timeout_s: float) -> None:
        """Writes what is left, for at most `timeout_s` [s]."""
        if self._worker is None or self._file is None:
            return
        file, self._file = self._file, None
        self._worker.submit(lambda: self._close(file))
        self._worker.stop()
        self._worker.join(timeout_s)

    def _write(self, file: TraceFile, line: str, durable: bool, refused_before: int) -> None:
        with self._lock:
            self._waiting -= 1
            self._waiting_chars -= len(line)
        self._unwritten += refused_before
        if self._full:
            self._miss()
            return
        try:
            self._mark(file)
            file.append(line, durable=durable)
        except OSError as error:
            self._miss()
            if isinstance(error, TraceFullError):
                # Whoever reads it after a kill has to see that it ended before.
                self._full = True
                with contextlib.suppress(OSError):
                    self._mark(file)
            raise

    def _miss(self) -> None:
        self._unwritten += 1
        self.lost += 1

    def _mark(self, file: TraceFile) -> None:
        if self._unwritten:
            file.append(encode({"in": LOST, "records": self._unwritten}), durable=False, mark=True)
            self._unwritten = 0

    def _close(self, file: TraceFile) -> None:
        with self._lock:
            self._unwritten += self._refused
            self._refused = 0
        # What could not be written was told when it happened.
        with contextlib.suppress(OSError):
            self._mark(file)
        with contextlib.suppress(OSError):
            file.close()

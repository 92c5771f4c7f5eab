"""Writes the trace on a thread of its own: a disk that waits must not delay a timer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from reasoner_node.trace import TraceFile, is_decision
from reasoner_node.workers import Mailbox, Worker


class TraceWriter:
    """Takes records in order; without a path it takes them and keeps nothing.

    Args:
        path: The file; empty = none.
        failed: Told of an error, on the writer's thread.

    Raises:
        ConfigError: The file cannot be opened.
    """

    def __init__(self, path: str, failed: Callable[[Exception], None]) -> None:
        self._file = TraceFile(Path(path).expanduser()) if path else None
        self._worker: Worker[None] | None = (
            Worker("trace", Mailbox(_nobody), failed) if self._file else None
        )

    def __call__(self, record: Mapping[str, Any]) -> None:
        """Takes one record."""
        file = self._file
        if file is None or self._worker is None:
            return
        durable = is_decision(record)
        self._worker.submit(lambda: file.append(record, durable=durable), _ignore)

    def close(self, timeout_s: float) -> None:
        """Writes what is left, for at most `timeout_s` [s]."""
        if self._worker is not None:
            self._worker.stop()
            self._worker.join(timeout_s)


def _nobody() -> None:
    """Nobody waits for the trace."""


def _ignore(_result: object) -> None:
    """A write has no result."""

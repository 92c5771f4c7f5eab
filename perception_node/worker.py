"""One thread that looks at images, so that the node's callbacks stay prompt; the latest wins."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

F = TypeVar("F")


class LatestWorker(Generic[F]):
    """Processes frames in a thread of its own.

    Each key (a camera) has one slot: a frame that was not begun when the next one came is skipped.
    The slot that has waited longest is next, so that no camera starves another.
    """

    def __init__(
        self,
        process: Callable[[str, F], None],
        name: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Args: `process` is called in the thread and must not raise; `clock` is steady [s]."""
        self._clock = clock
        self._process = process
        self._slots: dict[str, F] = {}
        self._order: list[str] = []
        self._changed = threading.Condition()
        self._stopping = False
        self._waits_since: float | None = None
        self.skipped = 0
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def submit(self, key: str, frame: F) -> None:
        """Puts a frame into its slot."""
        with self._changed:
            if key in self._slots:
                self.skipped += 1
            else:
                self._order.append(key)
            self._slots[key] = frame
            if self._waits_since is None:
                self._waits_since = self._clock()
            self._changed.notify()

    def stalled_s(self) -> float:
        """Time for which there was something to do and nothing got done [s]; 0 = it is idle."""
        with self._changed:
            return 0.0 if self._waits_since is None else self._clock() - self._waits_since

    def stop(self, timeout_s: float = 5.0) -> None:
        """Ends the thread after the frame in hand."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._stopping or bool(self._order))
                if self._stopping:
                    return
                key = self._order.pop(0)
                frame = self._slots.pop(key)
            self._process(key, frame)
            with self._changed:
                self._waits_since = self._clock() if self._order else None

"""One thread per kind of blocking call; results come back through a queue and a wake-up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Mailbox:
    """Results on their way to the executor's thread.

    `wake` is called from the workers' threads after each result, e.g. a guard condition's trigger.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._results: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def put(self, deliver: Callable[[], None]) -> None:
        """From any thread: `deliver` will be called by `empty`."""
        self._results.put(deliver)
        self._wake()

    def empty(self) -> None:
        """On the executor's thread: delivers everything that has come."""
        while not self._results.empty():
            self._results.get()()


class Worker(Generic[Result]):
    """Does one blocking job after the other on a thread of its own.

    The thread is a daemon: a provider that does not answer keeps no process alive.

    Args:
        name: The thread's.
        mailbox: Where results go; None = nobody waits for them, and they are dropped.
        failed: What a job that raised gives instead; called on the thread.
    """

    def __init__(
        self, name: str, mailbox: Mailbox | None, failed: Callable[[Exception], Result]
    ) -> None:
        self._mailbox = mailbox
        self._failed = failed
        self._jobs: SimpleQueue[
            tuple[Callable[[], Result], Callable[[Result], None] | None] | None
        ] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def submit(
        self, job: Callable[[], Result], deliver: Callable[[Result], None] | None = None
    ) -> None:
        """Runs `job` on the worker, then `deliver` with its result on the executor's thread."""
        self._jobs.put((job, deliver))

    def stop(self) -> None:
        """Ends after the jobs before."""
        self._jobs.put(None)

    def join(self, timeout_s: float) -> None:
        """Waits for the end, at most `timeout_s` [s]."""
        self._thread.join(timeout_s)

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None:
            job, deliver = item
            try:
                result = job()
            except Exception as error:
                # A fault in a job must not end the worker: every later decision would be lost.
                result = self._failed(error)
            if self._mailbox is not None and deliver is not None:
                self._mailbox.put(_bound(deliver, result))


def _bound(deliver: Callable[[Result], None], result: Result) -> Callable[[], None]:
    return lambda: deliver(result)

"""One provider call inside one deadline: retries, waits, slow and huge replies included.

The SDKs bound each read from the socket, not the call: a server that sends a byte a second holds
them for ever, and `Retry-After` makes them sleep past any deadline. Here the SDK's own retries are
off, the call runs on a thread that the caller stops waiting for when the deadline passes, and the
reply's body has a size limit.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Generic, TypeVar

import httpx2  # the SDKs' HTTP library: present wherever one of them is

from openral.llm.call_bounds import CallBounds
from openral.llm.client import LlmTimeout, LlmTransportError
from openral.llm.redaction import redact

T = TypeVar("T")

_RETRIED = frozenset({408, 409, 429})  # and every 5xx, Anthropic's 529 among them
_QUOTED = 500  # characters of a provider's error text that are passed on


class _BodyTooLargeError(Exception):
    pass


class _DeadlinePassedError(Exception):
    pass


class _Outcome(Generic[T]):
    def __init__(self) -> None:
        self.value: T | None = None
        self.error: LlmTransportError | None = None
        self.attempts = 0


class BoundedCaller:
    """Runs an SDK's calls within `CallBounds` and turns the SDK's errors into ours.

    Args:
        sdk: The SDK's module (`anthropic` or `openai`): both name their errors alike.
        provider: What to call the other side in an error, such as `openai at http://…`.
        bounds: The limits of each call.
    """

    def __init__(self, sdk: ModuleType, provider: str, bounds: CallBounds) -> None:
        self._sdk = sdk
        self._provider = provider
        self._bounds = bounds
        self._closed = threading.Event()
        self._local = threading.local()

    @property
    def bounds(self) -> CallBounds:
        """The limits in force."""
        return self._bounds

    def close(self) -> None:
        """End the calls in flight with LlmTransportError and refuse new ones."""
        self._closed.set()

    def run(self, send: Callable[[float], T]) -> tuple[T, int, float]:
        """Call `send(timeout_s)` until it answers; return its value, the attempts, the time [s].

        Raises:
            LlmTransportError: An error status, no connection, a body over the limit, or closed.
            LlmTimeout: The deadline passed.
        """
        began = time.monotonic()
        deadline = began + self._bounds.timeout_s
        outcome: _Outcome[T] = _Outcome()
        finished = threading.Event()

        def work() -> None:
            try:
                self._attempt(send, deadline, outcome)
            finally:
                finished.set()

        # A daemon: a socket that never answers must not keep the process from ending.
        threading.Thread(target=work, name="llm-call", daemon=True).start()
        while not finished.wait(min(0.05, max(0.0, deadline - time.monotonic()))):
            if self._closed.is_set():
                raise LlmTransportError("the client was closed during the call")
            if time.monotonic() >= deadline:
                raise self._timeout()
        if outcome.error is not None:
            raise outcome.error
        assert outcome.value is not None
        return outcome.value, outcome.attempts, time.monotonic() - began

    def bound_response(self, response: Any) -> None:
        """Limit an HTTP response's body while it is read: a response hook of httpx's clients."""
        limit = self._bounds.max_reply_bytes
        if response.headers.get("content-encoding", "identity") != "identity":
            limit //= 16  # it grows when unpacked, and nobody asked for it packed
        response.stream = _bounded_stream(response.stream, limit, self._local.deadline)

    def _attempt(self, send: Callable[[float], T], deadline: float, outcome: _Outcome[T]) -> None:
        self._local.deadline = deadline
        wait = self._bounds.first_wait_s
        while True:
            outcome.attempts += 1
            remaining = deadline - time.monotonic()
            if self._closed.is_set() or remaining <= 0.0:
                outcome.error = (
                    LlmTransportError("the client is closed")
                    if self._closed.is_set()
                    else self._timeout()
                )
                return
            asked: float | None = None
            try:
                outcome.value = send(remaining)
                outcome.error = None
                return
            except Exception as error:  # the SDKs let some of their HTTP library's errors through
                outcome.error, asked = self._translated(error)
            if not outcome.error.retryable or outcome.attempts >= self._bounds.attempts:
                return
            pause = asked if asked is not None else wait * random.uniform(0.75, 1.0)
            if isinstance(outcome.error, LlmTimeout) or time.monotonic() + pause >= deadline:
                return
            self._closed.wait(pause)
            wait *= 2.0

    def _translated(self, error: Exception) -> tuple[LlmTransportError, float | None]:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, _BodyTooLargeError):
                return LlmTransportError(f"{self._provider} sent more than {cause}"), None
            if isinstance(cause, _DeadlinePassedError):
                return self._timeout(), None
            cause = cause.__cause__ or cause.__context__
        if isinstance(error, (self._sdk.APITimeoutError, httpx2.TimeoutException)):
            return self._timeout(), None
        if isinstance(error, self._sdk.APIStatusError):
            status = int(getattr(error, "status_code", 0))
            text = redact(" ".join(str(error).split()))[:_QUOTED]
            asked = _retry_after(getattr(error, "response", None))
            return (
                LlmTransportError(
                    f"{self._provider} answered {status}: {text}",
                    status=status,
                    retryable=status in _RETRIED or status >= 500,
                ),
                asked,
            )
        detail = error.__cause__ or error
        text = redact(f"{type(detail).__name__}: {detail}")[:_QUOTED]
        # Anything else is a fault in a request or an SDK, which asking again does not mend.
        lost = isinstance(error, (self._sdk.APIConnectionError, httpx2.TransportError))
        return LlmTransportError(f"{self._provider}: no answer ({text})", retryable=lost), None

    def _timeout(self) -> LlmTimeout:
        return LlmTimeout(f"{self._provider}: no whole reply within {self._bounds.timeout_s:g} s")


def _retry_after(response: Any) -> float | None:
    """Seconds that the server asks to wait; None where it asks for none, or not in seconds."""
    try:
        seconds = float(response.headers["retry-after"])
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return seconds if 0.0 <= seconds < float("inf") else None


def _bounded_stream(stream: Any, limit: int, deadline: float) -> Any:
    class Bounded(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            size = 0
            for chunk in stream:
                size += len(chunk)
                if size > limit:
                    raise _BodyTooLargeError(f"{limit} bytes")
                if time.monotonic() >= deadline:
                    raise _DeadlinePassedError
                yield chunk

        def close(self) -> None:
            stream.close()

    return Bounded()

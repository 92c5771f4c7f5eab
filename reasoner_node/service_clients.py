"""The node's service clients: few, and with no question that waits for ever."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MAX_CLIENTS = 16
"""Services that are kept a client for; a brain may name detectors that do not exist."""
MAX_WAITING = 10
"""Questions that wait for their service to appear; one more is not put."""


@dataclass(frozen=True, eq=False)
class _Waiting:
    """A question whose service is not there yet."""

    client: Any
    name: str
    request: Any
    answered: Callable[[Any], None]
    until: float


class ServiceClients:
    """Makes clients when they are needed, and forgets questions that got no answer.

    Args:
        node: For the clients.
        answer_timeout_s: [s] after which an answer is not waited for any more, nor, before that,
            the service itself.
        unasked: Told, in one line, of a question that could not be put.
        clock: Steady clock [s].
        max_clients: Clients kept; the one that was not used for longest goes first.
    """

    def __init__(
        self,
        node: Any,
        answer_timeout_s: float,
        unasked: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        max_clients: int = MAX_CLIENTS,
    ) -> None:
        self._node = node
        self._answer_timeout_s = answer_timeout_s
        self._unasked = unasked
        self._clock = clock
        self._max_clients = max_clients
        self._clients: dict[tuple[type, str], Any] = {}
        self._asked: dict[Any, tuple[Any, float]] = {}
        self._waiting: list[_Waiting] = []

    def call(
        self,
        kind: type,
        name: str,
        request: Any,
        answered: Callable[[Any], None],
        *,
        wait_s: float | None = None,
    ) -> None:
        """Asks as soon as the service is there; `answered` takes a response that comes in time.

        Args:
            kind: Of the service.
            name: Of the service.
            request: The question.
            answered: Takes the response.
            wait_s: [s] to wait for the service to appear; None = as long as for an answer.
        """
        client = self._client(kind, name)
        if client.service_is_ready():
            self._ask(client, request, answered)
            return
        until = self._clock() + (self._answer_timeout_s if wait_s is None else wait_s)
        one = _Waiting(client, name, request, answered, until)
        if len(self._waiting) < MAX_WAITING:
            self._waiting.append(one)
        else:
            self._drop(one, f"{MAX_WAITING} others wait for their services already")

    def ask_waiting(self) -> None:
        """Asks those whose service has come since, and gives up those whose time is over."""
        now, waiting = self._clock(), self._waiting
        self._waiting = []
        for one in waiting:
            if one.client.service_is_ready():
                self._ask(one.client, one.request, one.answered)
            elif now > one.until:
                self._drop(one, "its service did not appear in time")
            else:
                self._waiting.append(one)

    def _drop(self, one: _Waiting, why: str) -> None:
        self._unasked(f"{one.name} was not asked: {why}")

    def _client(self, kind: type, name: str) -> Any:
        client = self._clients.pop((kind, name), None)
        if client is None:
            client = self._node.create_client(kind, name)
        self._clients[kind, name] = client
        if len(self._clients) > self._max_clients:
            unused = self._clients.pop(next(iter(self._clients)))
            self._asked = {f: asked for f, asked in self._asked.items() if asked[0] is not unused}
            for one in [one for one in self._waiting if one.client is unused]:
                self._waiting.remove(one)
                self._drop(one, f"its client made room, {self._max_clients} are kept")
            self._node.destroy_client(unused)
        return client

    def _ask(self, client: Any, request: Any, answered: Callable[[Any], None]) -> None:
        future = client.call_async(request)
        self._asked[future] = (client, self._clock())

        def take(done: Any) -> None:
            if self._asked.pop(done, None) is None:
                return
            response = value(done)
            if response is not None:
                answered(response)

        future.add_done_callback(take)

    def forget_unanswered(self) -> None:
        """Drops the questions whose time is over; the client would keep each for ever."""
        now = self._clock()
        for future, (client, at) in list(self._asked.items()):
            if now - at > self._answer_timeout_s:
                del self._asked[future]
                client.remove_pending_request(future)


def value(future: Any) -> Any | None:
    """A future's result; None where the middleware failed, which no mission may die of."""
    try:
        return future.result()
    except Exception:
        return None

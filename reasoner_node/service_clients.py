"""The node's service clients: few, and with no question that waits for ever."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

MAX_CLIENTS = 16
"""Services that are kept a client for; a brain may name detectors that do not exist."""


class ServiceClients:
    """Makes clients when they are needed, and forgets questions that got no answer.

    Args:
        node: For the clients.
        answer_timeout_s: [s] after which an answer is not waited for any more.
        clock: Steady clock [s].
        max_clients: Clients kept; the one that was not used for longest goes first.
    """

    def __init__(
        self,
        node: Any,
        answer_timeout_s: float,
        clock: Callable[[], float] = time.monotonic,
        max_clients: int = MAX_CLIENTS,
    ) -> None:
        self._node = node
        self._answer_timeout_s = answer_timeout_s
        self._clock = clock
        self._max_clients = max_clients
        self._clients: dict[tuple[type, str], Any] = {}
        self._asked: dict[Any, tuple[Any, float]] = {}

    def client(self, kind: type, name: str) -> Any:
        """The client of one service."""
        client = self._clients.pop((kind, name), None)
        if client is None:
            client = self._node.create_client(kind, name)
        self._clients[kind, name] = client
        if len(self._clients) > self._max_clients:
            unused = self._clients.pop(next(iter(self._clients)))
            self._asked = {f: asked for f, asked in self._asked.items() if asked[0] is not unused}
            self._node.destroy_client(unused)
        return client

    def ask(self, client: Any, request: Any, answered: Callable[[Any], None]) -> None:
        """Asks; `answered` takes the response if one comes in time."""
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

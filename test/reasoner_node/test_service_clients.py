"""Service clients: few, and without questions that wait for ever."""

from __future__ import annotations

from reasoner_node.service_clients import ServiceClients


class Future:
    def __init__(self) -> None:
        self._done = None
        self.answer = None

    def add_done_callback(self, callback) -> None:
        self._done = callback

    def finish(self, answer) -> None:
        self.answer = answer
        self._done(self)

    def result(self):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Client:
    def __init__(self, name: str) -> None:
        self.name = name
        self.pending: list[Future] = []

    def call_async(self, _request) -> Future:
        self.pending.append(Future())
        return self.pending[-1]

    def remove_pending_request(self, future) -> None:
        self.pending.remove(future)


class Node:
    def __init__(self) -> None:
        self.alive: list[str] = []

    def create_client(self, _kind, name):
        self.alive.append(name)
        return Client(name)

    def destroy_client(self, client) -> None:
        self.alive.remove(client.name)


def made(**given):
    now = [0.0]
    node = Node()
    return ServiceClients(node, 5.0, clock=lambda: now[0], **given), node, now


def test_a_question_without_an_answer_is_removed_from_its_client_when_its_time_is_over():
    clients, _, now = made()
    client = clients.client(object, "a")
    got: list[object] = []
    clients.ask(client, "?", got.append)
    (future,) = client.pending
    now[0] = 5.0
    clients.forget_unanswered()
    assert client.pending == [future]
    now[0] = 5.1
    clients.forget_unanswered()
    assert client.pending == []
    future.finish("late")
    assert got == []


def test_an_answer_in_time_is_taken_and_one_that_failed_is_not():
    clients, _, now = made()
    client = clients.client(object, "a")
    got: list[object] = []
    clients.ask(client, "?", got.append)
    clients.ask(client, "?", got.append)
    client.pending[0].finish("yes")
    client.pending[1].finish(RuntimeError("gone"))
    now[0] = 99.0
    clients.forget_unanswered()
    assert got == ["yes"]
    assert len(client.pending) == 2


def test_made_up_names_push_out_the_client_that_was_not_used_for_longest():
    clients, node, now = made(max_clients=3)
    first = clients.client(object, "a")
    clients.ask(first, "?", lambda _: None)
    for name in ("b", "c", "a", "d"):
        clients.client(object, name)
    assert node.alive == ["a", "c", "d"]
    for number in range(1000):
        clients.client(object, f"x{number}")
    assert node.alive == ["x997", "x998", "x999"]
    now[0] = 99.0
    clients.forget_unanswered()
    assert len(first.pending) == 1, "a client that is gone is not touched"

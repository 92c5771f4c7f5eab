"""Service clients: few, and without questions that wait for ever."""

from __future__ import annotations

import math

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
        self.ready = True
        self.destroyed = False

    def service_is_ready(self) -> bool:
        # As rclpy does it: InvalidHandle is a RuntimeError there too.
        if self.destroyed:
            raise RuntimeError("InvalidHandle")
        return self.ready

    def call_async(self, _request) -> Future:
        self.pending.append(Future())
        return self.pending[-1]

    def remove_pending_request(self, future) -> None:
        self.pending.remove(future)


class Node:
    def __init__(self) -> None:
        self.alive: list[str] = []
        self.made: dict[str, Client] = {}
        self.there = True

    def create_client(self, _kind, name):
        self.alive.append(name)
        self.made[name] = Client(name)
        self.made[name].ready = self.there
        return self.made[name]

    def destroy_client(self, client) -> None:
        self.alive.remove(client.name)
        client.destroyed = True


class Desk:
    """The clients under test, their node, what was told, and the time."""

    def __init__(self, **given) -> None:
        self.now = 0.0
        self.node = Node()
        self.told: list[str] = []
        self.clients = ServiceClients(
            self.node, 5.0, self.told.append, clock=lambda: self.now, **given
        )

    def ask(self, name: str, answered=lambda _: None, **given) -> Client:
        self.clients.call(object, name, "?", answered, **given)
        return self.node.made[name]


def test_a_question_without_an_answer_is_removed_from_its_client_when_its_time_is_over():
    desk, got = Desk(), []
    client = desk.ask("a", got.append)
    (future,) = client.pending
    desk.now = 5.0
    desk.clients.forget_unanswered()
    assert client.pending == [future]
    desk.now = 5.1
    desk.clients.forget_unanswered()
    assert client.pending == []
    future.finish("late")
    assert got == []


def test_an_answer_in_time_is_taken_and_one_that_failed_is_not():
    desk, got = Desk(), []
    client = desk.ask("a", got.append)
    desk.ask("a", got.append)
    client.pending[0].finish("yes")
    client.pending[1].finish(RuntimeError("gone"))
    desk.now = 99.0
    desk.clients.forget_unanswered()
    assert got == ["yes"]
    assert len(client.pending) == 2


def test_made_up_names_push_out_the_client_that_was_not_used_for_longest():
    desk = Desk(max_clients=3)
    first = desk.ask("a")
    for name in ("b", "c", "a", "d"):
        desk.ask(name)
    assert desk.node.alive == ["a", "c", "d"]
    for number in range(1000):
        desk.ask(f"x{number}")
    assert desk.node.alive == ["x997", "x998", "x999"]
    desk.now = 99.0
    desk.clients.forget_unanswered()
    assert len(first.pending) == 2, "a client that is gone is not touched"


def test_a_question_waits_for_its_service_and_is_put_once_when_that_appears():
    desk = Desk()
    desk.node.there = False
    client = desk.ask("a")
    desk.clients.ask_waiting()
    assert client.pending == []
    client.ready, desk.now = True, 5.0
    desk.clients.ask_waiting()
    desk.clients.ask_waiting()
    assert (len(client.pending), desk.told) == (1, [])


def test_a_wait_has_an_end_and_it_is_told():
    desk = Desk()
    desk.node.there = False
    brief, patient = desk.ask("brief"), desk.ask("patient", wait_s=math.inf)
    desk.now = 5.1
    desk.clients.ask_waiting()
    assert desk.told == ["brief was not asked: its service did not appear in time"]
    brief.ready = patient.ready = True
    desk.clients.ask_waiting()
    assert (len(brief.pending), len(patient.pending)) == (0, 1)


def test_a_question_of_a_client_that_made_room_is_dropped_and_told():
    desk = Desk(max_clients=2)
    desk.node.there = False
    for name in ("a", "b", "c"):
        desk.ask(name)
    assert desk.told == ["a was not asked: its client made room, 2 are kept"]
    # A destroyed client raises when it is asked whether its service is there.
    desk.clients.ask_waiting()
    assert [desk.node.made[name].destroyed for name in "abc"] == [True, False, False]


def test_more_questions_than_may_wait_are_told_and_those_before_them_kept():
    desk = Desk()
    desk.node.there = False
    for _ in range(12):
        client = desk.ask("a")
    assert desk.told == ["a was not asked: 10 others wait for their services already"] * 2
    client.ready = True
    desk.clients.ask_waiting()
    assert len(client.pending) == 10

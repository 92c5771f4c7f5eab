"""The gate of the tick: least interval, single flight, coalescing."""

from __future__ import annotations

from reasoner_node.gate import TickGate


def test_the_first_tick_may_run_at_once():
    assert TickGate(0.1).blocked(0.0, in_flight=False) is None


def test_the_next_tick_keeps_the_interval():
    gate = TickGate(0.1)
    gate.passed(5.0)
    assert gate.blocked(5.05, in_flight=False) == "min_interval"
    assert gate.opens_at() == 5.1
    assert gate.blocked(5.1, in_flight=False) is None


def test_one_decision_at_a_time():
    assert TickGate(0.1).blocked(0.0, in_flight=True) == "in_flight"


def test_many_requests_are_one():
    gate = TickGate(0.1)
    gate.request()
    gate.request()
    gate.passed(0.0)
    assert not gate.requested

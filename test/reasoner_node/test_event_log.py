"""Lines of events: bounded, counted, drained up to what was seen."""

from __future__ import annotations

from reasoner_node.event_log import EventLog


def test_only_seen_lines_are_drained():
    log = EventLog(max_lines=60, repeat_s=2.0)
    log.add(1.0, "a")
    seen = log.last
    log.add(2.0, "b")
    log.drain(seen)
    assert [line.text for line in log.pending()] == ["b"]


def test_what_only_informs_is_no_news():
    log = EventLog(max_lines=60, repeat_s=2.0)
    log.add(1.0, "an object appeared", informs_only=True)
    assert not log.has_news()
    log.add(1.0, "a failure")
    assert log.has_news()


def test_a_flood_of_one_line_is_counted_and_no_news():
    log = EventLog(max_lines=60, repeat_s=2.0)
    assert log.add(0.0, "refused")
    assert [log.add(0.02 * i, "refused") for i in range(1, 50)] == [False] * 49
    (line,) = log.pending()
    assert line.times == 50
    assert log.add(3.0, "refused")


def test_old_lines_give_way_and_are_counted():
    log = EventLog(max_lines=60, repeat_s=2.0)
    for number in range(100):
        log.add(float(number), f"line {number}")
    assert len(log.pending()) == 60
    assert log.dropped == 40


def test_a_flood_of_different_lines_is_bounded_in_lines_and_in_what_is_remembered():
    log = EventLog(max_lines=60, repeat_s=2.0)
    for number in range(10_000):
        log.add(0.0001 * number, f"line {number}")
    assert (len(log.pending()), log.dropped) == (60, 9940)
    assert len(log._repeats) == 60

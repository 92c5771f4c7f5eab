"""The trace on its own thread: bounded, and honest about what the disk refused."""

from __future__ import annotations

import threading

from reasoner_node.trace import TraceFile, read_trace
from reasoner_node.trace_writer import TraceWriter
from reasoner_node.workers import Mailbox

ROOM = 1_000_000


def test_records_reach_the_file_in_order(tmp_path):
    errors: list[Exception] = []
    writer = TraceWriter(str(tmp_path / "trace.jsonl"), 1000, errors.append, size_max=ROOM)
    for number in range(100):
        writer({"n": number})
    writer.close(5.0)
    assert [r["n"] for r in read_trace(tmp_path / "trace.jsonl")[0]] == list(range(100))
    assert (errors, writer.lost) == ([], 0)


def test_nothing_of_a_written_record_is_kept(tmp_path, monkeypatch):
    kept: list[object] = []
    monkeypatch.setattr(Mailbox, "put", lambda _, deliver: kept.append(deliver))
    writer = TraceWriter(str(tmp_path / "trace.jsonl"), 1000, lambda error: None, size_max=ROOM)
    for number in range(3):
        writer({"n": number})
    writer.close(5.0)
    assert len(read_trace(tmp_path / "trace.jsonl")[0]) == 3
    assert kept == []


def test_without_a_path_nothing_is_kept():
    writer = TraceWriter("", 1000, lambda error: None, size_max=ROOM)
    writer({"n": 1})
    writer.close(1.0)
    assert writer.lost == 0


def test_what_a_full_disk_refuses_is_told_counted_and_marked(tmp_path, monkeypatch):
    real, full = TraceFile.append, [True, True, False, False]

    def append(self, line, *, durable, mark=False):
        if full and full.pop(0):
            raise OSError(28, "No space left on device")
        real(self, line, durable=durable, mark=mark)

    monkeypatch.setattr(TraceFile, "append", append)
    errors: list[Exception] = []
    writer = TraceWriter(str(tmp_path / "trace.jsonl"), 1000, errors.append, size_max=ROOM)
    for number in range(4):
        writer({"n": number})
    writer.close(5.0)
    # The mark of the first loss failed too, so the second record was lost with it.
    assert read_trace(tmp_path / "trace.jsonl")[0] == [
        {"in": "lost", "records": 2}, {"n": 2}, {"n": 3},
    ]  # fmt: skip
    assert (len(errors), writer.lost) == (2, 2)


def test_a_disk_that_waits_holds_up_nobody_and_what_is_too_much_is_marked(tmp_path, monkeypatch):
    real, go = TraceFile.append, threading.Event()

    def append(self, line, *, durable, mark=False):
        go.wait(10.0)
        real(self, line, durable=durable, mark=mark)

    monkeypatch.setattr(TraceFile, "append", append)
    errors: list[Exception] = []
    writer = TraceWriter(str(tmp_path / "trace.jsonl"), 3, errors.append, size_max=ROOM)
    taken = threading.Event()
    monkeypatch.setattr(writer, "_write", _telling(writer._write, taken))
    writer({"n": 0})
    assert taken.wait(5.0)
    for number in range(1, 1001):
        writer({"n": number})
    assert (len(errors), writer.lost) == (997, 997)
    go.set()
    while writer._waiting:
        taken.clear()
        taken.wait(0.01)
    writer({"n": 1001})
    writer.close(5.0)
    assert read_trace(tmp_path / "trace.jsonl")[0] == [
        {"n": 0}, {"n": 1}, {"n": 2}, {"n": 3}, {"in": "lost", "records": 997}, {"n": 1001},
    ]  # fmt: skip


def blocked(tmp_path, monkeypatch, max_waiting):
    """A writer whose disk waits in its first record, until the event is set."""
    real, busy, go = TraceFile.append, threading.Event(), threading.Event()

    def append(self, line, *, durable, mark=False):
        busy.set()
        go.wait(10.0)
        real(self, line, durable=durable, mark=mark)

    monkeypatch.setattr(TraceFile, "append", append)
    writer = TraceWriter(
        str(tmp_path / "trace.jsonl"), max_waiting, lambda error: None, size_max=ROOM
    )
    writer({"n": 0})
    assert busy.wait(5.0)
    return writer, go


def test_what_was_lost_at_the_very_end_is_marked_when_the_file_is_closed(tmp_path, monkeypatch):
    writer, go = blocked(tmp_path, monkeypatch, 1)
    for number in range(1, 4):
        writer({"n": number})
    go.set()
    writer.close(5.0)
    records = read_trace(tmp_path / "trace.jsonl")[0]
    assert records == [{"n": 0}, {"n": 1}, {"in": "lost", "records": 2}]


def test_what_the_disk_refused_at_the_very_end_is_marked_too(tmp_path, monkeypatch):
    real, full = TraceFile.append, [False, True]

    def append(self, line, *, durable, mark=False):
        if full and full.pop(0):
            raise OSError(28, "No space left on device")
        real(self, line, durable=durable, mark=mark)

    monkeypatch.setattr(TraceFile, "append", append)
    writer = TraceWriter(str(tmp_path / "trace.jsonl"), 9, lambda error: None, size_max=ROOM)
    writer({"n": 0})
    writer({"n": 1})
    writer.close(5.0)
    assert read_trace(tmp_path / "trace.jsonl")[0] == [{"n": 0}, {"in": "lost", "records": 1}]


def test_few_but_large_records_fill_the_backlog_too(tmp_path, monkeypatch):
    monkeypatch.setattr("reasoner_node.trace_writer.MAX_WAITING_CHARS", 1000)
    writer, go = blocked(tmp_path, monkeypatch, 1000)
    for _ in range(5):
        writer({"text": "x" * 400})
    assert writer.lost == 3
    go.set()
    writer.close(5.0)
    kept = [len(r.get("text", "")) for r in read_trace(tmp_path / "trace.jsonl")[0]]
    assert kept == [0, 400, 400, 0]


def test_a_trace_ends_at_its_largest_size_for_good_and_says_so_once(tmp_path):
    path = tmp_path / "trace.jsonl"
    errors: list[Exception] = []
    # Two records of 8 bytes, '{"n":0}' and its end, and not quite a third.
    writer = TraceWriter(str(path), 1000, errors.append, size_max=23)
    for number in range(5):
        writer({"n": number})
    writer({})  # 3 bytes, which would fit, and hide the gap
    writer.close(5.0)
    assert [str(error) for error in errors] == [
        "[Errno 27] trace_size_max_mb is reached, and the trace ends"
    ]
    assert writer.lost == 4
    assert read_trace(path)[0] == [
        {"n": 0}, {"n": 1}, {"in": "lost", "records": 1}, {"in": "lost", "records": 3},
    ]  # fmt: skip
    # The next life finds it as it is.
    writer = TraceWriter(str(path), 1000, errors.append, size_max=23)
    writer({"n": 5})
    writer.close(5.0)
    assert (writer.lost, len(errors)) == (1, 2)


def _telling(write, taken):
    def told(*arguments):
        # The place in the queue is free as soon as the writer has taken the record.
        taken.set()
        write(*arguments)

    return told

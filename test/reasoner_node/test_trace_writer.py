"""The trace on its own thread: bounded, and honest about what the disk refused."""

from __future__ import annotations

import threading

from reasoner_node.trace import TraceFile, read_trace
from reasoner_node.trace_writer import TraceWriter


def test_records_reach_the_file_in_order(tmp_path):
    errors: list[Exception] = []
    writer = TraceWriter(str(tmp_path / "trace.jsonl"), 1000, errors.append)
    for number in range(100):
        writer({"n": number})
    writer.close(5.0)
    assert [r["n"] for r in read_trace(tmp_path / "trace.jsonl")[0]] == list(range(100))
    assert (errors, writer.lost) == ([], 0)


def test_without_a_path_nothing_is_kept():
    writer = TraceWriter("", 1000, lambda error: None)
    writer({"n": 1})
    writer.close(1.0)
    assert writer.lost == 0


def test_what_a_full_disk_refuses_is_told_counted_and_marked(tmp_path, monkeypatch):
    real, full = TraceFile.append, [True, True, False, False]

    def append(self, record, *, durable):
        if full and full.pop(0):
            raise OSError(28, "No space left on device")
        real(self, record, durable=durable)

    monkeypatch.setattr(TraceFile, "append", append)
    errors: list[Exception] = []
    writer = TraceWriter(str(tmp_path / "trace.jsonl"), 1000, errors.append)
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

    def append(self, record, *, durable):
        go.wait(10.0)
        real(self, record, durable=durable)

    monkeypatch.setattr(TraceFile, "append", append)
    errors: list[Exception] = []
    writer = TraceWriter(str(tmp_path / "trace.jsonl"), 3, errors.append)
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


def _telling(write, taken):
    def told(*arguments):
        # The place in the queue is free as soon as the writer has taken the record.
        taken.set()
        write(*arguments)

    return told

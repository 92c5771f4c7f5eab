"""The trace file: whole lines, cut ends, no keys."""

from __future__ import annotations

import json
import os

import pytest

from openral.errors import ConfigError, InputError
from reasoner_node.trace import TraceFile, TraceFullError, encode, is_decision, read_trace

ROOM = 1_000_000


def test_records_come_back_as_they_were(tmp_path):
    trace = TraceFile(tmp_path / "runs" / "trace.jsonl", ROOM)
    records = [{"in": "event", "t": 0.1 + 0.2, "text": "Öl\n"}, {"in": "reply", "out": {}}]
    for record in records:
        trace.append(encode(record), durable=True)
    trace.close()
    assert read_trace(tmp_path / "runs" / "trace.jsonl") == (records, 0)


def test_every_line_is_whole_and_one_record(tmp_path):
    path = tmp_path / "trace.jsonl"
    trace = TraceFile(path, ROOM)
    for number in range(50):
        trace.append(encode({"n": number, "text": "line\nbreak"}), durable=False)
    trace.close()
    lines = path.read_text().splitlines()
    assert [json.loads(line)["n"] for line in lines] == list(range(50))


def test_a_second_run_appends(tmp_path):
    path = tmp_path / "trace.jsonl"
    for number in range(2):
        trace = TraceFile(path, ROOM)
        trace.append(encode({"n": number}), durable=True)
        trace.close()
    assert [r["n"] for r in read_trace(path)[0]] == [0, 1]


def test_a_cut_last_line_is_left_out_and_counted(tmp_path):
    path = tmp_path / "trace.jsonl"
    path.write_text('{"n":1}\n{"n":2,"te')
    assert read_trace(path) == ([{"n": 1}], 1)


@pytest.mark.parametrize("bad", ["{not json", "[1]", "7"])
def test_a_bad_line_in_the_middle_is_an_error(tmp_path, bad):
    path = tmp_path / "trace.jsonl"
    path.write_text('{"n":1}\n' + bad + '\n{"n":3}\n')
    with pytest.raises(InputError, match="line 2"):
        read_trace(path)


@pytest.mark.parametrize("bad", ["{not json", "[1]"])
def test_a_bad_last_line_that_is_whole_is_an_error(tmp_path, bad):
    path = tmp_path / "trace.jsonl"
    path.write_text('{"n":1}\n' + bad + "\n")
    with pytest.raises(InputError, match="line 2"):
        read_trace(path)


def test_a_life_that_follows_a_cut_line_begins_on_a_line_of_its_own(tmp_path):
    path = tmp_path / "trace.jsonl"
    path.write_text('{"n":1}\n{"n":2,"te')
    trace = TraceFile(path, ROOM)
    trace.append(encode({"in": "header"}), durable=True)
    trace.close()
    assert read_trace(path) == ([{"n": 1}, {"in": "header"}], 1)


def test_a_write_that_fails_half_way_leaves_no_half_line(tmp_path, monkeypatch):
    path = tmp_path / "trace.jsonl"
    trace = TraceFile(path, ROOM)
    trace.append(encode({"n": 1}), durable=True)
    real, calls = os.write, []

    def full_disk(file, data):
        calls.append(data)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return real(file, data[:3])

    monkeypatch.setattr(os, "write", full_disk)
    with pytest.raises(OSError, match="No space"):
        trace.append(encode({"n": 2}), durable=True)
    monkeypatch.undo()
    trace.append(encode({"n": 3}), durable=True)
    trace.close()
    assert read_trace(path) == ([{"n": 1}, {"n": 3}], 0)


def test_a_key_reaches_no_line(monkeypatch):
    key = "sk-ant-REDACTME-0123456789abcdef"
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    assert key not in encode({"reply": {"error": f"401 for key {key}"}})


def test_a_path_that_cannot_be_written_names_the_parameter(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="parameter 'trace_path'"):
        TraceFile(tmp_path / "file" / "trace.jsonl", ROOM)


def test_decisions_are_told_from_mere_inputs():
    assert is_decision({"in": "reply"})
    assert is_decision({"in": "event", "out": {"effects": [{}]}})
    assert not is_decision({"in": "event", "out": {"effects": []}})


def test_no_record_passes_the_largest_size_and_a_mark_does(tmp_path):
    path = tmp_path / "trace.jsonl"
    trace = TraceFile(path, 5)
    trace.append("{}", durable=False)
    with pytest.raises(TraceFullError, match="trace_size_max_mb is reached"):
        trace.append("{}", durable=True)
    trace.append("{}", durable=False, mark=True)
    trace.close()
    assert path.read_text() == "{}\n{}\n"

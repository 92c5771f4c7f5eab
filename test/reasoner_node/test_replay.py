"""A run is replayed from its trace alone, byte for byte."""

from __future__ import annotations

import json

import pytest

from openral.errors import InputError
from reasoner_node.core import ReasonerCore
from reasoner_node.replay import main, replay
from reasoner_node.trace import encode


@pytest.mark.parametrize(
    ("kind", "goal"),
    [
        ({}, "put all objects into the basket"),
        ({"runs": {"milk": ["stall", "low", "slips"]}}, "put the milk into the basket"),
        ({"camera": "dead"}, "put the milk into the basket"),
        ({"runs": {"milk": ["policy_error"] * 9}}, "put the milk and the cereal into the basket"),
        ({"can_ask_image": True, "runs": {"milk": ["middle"]}, "image_answers": ["done"]},
         "put the milk into the basket"),
    ],
)  # fmt: skip
def test_every_decision_is_reproduced(world_class, kind, goal):
    world = world_class(**kind).ready()
    world.prompt(goal).run_mission()
    world.prompt("stop").prompt("").prompt("status").run(20.0)
    agreed, difference = replay(world.records)
    assert difference is None
    assert agreed == len(world.records) - 1
    assert agreed > 10


def test_the_same_inputs_give_the_same_bytes(world_class):
    runs = []
    for _ in range(2):
        world = world_class(runs={"milk": ["stall", "ok"]}).ready()
        world.prompt("put all objects into the basket").run_mission()
        runs.append([encode(record) for record in world.records])
    assert runs[0] == runs[1]


def test_a_changed_decision_is_found_at_its_record(world):
    world.prompt("put the milk into the basket").run_mission()
    records = json.loads(json.dumps(world.records))
    index = next(
        i for i, r in enumerate(records)
        if any(e["effect"] == "start_skill" for e in r.get("out", {}).get("effects", []))
    )  # fmt: skip
    records[index]["out"]["effects"][0]["rskill_id"] = "another"
    _, difference = replay(records)
    assert difference is not None
    assert difference.index == index
    assert "another" in difference.recorded
    assert "pick_place" in difference.replayed


@pytest.mark.parametrize(
    "records", [[], [{"in": "event"}], [{"in": "header", "format": 2}], [{"in": "header"}]]
)
def test_a_trace_without_a_whole_header_is_refused(records):
    with pytest.raises(InputError):
        replay(records)


@pytest.mark.parametrize(
    "record",
    [
        {"in": "dream", "t": 1.0},
        {"in": "event", "t": 1.0, "event": {"kind": "dream"}},
        {"in": "reply", "t": 1.0, "tick": 1, "reply": {"made_up": 1}},
        {"in": "event"},
    ],
)
def test_a_record_that_is_none_is_refused(world, record):
    with pytest.raises(InputError):
        replay([world.records[0], record])


@pytest.mark.parametrize("failure", [KeyError, ValueError, TypeError])
def test_an_error_of_the_core_is_not_blamed_on_the_trace(world, monkeypatch, failure):
    def broken(self, event, now):
        raise failure("a fault in the core")

    monkeypatch.setattr(ReasonerCore, "observe", broken)
    with pytest.raises(failure, match="a fault in the core"):
        replay(world.records)


def write(path, records):
    path.write_text("".join(encode(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_the_command_says_how_many_decisions_are_reproduced(world, tmp_path, capsys):
    world.prompt("put the milk into the basket").run_mission()
    write(tmp_path / "trace.jsonl", world.records)
    assert main([str(tmp_path)]) == 0
    assert f"{len(world.records) - 1} decisions reproduced" in capsys.readouterr().out
    assert main([str(tmp_path / "trace.jsonl")]) == 0


def test_the_command_prints_the_first_decision_that_differs(world, tmp_path, capsys):
    world.prompt("put the milk into the basket").run_mission()
    records = json.loads(json.dumps(world.records))
    index = next(i for i, r in enumerate(records) if r.get("out", {}).get("effects"))
    records[index]["out"]["effects"] = []
    assert main([str(write(tmp_path / "trace.jsonl", records))]) == 3
    said = capsys.readouterr().out
    assert f"record {index} is decided otherwise" in said
    assert '"effects":[]' in said.split("replayed:")[0]


@pytest.mark.parametrize(
    "text",
    ["", "no json\n{}\n", '{"in":"header"}\n', "[" * 5000 + "\n{}\n",
     '{"in":"header","format":2,"settings":3,"manifests":[]}\n'],
)  # fmt: skip
def test_a_file_that_is_no_trace_is_status_2_in_one_line(tmp_path, text, capsys):
    path = tmp_path / "trace.jsonl"
    path.write_text(text)
    assert main([str(path)]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_a_file_that_is_not_there_is_status_2(tmp_path, capsys):
    assert main([str(tmp_path / "none")]) == 2
    assert "a trace file" in capsys.readouterr().err


def test_lost_records_end_a_replay(world, tmp_path, capsys):
    world.prompt("status")
    records = [*world.records, {"in": "lost", "records": 7}]
    assert main([str(write(tmp_path / "trace.jsonl", records))]) == 2
    assert "7 lost" in capsys.readouterr().err


def test_each_life_in_a_file_is_replayed_from_its_own_header(world_class, tmp_path):
    records = []
    for run_id in ("one", "two"):
        world = world_class(run_id=run_id).ready()
        world.prompt("put the milk into the basket").run_mission()
        records += world.records
    assert replay(records) == (len(records) - 2, None)
    ids = [e["mission_id"] for r in records for e in r.get("out", {}).get("effects", ())
           if e["effect"] == "publish_mission"]  # fmt: skip
    assert set(ids) == {"one.m1", "two.m1"}

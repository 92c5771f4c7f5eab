"""A run is replayed from its trace alone, byte for byte."""

from __future__ import annotations

import json

import pytest

from openral.errors import InputError
from reasoner_node.replay import replay
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
    "records", [[], [{"in": "event"}], [{"in": "header", "format": 1}], [{"in": "header"}]]
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

"""A task that puts an object onto the table is looked at before it is called done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from openral.camera_model import load_cameras
from reasoner_node.brain import BrainReply
from reasoner_node.replay import replay

TOP = load_cameras(Path(__file__).parents[2] / "config" / "cameras.yaml")["top"]
POINT = (0.45, -0.2)


def call(tool, **arguments):
    return BrainReply(tool=tool, arguments=arguments)


def put_down(world_class, scripted_brain, seen_at, tries=1, calibration=TOP):
    run = call(
        "execute_rskill", rskill_id="pick_place", prompt="put the milk down",
        params_json=json.dumps({"object": "milk", "position": POINT}),
    )  # fmt: skip
    brain = scripted_brain(
        [
            call("decompose_mission",
                 subtasks=[{"object_ref": "milk", "text": "put the milk down on the table"}]),
            *[run] * tries,
        ]
    )  # fmt: skip
    world = world_class(brain=brain, calibration=calibration)
    if seen_at is not None:
        x, y = TOP.model().project([*seen_at, 0.05])
        world.places["milk"] = (float(x), float(y))
    world.ready().prompt("put the milk down beside the cereal")
    return world.run_mission()


def test_what_is_seen_at_its_place_is_done(world_class, scripted_brain):
    world = put_down(world_class, scripted_brain, POINT)
    assert world.mission.phase == "done"
    look = [e for _, e in world.effects if e.effect == "locate"][-1]
    assert (look.camera, look.query) == ("top", "milk")
    assert replay(world.records)[1] is None


def test_what_is_seen_elsewhere_is_tried_again_and_then_not_called_done(
    world_class, scripted_brain
):
    world = put_down(world_class, scripted_brain, (0.45, -0.05), tries=3)
    assert len(world.starts) == 2
    assert world.mission.phase == "incomplete"
    assert "from its place (0.45, -0.20) m on the table" in world.mission.tasks[0].reason


@pytest.mark.parametrize("calibration", [None, TOP])
def test_what_cannot_be_looked_for_is_not_called_done(world_class, scripted_brain, calibration):
    world = put_down(
        world_class, scripted_brain, POINT if calibration is None else (9.0, 9.0), 3, calibration
    )
    assert world.mission.phase == "incomplete"

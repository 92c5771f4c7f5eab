"""The text that a brain reads."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner_node.context import allowed_tools, render, view
from reasoner_node.events import DetectionsSeen, Failure, PerceptionChange, Seen


def test_the_blocks_of_a_fresh_goal(world):
    world.prompt("put the milk into the basket")
    text = world.records[-1]["out"]["context"]
    blocks = [line for line in text.split("\n") if line.startswith("## ")]
    assert [block.split()[1] for block in blocks] == [
        "ROBOT", "MISSION", "SEEN", "SKILLS", "EXECUTION", "REWARD", "EVENTS",
    ]  # fmt: skip
    assert "panda, safety kernel holding" in text
    assert "in_view[front]: #0 milk @px(60,300)" in text
    assert "#99 basket @px(565,165)" in text
    assert "pick_place {object: string; container: string" in text
    assert "operator: put the milk into the basket" in text


def test_located_objects_stand_apart_with_their_age(world):
    world.prompt("put the milk into the basket").run(0.5)
    text = render(view(world.state, world.now + 7.0), 20000)
    assert "located[front] (authoritative over in_view): milk @px(60,300) 7." in text


def test_a_stale_view_says_so(world):
    world.prompt("put the milk into the basket")
    text = render(view(world.state, world.now + 10.0), 20000)
    assert "in_view[front] (STALE, 10.0 s old)" in text


def test_tasks_outcomes_and_rewards_are_told(world_class):
    world = world_class(runs={"milk": ["grasp_failed", "ok"]}).ready()
    world.prompt("put the milk into the basket")
    world.run(60.0, until=lambda: len(world.starts) == 2)
    world.run(3.0)
    text = render(view(world.state, world.now), 20000)
    assert "2. [active] put the milk into the basket (object_ref milk, 2 tries" in text
    assert "run.m1.t2.a1 pick_place: grasp_failed, grasp_failed as scripted" in text
    assert "geometric: progress 0." in text


def test_tools_follow_the_state(world):
    world.prompt("put the milk into the basket")
    assert "decompose_mission" in allowed_tools(world.state)
    assert "execute_rskill" not in allowed_tools(world.state)
    world.run(60.0, until=lambda: world.starts)
    assert "execute_rskill" not in allowed_tools(world.state)
    assert "wait" in allowed_tools(world.state)


@settings(max_examples=30, deadline=None)
@given(
    events=st.lists(st.text(min_size=1, max_size=300), max_size=100),
    objects=st.integers(0, 200),
    limit=st.integers(2000, 8000),
)
def test_it_is_never_longer_than_allowed(world_class, events, objects, limit):
    world = world_class(traced=False).ready()
    world.prompt("put the milk into the basket")
    for text in events:
        world.state.log.add(world.now, text)
    detections = tuple(
        Seen(label=f"object {i}", score=0.5, x_min=0, y_min=0, x_max=1, y_max=1)
        for i in range(objects)
    )
    world.core.observe(DetectionsSeen(detector="d", camera="c", detections=detections), world.now)
    assert len(render(view(world.state, world.now), limit)) <= limit


def test_it_stays_flat_over_two_hundred_ticks(world):
    world.prompt("put all objects into the basket")
    sizes = []
    for number in range(200):
        world.event(PerceptionChange(change="motion", summary=f"motion {number}"))
        world.event(Failure(layer="hal", severity=0, failure=f"note {number}"))
        sizes.append(len(render(view(world.state, world.now), 12000)))
    assert max(sizes) <= 12000
    assert sizes[-1] <= max(sizes[60:120]) * 1.05

"""Whatever happens in whatever order: every mission ends, with exactly one final say."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from openral.errors import OpenralError
from openral.missions import FINAL_KINDS
from reasoner_node.brain import BrainReply
from reasoner_node.events import (
    CriticScore,
    Failure,
    KernelState,
    LocateAnswered,
    NodePresence,
    OperatorPrompt,
    SkillAccepted,
    SkillEnded,
)
from reasoner_node.tools import TOOLS

WORDS = st.sampled_from(
    ["milk", "basket", "unicorn", "pick_place", "", "all the cups", "front", "[1]", "run.m1.t2.a1"]
)
TRACES = st.sampled_from(["run.m1.t2.a1", "run.m1.t2.a2", "run.m2.t2.a1", "other"])
UNIT = st.one_of(st.none(), st.floats(0.0, 1.0))
EVENTS = st.one_of(
    st.builds(
        OperatorPrompt,
        text=st.sampled_from(
            ["put the milk into the basket", "put all objects into the basket", "stop", "",
             "status",
             "put the unicorn into a box", "x" * 2000, "\x00\ud7ff", "what do you see?"]
        ),
    ),
    st.builds(
        Failure,
        layer=st.sampled_from(["safety", "hal", "sensor", "rskill", "wam", "critic"]),
        severity=st.integers(0, 3),
        failure=st.sampled_from(["stall", "chunk_stale", "x"]),
    ),
    st.builds(KernelState, state=st.sampled_from(["disarmed", "holding", "active", "latched"])),
    st.builds(
        NodePresence,
        node=st.sampled_from(["safety_kernel", "skill_runner", "robot", "perception"]),
        alive=st.booleans(),
    ),
    st.builds(SkillAccepted, trace_id=TRACES),
    st.builds(
        SkillEnded,
        trace_id=TRACES,
        outcome=st.sampled_from(["completed", "canceled", "safety_stop", "refused", "not_found",
                                 "unreachable", "grasp_failed", "observation"]),
    ),
    st.builds(CriticScore, critic_id=st.sampled_from(["geometric", "other"]), trace_id=TRACES,
              score=UNIT, progress=UNIT, success=UNIT, threshold=st.just(0.9), floor=st.just(0.5)),
    st.builds(LocateAnswered, call_id=st.sampled_from(["q1", "q2", "q9"]), answered=st.booleans(),
              image_age_s=st.one_of(st.none(), st.floats(0.0, 10.0))),
)  # fmt: skip
ARGUMENTS = st.dictionaries(
    st.sampled_from(["query", "text", "kind", "rskill_id", "prompt", "params_json", "seconds",
                     "subtasks", "object_ref", "camera"]),
    st.one_of(
        WORDS,
        st.just([{"object_ref": "milk", "text": "put the milk into the basket"}]),
        st.just('{"object": "milk", "container": "basket"}'),
        st.sampled_from(["info", "handoff", "refused"]),
        st.floats(0.1, 30.0),
    ),
    max_size=4,
)  # fmt: skip
SENSIBLE = st.sampled_from(
    [
        BrainReply(tool="locate_in_view", arguments={"query": "milk, basket"}),
        BrainReply(
            tool="decompose_mission",
            arguments={
                "subtasks": [{"object_ref": "milk", "text": "put the milk into the basket"}]
            },
        ),
        BrainReply(
            tool="execute_rskill",
            arguments={
                "rskill_id": "pick_place",
                "prompt": "put the milk into the basket",
                "params_json": '{"object": "milk", "container": "basket"}',
            },
        ),
        BrainReply(tool="wait", arguments={"seconds": 5.0}),
        BrainReply(tool="emit_prompt", arguments={"text": "hm"}),
    ]
)
REPLIES = st.one_of(
    SENSIBLE,
    st.builds(
        BrainReply,
        tool=st.sampled_from([*sorted(TOOLS), "execute_skil"]),
        arguments=st.one_of(ARGUMENTS, st.text(max_size=20)),
    ),
    st.builds(BrainReply, error=st.just("no answer"), correctable=st.booleans()),
)
RUNS = st.lists(
    st.sampled_from(["ok", "low", "stall", "silent", "refused", "not_found", "unreachable",
                     "grasp_failed", "observation", "policy_error", "slips", "middle"]),
    max_size=6,
)  # fmt: skip
TIMED = st.lists(st.tuples(st.floats(0.0, 60.0), EVENTS), max_size=12)


def check(world, timed) -> None:
    for at, event in timed:
        world.after(at, lambda event=event: world.event(event))
    world.prompt("put all objects into the basket")
    # Every mission has its own budget of 900 s; at most 13 goals can follow one another.
    quiet_from = world.now + 61.0
    world.run(
        900.0 * 14,
        until=lambda: world.now > quiet_from and world.missions[-1].phase != "active",
    )
    assert world.missions[-1].phase in ("done", "incomplete", "stopped")
    ended = {m.mission_id for m in world.missions if m.phase not in ("active", "idle")}
    started = {m.mission_id for m in world.missions if m.mission_id}
    assert ended == started
    for mission_id in started:
        finals = [
            say for say in world.says
            if say.trace_id == mission_id and say.kind in FINAL_KINDS
        ]  # fmt: skip
        assert len(finals) == 1
    calls = world.brain_calls
    world.run(120.0)
    assert world.brain_calls == calls


@settings(max_examples=30, deadline=None)
@given(timed=TIMED, milk=RUNS, cereal=RUNS, image=st.booleans())
def test_with_the_rules(world_class, timed, milk, cereal, image):
    world = world_class(
        runs={"milk": milk, "cereal": cereal}, can_ask_image=image, traced=False, lied_to=True
    ).ready()
    check(world, timed)


@settings(max_examples=30, deadline=None)
@given(
    timed=TIMED,
    milk=RUNS,
    replies=st.lists(REPLIES, max_size=40),
    latency=st.sampled_from([0.01, 5.0, 70.0, 1e9]),
)
def test_with_a_model_that_answers_anything(
    world_class, scripted_brain, timed, milk, replies, latency
):
    brain = scripted_brain(list(replies))
    world = world_class(
        brain=brain, runs={"milk": milk}, brain_latency_s=latency, traced=False, lied_to=True
    ).ready()
    check(world, timed)


@settings(max_examples=30, deadline=None)
@given(timed=TIMED, milk=RUNS)
def test_no_event_sequence_breaks_the_task_life(world_class, timed, milk):
    world = world_class(runs={"milk": milk}, traced=False, lied_to=True).ready()
    try:
        check(world, timed)
    except OpenralError as error:
        raise AssertionError(f"an illegal step: {error}") from error
    for mission in world.missions:
        busy = [t for t in mission.tasks if t.phase in ("active", "verifying")]
        assert len(busy) <= 1
        assert (mission.current >= 0) == bool(busy)
        ids = [t.task_id for t in mission.tasks]
        assert len(set(ids)) == len(ids)
        if mission.phase == "done":
            assert all(t.phase == "done" and t.verdict for t in mission.tasks)

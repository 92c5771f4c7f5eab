"""The life of tasks: what is allowed, and that nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner_node.mission import IllegalTransitionError, MissionPhase, MissionState, TaskPhase
from reasoner_node.tools import GroundedSubtask


def sub(name: str) -> GroundedSubtask:
    return GroundedSubtask(object_ref=name, text=f"put the {name} away")


def split(*names: str) -> MissionState:
    seed = MissionState.from_prompt("m1", "tidy up", 0.0)
    return seed.decompose([sub(name) for name in names], [], 1.0)


def test_a_goal_is_one_active_task_until_it_is_decomposed():
    mission = MissionState.from_prompt("m1", "tidy up", 0.0)
    assert [t.phase for t in mission.tasks] == [TaskPhase.ACTIVE]
    assert not mission.decomposed


def test_a_decomposition_activates_the_first_of_its_tasks():
    mission = split("milk", "cup")
    assert [(t.task_id, t.phase.value) for t in mission.tasks] == [(2, "active"), (3, "pending")]


def test_what_is_unavailable_is_abandoned_with_its_reason():
    seed = MissionState.from_prompt("m1", "x", 0.0)
    mission = seed.decompose([sub("milk")], [("unicorn", "not in view")], 0.0)
    assert [(t.object_ref, t.phase.value, t.reason) for t in mission.tasks] == [
        ("milk", "active", ""),
        ("unicorn", "abandoned", "not in view"),
    ]


def test_the_way_to_done():
    mission = split("milk").begin_attempt().begin_verifying().complete_active("pass", "0.95", 4.0)
    (task,) = mission.tasks
    assert (task.phase, task.attempts, task.verdict) == (TaskPhase.DONE, 1, "pass")
    assert task.elapsed(99.0) == 3.0
    assert mission.end(MissionPhase.DONE, "", 5.0).phase is MissionPhase.DONE


def test_a_verdict_may_send_a_task_back():
    mission = split("milk").begin_verifying().resume_active("0.3 below 0.5")
    assert mission.current_task is not None
    assert (mission.current_task.phase, mission.current_task.verdict) == (
        TaskPhase.ACTIVE, "ladder",
    )  # fmt: skip


def test_a_blocked_task_is_replaced_in_its_place():
    mission = split("milk", "cup").subdivide_active([sub("lid"), sub("milk")], 2, 2.0)
    assert [(t.task_id, t.object_ref, t.depth) for t in mission.tasks] == [
        (4, "lid", 1), (5, "milk", 1), (3, "cup", 0),
    ]  # fmt: skip


def test_subdivision_ends_at_its_depth():
    mission = split("milk").subdivide_active([sub("milk")], 2, 1.0)
    mission = mission.subdivide_active([sub("milk")], 2, 1.0)
    with pytest.raises(IllegalTransitionError, match="depth 2"):
        mission.subdivide_active([sub("milk")], 2, 1.0)


def test_the_final_look_may_take_a_done_task_back():
    done = split("milk").begin_verifying().complete_active("pass", "", 2.0)
    assert done.revoke(2, "outside").tasks[0].phase is TaskPhase.ABANDONED
    assert done.reopen(2, "outside").tasks[0].phase is TaskPhase.PENDING


@pytest.mark.parametrize(
    "step",
    [
        lambda m: m.complete_active("pass", "", 1.0),
        lambda m: m.resume_active(""),
        lambda m: m.revoke(2, ""),
        lambda m: m.reopen(2, ""),
        lambda m: m.activate_next(1.0),
        lambda m: m.end(MissionPhase.DONE, "", 1.0),
        lambda m: m.end(MissionPhase.ACTIVE, "", 1.0),
        lambda m: m.decompose([sub("cup")], [], 1.0),
        lambda m: m.begin_verifying().begin_verifying(),
        lambda m: m.begin_verifying().begin_attempt(),
        lambda m: m.begin_verifying().subdivide_active([sub("cup")], 2, 1.0),
        lambda m: m.subdivide_active([], 2, 1.0),
        lambda m: m.end(MissionPhase.STOPPED, "", 1.0).begin_attempt(),
        lambda m: m.end(MissionPhase.STOPPED, "", 1.0).end(MissionPhase.STOPPED, "", 1.0),
    ],
)
def test_any_other_step_is_refused(step):
    with pytest.raises(IllegalTransitionError, match=r"mission 'm1' cannot|is not done"):
        step(split("milk"))


def test_an_ended_mission_has_no_open_task():
    mission = split("milk", "cup").end(MissionPhase.STOPPED, "stop", 3.0)
    assert [(t.phase.value, t.reason) for t in mission.tasks] == [("abandoned", "stop")] * 2
    assert mission.current is None


STEPS = st.sampled_from(
    ["begin_attempt", "begin_verifying", "resume", "complete", "abandon", "next", "subdivide",
     "revoke", "reopen", "end"]
)  # fmt: skip


@given(st.lists(STEPS, max_size=30))
def test_at_most_one_task_is_busy_and_no_id_comes_twice(steps):
    mission = split("milk", "cup", "box")
    used = {t.task_id for t in mission.tasks}
    for step in steps:
        before = {t.task_id for t in mission.tasks}
        first = mission.tasks[0].task_id
        try:
            mission = {
                "begin_attempt": lambda m: m.begin_attempt(),
                "begin_verifying": lambda m: m.begin_verifying(),
                "resume": lambda m: m.resume_active(""),
                "complete": lambda m: m.complete_active("pass", "", 1.0),
                "abandon": lambda m: m.abandon_active("", 1.0),
                "next": lambda m: m.activate_next(1.0),
                "subdivide": lambda m: m.subdivide_active([sub("a"), sub("b")], 2, 1.0),
                "revoke": lambda m, first=first: m.revoke(first, ""),
                "reopen": lambda m, first=first: m.reopen(first, ""),
                "end": lambda m: m.end(MissionPhase.INCOMPLETE, "", 1.0),
            }[step](mission)
        except IllegalTransitionError:
            continue
        busy = [t for t in mission.tasks if t.phase in (TaskPhase.ACTIVE, TaskPhase.VERIFYING)]
        assert len(busy) <= 1
        new = {t.task_id for t in mission.tasks} - before
        assert not new & used
        used |= new

"""Every goal is taken whole or refused with expected and got."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openral.errors import InputError
from openral.rskill import ParamsSchema, ScriptedManifest
from openral.rskill.params import ParamSpec
from skill_runner_node.admission import GoalRefusedError, admit

WIPE = ScriptedManifest(
    kind="scripted", id="wipe", description="wipes", policy="wipe", deadline_s=60.0,
    deadline_max_s=120.0, patience_s=20.0,
    params=ParamsSchema(fields={"side": ParamSpec(type="string", description="which")}),
)  # fmt: skip
SKILLS = {"wipe": WIPE}
UNFIT = {"pi": "does not fit this machine"}


@dataclass(frozen=True)
class Fields:
    rskill_id: str = "wipe"
    prompt: str = ""
    params_json: str = ""
    patience_s: float = 0.0
    deadline_s: float = 0.0
    trace_id: str = ""


def test_the_longest_trace_id_is_taken() -> None:
    assert admit(Fields(trace_id="x" * 64), SKILLS, UNFIT).manifest is WIPE
    assert admit(Fields(trace_id="ü" * 32), SKILLS, UNFIT).manifest is WIPE


def test_zero_times_are_the_manifests_and_others_the_goals() -> None:
    goal = admit(Fields(), SKILLS, UNFIT)
    assert (goal.manifest, goal.deadline_s, goal.patience_s) == (WIPE, 60.0, 20.0)
    goal = admit(Fields(deadline_s=120.0, patience_s=3.0), SKILLS, UNFIT)
    assert (goal.deadline_s, goal.patience_s) == (120.0, 3.0)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rskill_id": "dry"}, "an rSkill that runs here: wipe, got unknown 'dry'"),
        ({"rskill_id": "pi"}, "got 'pi', which does not fit this machine"),
        ({"rskill_id": "x" * 65}, "rskill_id of at most 64 characters, got 65"),
        ({"trace_id": "x" * 65}, "trace_id of at most 64 characters, got 65"),
        ({"trace_id": "ü" * 33}, "trace_id of at most 64 bytes in UTF-8, got 66"),
        ({"prompt": "x" * 4097}, "prompt of at most 4096 characters, got 4097"),
        ({"deadline_s": 120.1}, "deadline_s in [0, 120] s, 0 = the manifest's, got 120.1"),
        ({"deadline_s": float("nan")}, "got nan"),
        ({"patience_s": -1.0}, "patience_s in [0, 3600] s, 0 = the manifest's, got -1.0"),
        ({"patience_s": float("inf")}, "got inf"),
    ],
)
def test_a_goal_that_cannot_run_is_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(GoalRefusedError) as error:
        admit(replace(Fields(), **changes), SKILLS, UNFIT)  # type: ignore[arg-type]
    assert words in str(error.value)


@given(st.builds(Fields, st.text(), st.text(), st.text(), st.floats(), st.floats(), st.text()))
def test_whatever_comes_is_taken_or_refused_by_type(goal: Fields) -> None:
    try:
        admitted = admit(goal, SKILLS, UNFIT)
    except InputError:
        return
    assert 0.0 < admitted.deadline_s <= 120.0
    assert 0.0 < admitted.patience_s <= 3600.0

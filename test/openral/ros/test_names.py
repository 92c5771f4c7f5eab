"""Every constant of a message's state has its name, and only those."""

from __future__ import annotations

import pytest
from openral_msgs.action import ExecuteRskill
from openral_msgs.msg import FailureTrigger, KernelStatus, MissionState, SkillState, TaskState

from openral.ros import names


def constants(message):
    """Names of a message's constants, as its class lists them."""
    listed = type(message).__prepare__("", ())
    return {name.lower(): number for name, number in listed.items() if "DEFAULT" not in name}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (names.KERNEL_STATE, KernelStatus),
        (names.SKILL_STATE, SkillState),
        (names.TASK_STATE, TaskState),
        (names.MISSION_STATE, MissionState),
        (names.SEVERITY, FailureTrigger),
        (names.OUTCOME, ExecuteRskill.Result),
    ],
)
def test_a_table_holds_all_constants_of_its_message_and_no_other(table, message):
    known = constants(message)
    assert {name: table.number(name) for name in known} == known
    named = {table.name(number) for number in range(256)} - {None}
    assert named == set(known)


def test_a_number_and_its_name_lead_to_each_other():
    assert names.KERNEL_STATE.name(4) == "latched"
    assert names.KERNEL_STATE.number("latched") == KernelStatus.LATCHED == 4
    assert names.OUTCOME.number("grasp_failed") == ExecuteRskill.Result.GRASP_FAILED == 9


def test_a_number_that_means_nothing_has_no_name():
    assert names.KERNEL_STATE.name(5) is None
    assert names.KERNEL_STATE.shown(5) == "UNKNOWN(5)"
    assert names.KERNEL_STATE.shown(0) == "DISARMED"


def test_a_name_that_a_message_lacks_is_refused():
    from typing import Literal

    with pytest.raises(AttributeError):
        names.Numbered(KernelStatus, Literal["flying"])

"""Reports of the kernel and of the joints are whole, or refused with expected and got."""

from __future__ import annotations

import math

import pytest
from openral_msgs.action import ExecuteRskill
from openral_msgs.msg import KernelStatus
from sensor_msgs.msg import JointState

from openral.errors import InputError
from skill_runner_node.messages import OtherRobotError, joints_of, kernel_of, outcome_number
from skill_runner_node.policy import Outcome
from skill_runner_node.watch import KernelState

NAMES = ("elbow", "finger")


def test_a_report_becomes_what_the_core_knows() -> None:
    message = KernelStatus(
        state=KernelStatus.ACTIVE, epoch=3, timeline=7, consumed_row=1.5, commanded=[0.1, 0.2]
    )
    kernel = kernel_of(message, 2, 5.0)
    assert (kernel.received, kernel.state, kernel.epoch) == (5.0, KernelState.ACTIVE, 3)
    assert (kernel.timeline, kernel.consumed_row, kernel.commanded) == (7, 1.5, (0.1, 0.2))


@pytest.mark.parametrize("state", KernelState)
def test_every_state_of_the_kernel_is_known_by_its_name(state: KernelState) -> None:
    message = KernelStatus(state=getattr(KernelStatus, state.name), commanded=[0.0, 0.0])
    assert kernel_of(message, 2, 0.0).state is state


def test_outcomes_are_all_that_a_result_can_say() -> None:
    numbers = {outcome.name: outcome_number(outcome) for outcome in Outcome}
    assert numbers == {name: getattr(ExecuteRskill.Result, name) for name in numbers}
    assert sorted(numbers.values()) == list(range(10))


def test_before_it_is_armed_the_kernel_need_not_command() -> None:
    for commanded in ([], [math.nan, math.nan]):
        message = KernelStatus(state=KernelStatus.DISARMED, commanded=commanded)
        assert kernel_of(message, 2, 0.0).state is KernelState.DISARMED


@pytest.mark.parametrize("state", [KernelStatus.DISARMED, KernelStatus.HOLDING])
def test_a_kernel_of_another_robot_is_told_by_its_joints(state: int) -> None:
    with pytest.raises(OtherRobotError, match="2 joints of 'robot_file', got one with 3"):
        kernel_of(KernelStatus(state=state, commanded=[0.0, 0.0, 0.0]), 2, 0.0)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            KernelStatus(state=9, commanded=[0.0, 0.0]),
            "0 (disarmed), 1 (holding), 2 (active), 3 (braking), 4 (latched), got 9",
        ),
        (KernelStatus(state=KernelStatus.HOLDING), "2 finite values of 'commanded'"),
        (KernelStatus(state=KernelStatus.ACTIVE, commanded=[0.0, math.nan]), "2 finite values"),
    ],
)
def test_an_unusable_report_is_refused(message: KernelStatus, words: str) -> None:
    with pytest.raises(InputError) as error:
        kernel_of(message, 2, 0.0)
    assert words in str(error.value)


def test_joints_come_in_the_robots_order() -> None:
    message = JointState(name=["finger", "elbow"], position=[0.02, 1.0], velocity=[0.0, 0.5])
    joints = joints_of(message, NAMES, 4.0)
    assert joints.position.tolist() == [1.0, 0.02]
    assert joints.velocity.tolist() == [0.5, 0.0]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (JointState(name=["elbow"], position=[1.0], velocity=[0.0]), "none of finger"),
        (JointState(name=["elbow", "finger"], position=[1.0], velocity=[0.0, 0.0]), "'position'"),
        (JointState(name=["elbow", "finger"], position=[1.0, 0.0]), "'velocity'"),
        (
            JointState(name=["elbow", "finger"], position=[1.0, math.inf], velocity=[0.0, 0.0]),
            "'position'",
        ),
    ],
)
def test_unusable_joints_are_refused(message: JointState, words: str) -> None:
    with pytest.raises(InputError) as error:
        joints_of(message, NAMES, 0.0)
    assert words in str(error.value)

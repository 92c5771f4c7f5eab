"""Messages become plain data: states by their messages' names, words that a terminal may show."""

from openral_msgs.msg import (
    FailureTrigger,
    KernelStatus,
    MissionState,
    Prompt,
    SkillState,
    TaskState,
)

from openral.cli import messages


def test_states_are_named_as_the_messages_name_them():
    assert messages.kernel(KernelStatus(state=KernelStatus.LATCHED)).state == "LATCHED"
    assert messages.skill(SkillState(state=SkillState.CANCELED)).state == "CANCELED"
    assert messages.task(TaskState(state=TaskState.VERIFYING)).state == "VERIFYING"
    assert messages.mission(MissionState(state=MissionState.STOPPED)).state == "STOPPED"
    abort = FailureTrigger(severity=FailureTrigger.ABORT)
    assert messages.failure(abort, "safety", 0.0).severity == "ABORT"


def test_a_number_that_is_no_state_is_shown_as_such():
    assert messages.kernel(KernelStatus(state=200)).state == "UNKNOWN(200)"


def test_a_say_without_a_kind_informs():
    assert messages.said(Prompt(text="hello"), 3.0).kind == "info"

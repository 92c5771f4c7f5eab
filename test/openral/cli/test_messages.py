"""Messages become plain data: states by their messages' names, words that a terminal may show."""

from dataclasses import asdict

from openral_msgs.msg import (
    CriticScore,
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
    assert messages.mission(MissionState(state=MissionState.STOPPED), 0.0).state == "STOPPED"
    abort = FailureTrigger(severity=FailureTrigger.ABORT)
    assert messages.failure(abort, "safety", 0.0).severity == "ABORT"


def test_a_number_that_is_no_state_is_shown_as_such():
    assert messages.kernel(KernelStatus(state=200)).state == "UNKNOWN(200)"


def test_a_say_without_a_kind_informs():
    assert messages.said(Prompt(text="hello"), 3.0).kind == "info"


EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egniht\nnext"
CLEAN = r"\x1b]0;owned\x07\x1b[2J\x9b31m\u202egniht next"


def test_no_word_of_another_node_steers_the_terminal():
    said = messages.said(Prompt(text=EVIL, kind=EVIL, trace_id=EVIL), 0.0)
    task = TaskState(object_ref=EVIL, text=EVIL, verdict=EVIL, reason=EVIL)
    mission = messages.mission(
        MissionState(mission_id=EVIL, goal=EVIL, brain=EVIL, message=EVIL, tasks=[task]), 0.0
    )
    kernel = messages.kernel(KernelStatus(reason=EVIL, message=EVIL, unmet=[EVIL]))
    skill = messages.skill(SkillState(skill_id=EVIL, task=EVIL, stage=EVIL, reason=EVIL))
    score = messages.score(CriticScore(stage=EVIL, task=EVIL), 0.0)
    failure = messages.failure(FailureTrigger(kind=EVIL, message=EVIL), "safety", 0.0)
    assert said.text == CLEAN
    for heard in (said, mission, mission.tasks[0], kernel, skill, score, failure):
        words = [value for value in asdict(heard).values() if isinstance(value, str)]
        assert CLEAN in words
        assert all(word.isprintable() for word in words)
    assert kernel.unmet == (CLEAN,)

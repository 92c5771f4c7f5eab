"""Messages as events, with what may be wrong in their fields."""

from __future__ import annotations

import math

import pytest
from openral_msgs.action import ExecuteRskill
from openral_msgs.msg import (
    CriticScore,
    Detection,
    DetectionArray,
    FailureTrigger,
    KernelStatus,
    Prompt,
)
from openral_msgs.srv import LocateInView

from reasoner_node import ros_inputs


def test_a_prompt_needs_its_text_only():
    event = ros_inputs.prompt(Prompt(text="hello"))
    assert (event.text, event.source) == ("hello", "operator")


def test_not_a_number_means_cannot_tell():
    message = CriticScore(critic_id="g", trace_id="t", threshold=0.9, floor=0.5)
    message.progress = math.nan
    message.score = 1.5
    event = ros_inputs.critic_score(message)
    assert (event.progress, event.score) == (None, 1.0)


def test_boxes_that_are_none_are_left_out():
    boxes = [
        Detection(label="", score=0.9, x_max=1.0, y_max=1.0),
        Detection(label="cup", score=0.9, x_min=math.nan),
        Detection(label="cup", score=math.nan, x_max=4.0, y_max=2.0, det_id=7),
    ]
    message = DetectionArray(detector="d", camera="c", detections=boxes)
    (seen,) = ros_inputs.detections(message).detections
    assert (seen.label, seen.det_id, seen.score, seen.centre) == ("cup", 7, 0.0, (2.0, 1.0))


def test_words_of_another_node_are_kept_to_a_length():
    endless = "x" * 1_000_000
    failure = ros_inputs.failure("safety", FailureTrigger(severity=2, kind="k", message=endless))
    assert failure.severity == 2
    assert failure.message == "x" * 999 + "…"
    status = KernelStatus(state=KernelStatus.LATCHED, message=endless, unmet=[endless])
    assert len(ros_inputs.kernel_state(status).message) == 1000
    assert [len(text) for text in ros_inputs.kernel_state(status).unmet] == [1000]
    assert ros_inputs.short("as it is") == "as it is"


def test_a_label_that_no_tool_could_name_is_left_out():
    boxes = [Detection(label="x" * 101, score=0.9), Detection(label="y" * 100, score=0.9)]
    message = DetectionArray(detector="d", camera="c", detections=boxes)
    assert [seen.label for seen in ros_inputs.detections(message).detections] == ["y" * 100]


def test_an_answer_without_a_stamp_shows_no_image():
    response = LocateInView.Response(found=False, camera="front", message="camera_stale")
    assert ros_inputs.located("q1", response, 1000.0).image_age_s is None
    response.image_stamp.sec = 998
    assert ros_inputs.located("q1", response, 1000.0).image_age_s == 2.0
    assert ros_inputs.located("q1", response, 997.0).image_age_s == 0.0


def test_every_kernel_state_has_its_name_and_an_unknown_one_counts_as_latched():
    for name in ("DISARMED", "HOLDING", "ACTIVE", "BRAKING", "LATCHED"):
        message = KernelStatus(state=getattr(KernelStatus, name))
        assert ros_inputs.kernel_state(message).state == name.lower()
    assert ros_inputs.kernel_state(KernelStatus(state=99)).state == "latched"


@pytest.mark.parametrize(
    "name",
    ["COMPLETED", "CANCELED", "DEADLINE", "SAFETY_STOP", "REFUSED", "OBSERVATION", "NOT_FOUND",
     "UNREACHABLE", "POLICY_ERROR", "GRASP_FAILED"],
)  # fmt: skip
def test_every_outcome_has_its_name(name):
    assert ros_inputs.outcome(getattr(ExecuteRskill.Result, name)) == name.lower()


def test_an_unknown_outcome_is_the_policys_error():
    assert ros_inputs.outcome(200) == "policy_error"


def test_an_unknown_severity_counts_as_the_worst():
    message = FailureTrigger(severity=9, kind="x")
    assert ros_inputs.failure("hal", message).severity == 3

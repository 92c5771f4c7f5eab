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

from openral.errors import InputError
from openral.ros.stamp import from_nanoseconds
from openral.units import NANOSECONDS
from reasoner_node import ros_inputs


def detections(message, now=1000.0, max_detections=200):
    return ros_inputs.detections(message, now, max_detections=max_detections, ahead_max_s=0.02)


def located(response, now):
    return ros_inputs.located("q1", response, now, max_detections=200, ahead_max_s=0.02)


def score(message, now=1000.0):
    return ros_inputs.critic_score(message, now, 0.02)


def test_a_score_keeps_its_stamp_and_one_of_the_future_is_refused():
    assert score(CriticScore(critic_id="g")).stamp_s is None
    message = CriticScore(critic_id="g")
    message.header.stamp = from_nanoseconds(999 * NANOSECONDS + NANOSECONDS // 2)
    assert score(message).stamp_s == 999.5
    with pytest.raises(InputError, match=r"a stamp at most 0\.02 s ahead of this clock"):
        score(message, now=999.0)


def test_a_prompt_needs_its_text_only():
    event = ros_inputs.prompt(Prompt(text="hello"))
    assert (event.text, event.source) == ("hello", "operator")


def test_a_trace_id_is_kept_to_the_length_that_a_chunk_holds():
    endless = "x" * 1_000_000
    for event in (
        ros_inputs.prompt(Prompt(text="hello", trace_id=endless)),
        ros_inputs.failure("rskill", FailureTrigger(trace_id=endless)),
        score(CriticScore(critic_id="g", trace_id=endless)),
    ):
        assert event.trace_id == "x" * 64


def test_not_a_number_means_cannot_tell():
    message = CriticScore(critic_id="g", trace_id="t", threshold=0.9, floor=0.5)
    message.progress = math.nan
    message.score = 1.5
    event = score(message)
    assert (event.progress, event.score) == (None, 1.0)


def test_boxes_that_are_none_are_left_out():
    boxes = [
        Detection(label="", score=0.9, x_max=1.0, y_max=1.0),
        Detection(label="cup", score=0.9, x_min=math.nan),
        Detection(label="cup", score=math.nan, x_max=4.0, y_max=2.0, det_id=7),
    ]
    message = DetectionArray(detector="d", camera="c", detections=boxes)
    (seen,) = detections(message).detections
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
    assert [seen.label for seen in detections(message).detections] == ["y" * 100]


def test_an_answer_without_a_stamp_shows_no_image():
    response = LocateInView.Response(found=False, camera="front", message="camera_stale")
    assert located(response, 1000.0).image_age_s is None
    response.image_stamp.sec = 998
    assert located(response, 1000.0).image_age_s == 2.0


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


@pytest.mark.parametrize(("ahead_ns", "age"), [(-2_000_000_000, 2.0), (0, 0.0), (19_000_000, 0.0)])
def test_an_image_may_be_a_little_ahead_of_this_clock(ahead_ns, age):
    response = LocateInView.Response(image_stamp=from_nanoseconds(1000 * NANOSECONDS + ahead_ns))
    assert located(response, 1000.0).image_age_s == pytest.approx(age, abs=1e-6)


@pytest.mark.parametrize("ahead_ns", [21_000_000, 3_600_000_000_000])
def test_an_image_of_the_future_is_refused_and_not_taken_for_a_fresh_one(ahead_ns):
    stamp = from_nanoseconds(1000 * NANOSECONDS + ahead_ns)
    with pytest.raises(InputError, match="ahead"):
        located(LocateInView.Response(image_stamp=stamp), 1000.0)
    view = DetectionArray(camera="front")
    view.header.stamp = stamp
    with pytest.raises(InputError, match="ahead"):
        detections(view)


def test_a_view_tells_the_age_of_its_image_where_it_has_one():
    view = DetectionArray(camera="front")
    assert detections(view).image_age_s is None
    view.header.stamp.sec = 997
    assert detections(view).image_age_s == 3.0


def test_of_a_hundred_thousand_detections_the_first_are_taken():
    boxes = [Detection(label="cup", score=0.9, x_max=1.0, y_max=1.0)] * 100_000
    message = DetectionArray(detector="d", camera="c", detections=boxes)
    assert len(detections(message, max_detections=200).detections) == 200


def test_a_camera_whose_name_no_call_could_name_is_refused():
    with pytest.raises(InputError, match="100 characters"):
        detections(DetectionArray(camera="c" * 101))
    with pytest.raises(InputError, match="100 characters"):
        located(LocateInView.Response(camera="c" * 101), 1000.0)


def test_of_an_endless_prompt_the_beginning_and_the_length_are_kept():
    event = ros_inputs.prompt(Prompt(text="x" * 1_000_000, source="y" * 1_000_000))
    assert len(event.text) + event.cut_chars == 1_000_000
    assert (len(event.text), len(event.source)) == (20001, 1000)


def test_a_score_keeps_no_endless_names():
    endless = "x" * 1_000_000
    event = score(CriticScore(critic_id=endless, trace_id=endless, stage=endless, score=math.inf))
    assert (len(event.critic_id), len(event.trace_id), len(event.stage)) == (1000, 64, 1000)
    assert event.score is None


@pytest.mark.parametrize(
    ("evidence", "camera"),
    [
        ('{"camera": "front", "age_s": 3.0}', "front"),
        ('{"camera": 7}', ""),
        ('["camera"]', ""),
        ("{broken", ""),
        ("", ""),
        ("[" * 4000, ""),
        ('{"camera": "' + "c" * 101 + '"}', ""),
        ('{"camera": "front", "x": "' + "y" * 5000 + '"}', ""),
    ],
)
def test_a_camera_is_read_from_evidence_that_is_whole_and_from_no_other(evidence, camera):
    message = FailureTrigger(severity=2, kind="camera_stale", evidence_json=evidence)
    assert ros_inputs.failure("sensor", message).camera == camera
    assert ros_inputs.failure("hal", message).camera == ""

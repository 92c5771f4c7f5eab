"""Which messages are signs of life, and what of them becomes an event."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from openral_msgs.msg import SkillState

from openral.ros.stamp import from_seconds
from reasoner_node.events import NodePresence
from reasoner_node.refusals import Refusals
from reasoner_node.ros_subscriptions import RosSubscriptions
from reasoner_node.view_filter import ViewFilter


class Listener:
    """The subscriptions under test without a middleware, and what they passed on."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.events: list[object] = []
        self.topics: dict[str, object] = {}

        def subscribe(_kind, topic, callback, _qos, **_given) -> None:
            self.topics[topic] = callback

        self.inputs = RosSubscriptions(
            SimpleNamespace(create_subscription=subscribe, get_name=lambda: "reasoner_node"),
            detector="catalogue", image_camera="", views=ViewFilter(1.0, 10.0, 16),
            refusals=Refusals(lambda line: None), max_detections=10, ahead_max_s=0.02,
            observe=self.events.append, heard=self.heard.append,
            skill_spoke=lambda idle: None, now=lambda: 0.0,
        )  # fmt: skip

    def diagnosed(self, name: str = "perception_node: camera top", life: str = "", level=b"\0"):
        values = [KeyValue(key="life", value=life)] if life else []
        status = DiagnosticStatus(name=name, level=level, values=values)
        self.topics["diagnostics"](DiagnosticArray(status=[status]))


@pytest.mark.parametrize(
    ("level", "heard"),
    [
        (DiagnosticStatus.OK, ["perception"]),
        (DiagnosticStatus.ERROR, ["perception"]),
        # The process speaks, but its detector hangs.
        (DiagnosticStatus.STALE, []),
    ],
)
def test_a_stalled_detector_is_no_sign_of_life_and_one_with_dead_cameras_is(level, heard):
    listener = Listener()
    listener.diagnosed(level=level)
    assert listener.heard == heard


def test_another_nodes_diagnostics_are_no_sign_of_perception():
    listener = Listener()
    listener.diagnosed(name="skill_runner_node: health", life="7")
    assert (listener.heard, listener.events) == ([], [])


def test_a_new_life_of_perception_is_told_once_and_the_first_is_none():
    listener = Listener()
    for life in ("100", "100", "", "200", "200", "2" * 1000, "2" * 1000):
        listener.diagnosed(life=life)
    anew = NodePresence(node="perception", alive=True, new_life=True)
    assert listener.events == [anew, anew]


def test_the_end_of_a_skill_is_the_runners_own_stamp():
    listener = Listener()
    for state, at in ((SkillState.RUNNING, 4.0), (SkillState.FAILED, 5.5)):
        message = SkillState(state=state, trace_id="a")
        message.header.stamp = from_seconds(at)
        listener.topics["skill_state"](message)
    assert listener.inputs.skill_end("a") == 5.5
    assert listener.inputs.skill_end("b") is None
    listener.topics["skill_state"](SkillState(state=SkillState.SUCCEEDED, trace_id="c"))
    assert listener.inputs.skill_end("c") is None, "without a stamp nothing is known"

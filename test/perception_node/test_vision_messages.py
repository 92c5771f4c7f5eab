"""vision_msgs are published where the package exists, and only there."""

from __future__ import annotations

import sys
import types
from types import SimpleNamespace

import pytest

from perception_node.vision_messages import to_vision_array, vision_types


def fake_package() -> types.ModuleType:
    """Classes with the fields of vision_msgs 4 (ROS 2 Jazzy)."""
    module = types.ModuleType("fake_vision_msgs")
    module.Detection2DArray = lambda: SimpleNamespace(header=None, detections=[])
    module.Detection2D = lambda: SimpleNamespace(
        header=None,
        id="",
        results=[],
        bbox=SimpleNamespace(
            center=SimpleNamespace(position=SimpleNamespace(x=0.0, y=0.0), theta=0.0),
            size_x=0.0,
            size_y=0.0,
        ),
    )
    module.ObjectHypothesisWithPose = lambda: SimpleNamespace(
        hypothesis=SimpleNamespace(class_id="", score=0.0)
    )
    return module


def test_without_the_package_there_are_no_types() -> None:
    assert vision_types("no_such_vision_msgs.msg") is None


def test_with_the_package_every_detection_is_converted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fake_vision_msgs", fake_package())
    found = vision_types("fake_vision_msgs")
    assert found is not None
    milk = SimpleNamespace(
        label="milk", score=0.75, det_id=3, x_min=10.0, y_min=20.0, x_max=50.0, y_max=100.0
    )
    array = to_vision_array(found, SimpleNamespace(header="stamp", detections=[milk]))
    assert array.header == "stamp"
    (detection,) = array.detections
    assert detection.header == "stamp"
    assert detection.id == "3"
    assert (detection.bbox.center.position.x, detection.bbox.center.position.y) == (30.0, 60.0)
    assert (detection.bbox.size_x, detection.bbox.size_y) == (40.0, 80.0)
    assert detection.results[0].hypothesis.class_id == "milk"
    assert detection.results[0].hypothesis.score == 0.75

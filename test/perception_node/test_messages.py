"""What perception says of itself: a detector that hangs is not called well."""

from __future__ import annotations

import itertools

from diagnostic_msgs.msg import DiagnosticStatus

from perception_node.calibration import Calibration
from perception_node.camera_view import CameraView
from perception_node.freshness import FreshnessLimits
from perception_node.messages import camera_status
from perception_node.tracker import TrackerLimits


def test_the_level_tells_a_camera_that_lives_from_one_that_does_not_and_from_a_stalled_detector():
    top = CameraView(
        "top", max_rate=4.0, early=0.2, freshness=FreshnessLimits(1.0, 5.0),
        tracking=TrackerLimits(), calibration=Calibration("top", None, 0.02, "cameras.yaml", 1.0),
        ids=itertools.count(), now=0.0,
    )  # fmt: skip
    top.on_image(1.0, 1_000_000_000, 1)
    assert camera_status("perception_node", top, 1.5, {}).level == DiagnosticStatus.OK
    assert camera_status("perception_node", top, 9.0, {}).level == DiagnosticStatus.ERROR
    for now in (1.5, 9.0):
        status = camera_status("perception_node", top, now, {}, "detector stalled for 6.0 s")
        assert status.level == DiagnosticStatus.STALE
        assert status.message == "detector stalled for 6.0 s"

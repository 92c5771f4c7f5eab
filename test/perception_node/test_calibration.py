"""A camera whose messages contradict its calibration is told by expected and got."""

from __future__ import annotations

import pytest

from openral.camera_model import CameraConfig
from openral.errors import InputError
from perception_node.calibration import Calibration

# Half the height over tan(45 deg): a focal length of 240 px.
CONFIG = CameraConfig(
    parent="world",
    position=(0.0, 0.0, 1.0),
    orientation=(1.0, 0.0, 0.0, 0.0),
    width=640,
    height=480,
    fovy_deg=90.0,
    rate_hz=4.0,
    depth=False,
)


def k(focal: float, cx: float = 319.5) -> list[float]:
    return [focal, 0.0, cx, 0.0, focal, 239.5, 0.0, 0.0, 1.0]


def calibration(config: CameraConfig | None = CONFIG) -> Calibration:
    return Calibration("top", config, 0.02, "cameras.yaml", 1.0)


def test_it_is_told_once_and_its_end_too() -> None:
    top = calibration()
    focals = (240.0, 300.0, 300.0, 240.0, 240.0)
    said = [top.on_info(at, k(focal), 640, 480) for at, focal in enumerate(focals)]
    assert said == [False, True, False, True, False]
    top.on_info(5.0, k(240.0, cx=326.0), 640, 480)
    assert top.problem.startswith(
        "camera_info disagrees with config/cameras.yaml for camera top: expected 640x480 px"
    )
    assert top.on_info(6.0, k(240.0), 640, 480)
    assert top.problem == ""


def test_a_contradiction_whose_numbers_jitter_is_told_once() -> None:
    top = calibration()
    said = [top.on_info(2.0 * i, k(300.0 + i), 640, 480) for i in range(10)]
    assert said == [True] + [False] * 9
    assert "309.0" in top.problem


def test_two_publishers_that_take_turns_are_told_at_a_bounded_rate() -> None:
    top = calibration()
    # 50 Hz for 4 s, one message agrees and the next does not: at most one line a second.
    said = [top.on_info(0.02 * i, k(240.0 + 60.0 * (i % 2)), 640, 480) for i in range(200)]
    assert 2 <= sum(said) <= 4
    # Whether it is looked through follows each message, told or not.
    assert top.problem != ""
    top.on_info(4.0, k(240.0), 640, 480)
    assert top.problem == ""


def test_a_camera_that_is_not_configured_is_compared_with_nothing() -> None:
    other = calibration(None)
    assert not other.on_info(0.0, k(300.0), 320, 240)
    other.check_image(320, 240)


def test_an_image_of_another_size_is_refused() -> None:
    calibration().check_image(640, 480)
    with pytest.raises(InputError, match=r"640x480 px as in config/cameras.yaml, got 320x240 px"):
        calibration().check_image(320, 240)


def test_an_image_of_a_hundred_megabytes_is_refused() -> None:
    with pytest.raises(InputError, match=r"at most 4096 px a side, got 8192x4096 px"):
        calibration(None).check_image(8192, 4096)

"""A camera whose messages contradict its calibration is told by expected and got."""

from __future__ import annotations

import math

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


def k(fx: float, fy: float | None = None) -> list[float]:
    return [fx, 0.0, 319.5, 0.0, fx if fy is None else fy, 239.5, 0.0, 0.0, 1.0]


def calibration(config: CameraConfig | None = CONFIG) -> Calibration:
    return Calibration("top", config, 0.02, "cameras.yaml")


@pytest.mark.parametrize("matrix", [k(240.0), k(244.7), k(235.3), [0.0] * 9])
def test_a_camera_as_configured_agrees(matrix: list[float]) -> None:
    top = calibration()
    assert not top.on_info(matrix, 640, 480)
    assert top.problem == ""


@pytest.mark.parametrize(
    ("matrix", "size", "got"),
    [
        (k(245.0), (640, 480), "640x480 px, focal lengths 245.0 and 245.0 px"),
        (k(240.0, 230.0), (640, 480), "640x480 px, focal lengths 240.0 and 230.0 px"),
        (k(120.0), (320, 240), "320x240 px, focal lengths 120.0 and 120.0 px"),
        ([0.0] * 9, (480, 640), "480x640 px"),
        (k(math.nan), (640, 480), "what is no calibration"),
        (k(-240.0), (640, 480), "what is no calibration"),
        (k(240.0)[:6], (640, 480), "what is no calibration"),
    ],
)
def test_a_contradiction_says_expected_and_got(
    matrix: list[float], size: tuple[int, int], got: str
) -> None:
    top = calibration()
    assert top.on_info(matrix, *size)
    assert top.problem.startswith(
        "camera_info disagrees with config/cameras.yaml for camera top:"
        " expected 640x480 px, focal length 240.0 px, got "
    )
    assert got in top.problem


def test_it_is_told_once_and_its_end_too() -> None:
    top = calibration()
    said = [top.on_info(k(focal), 640, 480) for focal in (240.0, 300.0, 300.0, 240.0, 240.0)]
    assert said == [False, True, False, True, False]
    assert top.problem == ""


def test_a_camera_that_is_not_configured_is_compared_with_nothing() -> None:
    other = calibration(None)
    assert not other.on_info(k(300.0), 320, 240)
    other.check_image(320, 240)


def test_an_image_of_another_size_is_refused() -> None:
    calibration().check_image(640, 480)
    with pytest.raises(InputError, match=r"640x480 px as in config/cameras.yaml, got 320x240 px"):
        calibration().check_image(320, 240)


def test_an_image_of_a_hundred_megabytes_is_refused() -> None:
    with pytest.raises(InputError, match=r"at most 4096 px a side, got 8192x4096 px"):
        calibration(None).check_image(8192, 4096)

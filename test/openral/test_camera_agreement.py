"""A camera's own calibration is the configured one, or it is refused with both."""

from __future__ import annotations

import pytest

from openral.camera_agreement import camera_info_problem
from openral.camera_model import CameraConfig

# Half the height over tan(45 deg): a focal length of 240 px, the centre at 319.5, 239.5 px.
CONFIG = CameraConfig(
    parent="world", position=(0.0, 0.0, 1.0), orientation=(1.0, 0.0, 0.0, 0.0),
    width=640, height=480, fovy_deg=90.0, rate_hz=4.0, depth=False,
)  # fmt: skip
NAN = float("nan")


def k(fx: float = 240.0, fy: float = 240.0, cx: float = 319.5, cy: float = 239.5) -> list[float]:
    return [fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0]


def problem(matrix: list[float], width: int = 640, height: int = 480) -> str:
    return camera_info_problem(
        "top", CONFIG, matrix, width, height, tolerance=0.02, file="cameras.yaml"
    )


# 2 % of 240, 319.5 and 239.5 px are 4.8, 6.39 and 4.79 px.
@pytest.mark.parametrize(
    "matrix",
    [k(), k(fx=244.7), k(fy=235.3), k(cx=325.8), k(cx=313.2), k(cy=244.2), [0.0] * 9],
)
def test_what_is_within_the_tolerance_agrees(matrix: list[float]) -> None:
    assert problem(matrix) == ""


@pytest.mark.parametrize(
    ("matrix", "size", "got"),
    [
        (k(fx=244.9), (640, 480), "got 640x480 px and fx 244.9, fy 240.0, cx 319.5, cy 239.5"),
        (k(fy=235.1), (640, 480), "fy 235.1"),
        (k(cx=326.0), (640, 480), "cx 326.0"),
        (k(cy=244.4), (640, 480), "cy 244.4"),
        (k(fx=-240.0), (640, 480), "fx -240.0"),
        ([240.0, 5.0, *k()[2:]], (640, 480), "got 640x480 px and"),
        (k(), (320, 240), "got 320x240 px"),
        ([0.0] * 9, (480, 640), "got 480x640 px"),
        (k(fx=NAN), (640, 480), "nine finite values"),
        (k()[:6], (640, 480), "nine finite values"),
    ],
)
def test_a_contradiction_says_expected_and_got(
    matrix: list[float], size: tuple[int, int], got: str
) -> None:
    said = problem(matrix, *size)
    assert said.startswith(
        "camera_info disagrees with config/cameras.yaml for camera top: expected 640x480 px and"
        " fx 240.0, fy 240.0, cx 319.5, cy 239.5, each within 2 %, got "
    )
    assert got in said

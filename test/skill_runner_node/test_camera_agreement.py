"""A camera's own calibration is the configured one, or it is refused with both."""

from __future__ import annotations

from pathlib import Path

import pytest

from openral.camera_model import load_cameras
from openral.errors import InputError
from skill_runner_node.camera_agreement import check_info

TOP = load_cameras(Path(__file__).parents[2] / "config" / "cameras.yaml")["top"]
K = TOP.model().k.ravel().tolist()


def test_the_configured_calibration_and_an_uncalibrated_camera_are_taken() -> None:
    check_info("top", TOP, 640, 480, K, 2.0)
    check_info("top", TOP, 640, 480, [K[0] + 1.9, *K[1:]], 2.0)
    check_info("top", TOP, 640, 480, [0.0] * 9, 2.0)


@pytest.mark.parametrize(
    ("size", "k", "words"),
    [
        ((320, 240), K, "640x480 px, as configured, got 320x240"),
        ((640, 480), [K[0] + 2.1, *K[1:]], f"got {K[0] + 2.1:.1f}, "),
        ((640, 480), [*K[:5], K[5] + 40.0, *K[6:]], "within 2 px"),
        ((640, 480), [float("nan")] * 9, "nine finite values"),
        ((640, 480), [1.0], "nine finite values"),
    ],
)
def test_a_contradiction_says_expected_and_got(
    size: tuple[int, int], k: list[float], words: str
) -> None:
    with pytest.raises(InputError) as error:
        check_info("top", TOP, *size, k, 2.0)
    assert words in str(error.value)

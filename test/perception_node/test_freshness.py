"""A silent, lagging or frozen camera is told from a living one."""

from __future__ import annotations

import pytest

from perception_node.freshness import (
    CameraFreshness,
    CameraState,
    FreshnessLimits,
    fingerprint,
)

LIMITS = FreshnessLimits(stale_after_s=1.0, first_image_after_s=5.0, frozen_pixels_after_s=3.0)


def ns(seconds: float) -> int:
    return round(seconds * 1e9)


def camera(limits: FreshnessLimits = LIMITS) -> CameraFreshness:
    return CameraFreshness("top", limits, now=100.0)


def test_before_the_first_image_it_waits_then_is_silent() -> None:
    top = camera()
    assert top.health(104.9).state is CameraState.WAITING
    assert not top.health(104.9).stale
    late = top.health(105.1)
    assert late.state is CameraState.SILENT
    assert late.stale
    assert "top" in late.reason


def test_regular_images_keep_it_live() -> None:
    top = camera()
    for i in range(20):
        now = 100.0 + 0.25 * i
        assert top.on_image(now, ns(now - 0.05), fingerprint=i)
        assert top.health(now).state is CameraState.LIVE
    assert top.health(now).age_s == pytest.approx(0.05)


def test_silence_is_noticed_and_a_new_image_ends_it() -> None:
    top = camera()
    top.on_image(100.0, ns(100.0), 1)
    assert top.health(101.0).state is CameraState.LIVE
    assert top.health(101.01).state is CameraState.SILENT
    assert "none for 1.0 s" in top.health(101.04).reason
    top.on_image(102.0, ns(102.0), 2)
    assert top.health(102.0).state is CameraState.LIVE


def test_a_repeated_stamp_is_no_new_image_and_means_frozen() -> None:
    top = camera()
    assert top.on_image(100.0, ns(100.0), 1)
    for i in range(1, 6):
        assert not top.on_image(100.0 + 0.25 * i, ns(100.0), 1)
    assert top.health(101.25).state is CameraState.FROZEN
    assert "stamp" in top.health(101.25).reason


def test_identical_pixels_under_new_stamps_mean_frozen_where_judged() -> None:
    judged, trusting = camera(), camera(FreshnessLimits(1.0, 5.0))
    for i in range(16):
        now = 100.0 + 0.25 * i
        judged.on_image(now, ns(now), 42)
        trusting.on_image(now, ns(now), 42)
    assert judged.health(103.75).state is CameraState.FROZEN
    assert trusting.health(103.75).state is CameraState.LIVE


@pytest.mark.parametrize("offset", [-5.0, 5.0])
def test_stamps_of_another_clock_are_lagging(offset: float) -> None:
    top = camera()
    for i in range(6):
        top.on_image(100.0 + 0.25 * i, ns(100.0 + 0.25 * i + offset), i)
    assert top.health(101.0).state is CameraState.LIVE
    assert top.health(101.25).state is CameraState.LAGGING
    assert "clock" in top.health(101.25).reason


def test_one_late_image_is_no_failure() -> None:
    top = camera()
    for i in range(8):
        lag = 2.5 if i == 4 else 0.1
        top.on_image(100.0 + 0.25 * i, ns(100.0 + 0.25 * i - lag), i)
        assert top.health(100.0 + 0.25 * i).state is CameraState.LIVE


def test_the_fingerprint_follows_the_pixels() -> None:
    data = bytearray(640 * 480 * 3)
    before = fingerprint(data)
    assert fingerprint(bytes(data)) == before
    data[97 * 1000 : 97 * 1000 + 97] = bytes([9]) * 97
    assert fingerprint(data) != before

"""Tells a camera that lives from one that went silent, lags, or repeats an old image.

Pure: times are handed in. `now` and the stamps are on the same clock.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from openral.units import NANOSECONDS

# One byte in so many is summed up: a prime, so that every channel and column has its turn.
_FINGERPRINT_STRIDE = 97


def fingerprint(data: Any) -> int:
    """A checksum of an image's bytes that differs, in practice, whenever the picture does."""
    return zlib.adler32(np.frombuffer(data, np.uint8)[::_FINGERPRINT_STRIDE].tobytes())


class CameraState(str, Enum):
    """What a camera's images say about it."""

    WAITING = "waiting"
    LIVE = "live"
    SILENT = "silent"
    LAGGING = "lagging"
    FROZEN = "frozen"


@dataclass(frozen=True)
class CameraHealth:
    """A camera's state at one moment.

    Attributes:
        state: see `CameraState`; usable are LIVE and, at start, WAITING.
        age_s: Time since the newest image's stamp [s]; since the start if there was none.
        reason: One line for a person: expected, got.
    """

    state: CameraState
    age_s: float
    reason: str

    @property
    def stale(self) -> bool:
        """Whether what was seen must not be taken for what is."""
        return self.state in (CameraState.SILENT, CameraState.LAGGING, CameraState.FROZEN)


@dataclass(frozen=True)
class FreshnessLimits:
    """Limits, all in seconds.

    Attributes:
        stale_after_s: Longest time without a new image, and longest age of an image on arrival.
        first_image_after_s: Longest wait for the first image: a camera may start after this node.
        frozen_pixels_after_s: Longest time of identical pixels under advancing stamps; 0 = never
            judged, for cameras without noise such as simulated ones looking at a still scene.
    """

    stale_after_s: float
    first_image_after_s: float
    frozen_pixels_after_s: float = 0.0


class CameraFreshness:
    """Follows one camera's images. Feed every arrival, ask at any time."""

    def __init__(self, camera: str, limits: FreshnessLimits, now: float) -> None:
        self._camera = camera
        self._limits = limits
        self._started = now
        self._arrival: float | None = None
        self._new_stamp_at = now
        self._new_pixels_at = now
        self._on_time_at = now
        self._lag = 0.0
        self._stamp_ns: int | None = None
        self._fingerprint: int | None = None

    def on_image(self, now: float, stamp_ns: int, fingerprint: int) -> bool:
        """Books an arrived image.

        Args:
            now: Time of arrival [s].
            stamp_ns: The image's stamp [ns].
            fingerprint: A checksum of its pixels.

        Returns:
            Whether the image is a new one: its stamp differs from the last one's.
        """
        first = self._arrival is None
        self._arrival = now
        is_new = stamp_ns != self._stamp_ns
        if is_new:
            self._new_stamp_at = now
            self._stamp_ns = stamp_ns
            self._lag = now - stamp_ns / NANOSECONDS
            # One late image is no failure: a renderer or driver stalls when it starts.
            if first or abs(self._lag) <= self._limits.stale_after_s:
                self._on_time_at = now
        if fingerprint != self._fingerprint:
            self._new_pixels_at = now
            self._fingerprint = fingerprint
        return is_new

    def health(self, now: float) -> CameraHealth:
        """The camera's state at `now` [s]."""
        limit = self._limits.stale_after_s
        name = f"camera {self._camera}"
        if self._arrival is None or self._stamp_ns is None:
            silent = now - self._started
            if silent <= self._limits.first_image_after_s:
                return CameraHealth(CameraState.WAITING, silent, f"{name}: no image yet")
            return CameraHealth(
                CameraState.SILENT, silent, f"{name}: no image for {silent:.1f} s since the start"
            )
        age = now - self._stamp_ns / NANOSECONDS
        silent = now - self._arrival
        if silent > limit:
            reason = f"{name}: expected an image every {limit:.1f} s, none for {silent:.1f} s"
            return CameraHealth(CameraState.SILENT, age, reason)
        repeated = now - self._new_stamp_at
        if repeated > limit:
            reason = f"{name}: the same image stamp for {repeated:.1f} s, expected a new one"
            return CameraHealth(CameraState.FROZEN, age, reason)
        if now - self._on_time_at > limit:
            reason = (
                f"{name}: image stamps are {self._lag:.1f} s behind this clock,"
                f" expected at most {limit:.1f} s; check the clocks"
            )
            return CameraHealth(CameraState.LAGGING, age, reason)
        same = now - self._new_pixels_at
        pixel_limit = self._limits.frozen_pixels_after_s
        if pixel_limit > 0.0 and same > pixel_limit:
            reason = f"{name}: identical pixels for {same:.1f} s, expected a change"
            return CameraHealth(CameraState.FROZEN, age, reason)
        return CameraHealth(CameraState.LIVE, age, f"{name}: live")

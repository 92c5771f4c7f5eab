"""Whether a camera's own calibration is the configured one, by which pixels become positions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from openral.camera_model import Array, CameraConfig

TOLERANCE = 0.02
"""Share of the configured value; both of a focal length and of the principal point it moves a pixel
at the edge of the image by as much."""


def camera_info_problem(
    camera: str,
    config: CameraConfig,
    k: Sequence[float],
    width: int,
    height: int,
    *,
    tolerance: float,
    file: str,
) -> str:
    """Why `sensor_msgs/CameraInfo` contradicts the configuration; empty = it does not.

    Args:
        camera: Its name.
        config: As configured.
        k: Nine row-major values of the intrinsic matrix; all 0 = not calibrated (REP 104): then
            only the size is compared.
        width: Of the image [px].
        height: Of the image [px].
        tolerance: Share of the configured fx, fy, cx, cy that each may be off.
        file: That configures it, for the message.
    """
    size = f"{config.width}x{config.height} px"
    said = f"{width}x{height} px"
    wanted = config.model().k.ravel()
    values = np.asarray(k, dtype=np.float64).ravel()
    if values.shape != (9,) or not np.isfinite(values).all():
        said = f"{list(k)[:9]} for k, expected nine finite values"
    elif values.any():
        said += f" and {_four(values)}"
        # Where there is no value to take a share of (skew, last row), the share is of 1.
        largest = tolerance * np.where(wanted == 0.0, 1.0, wanted)
        if (width, height) == (config.width, config.height) and (
            np.abs(values - wanted) <= largest
        ).all():
            return ""
    elif (width, height) == (config.width, config.height):
        return ""
    return (
        f"camera_info disagrees with config/{file} for camera {camera}: expected {size} and"
        f" {_four(wanted)}, each within {100.0 * tolerance:g} %, got {said}"
    )


def _four(k: Array) -> str:
    named = zip(("fx", "fy", "cx", "cy"), (0, 4, 2, 5), strict=True)
    return ", ".join(f"{name} {k[index]:.1f}" for name, index in named)

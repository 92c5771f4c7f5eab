"""Whether a camera's own calibration is the configured one, by which pixels become positions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from openral.camera_model import CameraConfig
from openral.errors import InputError


def check_info(
    name: str,
    camera: CameraConfig,
    width: int,
    height: int,
    k: Sequence[float],
    tolerance_px: float,
) -> None:
    """Compares `sensor_msgs/CameraInfo` with the configuration.

    Args:
        name: Of the camera.
        camera: As configured.
        width: [px] in the message.
        height: [px] in the message.
        k: Nine values, row by row; all zero = not calibrated, and then only the size counts.
        tolerance_px: [px] that focal lengths and principal point may differ.

    Raises:
        InputError: If they contradict each other; says expected and got.
    """
    if (width, height) != (camera.width, camera.height):
        raise InputError(
            f"camera_info of '{name}' for {camera.width}x{camera.height} px, as configured",
            f"{width}x{height}",
        )
    values = np.asarray(k, dtype=float).ravel()
    if values.shape != (9,) or not np.isfinite(values).all():
        raise InputError(f"camera_info of '{name}' with nine finite values of k", f"{list(k)}")
    if not values.any():
        return
    wanted = camera.model().k.ravel()
    if float(np.abs(values - wanted).max()) > tolerance_px:
        raise InputError(
            f"camera_info of '{name}' with fx, fy, cx, cy within {tolerance_px:g} px of"
            f" {_four(wanted)}, as configured",
            _four(values),
        )


def _four(k: np.ndarray) -> str:
    return ", ".join(f"{k[index]:.1f}" for index in (0, 4, 2, 5))

"""Holds what a camera says of itself against the calibration that positions are computed with.

A grasp is planned from pixels and the configured camera: an image of another size, or through
another lens, would send the arm to another place. Such a camera is not looked through.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from openral.camera_agreement import camera_info_problem
from openral.camera_model import CameraConfig
from openral.errors import InputError
from openral.image import LARGEST_SIDE


class Calibration:
    """One camera's configured size and intrinsics, and whether its messages agree.

    Attributes:
        problem: Why the newest camera_info contradicts it; empty = it does not, or none came.
    """

    def __init__(
        self,
        camera: str,
        config: CameraConfig | None,
        tolerance: float,
        file: str,
        tell_period_s: float,
    ) -> None:
        """Args: `config` None = `file` does not name this camera, so nothing is compared;
        `tolerance` is the share of the configured fx, fy, cx, cy that each may be off;
        `tell_period_s` is the least time between two changes that are told [s].
        """
        self._camera = camera
        self._config = config
        self._tolerance = tolerance
        self._file = file
        self._tell_period_s = tell_period_s
        self._told = False
        self._told_at = -math.inf
        self.problem = ""

    def on_info(self, now: float, k: Sequence[float], width: int, height: int) -> bool:
        """Compares a camera_info; returns whether to tell that the camera began or ceased to agree.

        Other numbers in a contradiction are no news, and of two publishers that take turns no more
        is told than one change in a period.

        Args:
            now: Time [s].
            k: Nine row-major values of the intrinsic matrix; all 0 = not calibrated (REP 104): then
                only the size is compared.
            width: Of the image [px].
            height: Of the image [px].
        """
        self.problem = self._contradiction(k, width, height)
        if bool(self.problem) == self._told or abs(now - self._told_at) < self._tell_period_s:
            return False
        self._told, self._told_at = bool(self.problem), now
        return True

    def check_image(self, width: int, height: int) -> None:
        """Passes an image of the configured size; where none is configured, one of a camera's.

        Raises:
            InputError: It has another one.
        """
        config = self._config
        if config is None and max(width, height) > LARGEST_SIDE:
            raise InputError(
                f"an image of at most {LARGEST_SIDE} px a side", f"{width}x{height} px"
            )
        if config is not None and (width, height) != (config.width, config.height):
            raise InputError(
                f"{config.width}x{config.height} px as in config/{self._file}",
                f"{width}x{height} px",
                "calibrate this size, or set the camera's",
            )

    def _contradiction(self, k: Sequence[float], width: int, height: int) -> str:
        if self._config is None:
            return ""
        return camera_info_problem(
            self._camera,
            self._config,
            k,
            width,
            height,
            tolerance=self._tolerance,
            file=self._file,
        )

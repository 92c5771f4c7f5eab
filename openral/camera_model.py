"""Pinhole camera: from pixels to rays and back, in world coordinates.

Frames: the optical frame is REP-103 (z forward, x right, y down). Pixels are continuous with the
centre of the first pixel at (0, 0), as in ROS, so the image spans [-0.5, width - 0.5].
Distances in metres.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, field_validator

from openral import yaml_file
from openral.errors import InputError
from openral.image import LARGEST_SIDE

Array = npt.NDArray[np.float64]

_UNIT_TOLERANCE = 1e-3


@dataclass(frozen=True, eq=False)
class CameraModel:
    """A calibrated pinhole camera at a known place.

    Attributes:
        width, height: image size [px].
        fx, fy: focal lengths [px].
        cx, cy: principal point [px].
        pose: world_from_optical, homogeneous matrix, shape (4, 4).
    """

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    pose: Array

    def __post_init__(self) -> None:
        if self.width <= 0 or self.height <= 0 or not (self.fx > 0 and self.fy > 0):
            raise InputError(
                expected="width, height, fx, fy > 0",
                got=f"{self.width}, {self.height}, {self.fx}, {self.fy}",
                do="check the camera_info",
            )
        pose = np.array(self.pose, dtype=np.float64)
        if pose.shape != (4, 4) or not np.isfinite(pose).all():
            raise InputError(
                expected="a finite pose of shape (4, 4)",
                got=f"shape {pose.shape}",
                do="give world_from_optical as a homogeneous matrix",
            )
        pose.setflags(write=False)
        object.__setattr__(self, "pose", pose)

    @property
    def k(self) -> Array:
        """Intrinsic matrix, shape (3, 3)."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    def project(self, points_world: npt.ArrayLike) -> Array:
        """Pixels of world points: shape (..., 3) [m] to (..., 2) [px]; NaN behind the camera."""
        points = np.asarray(points_world, dtype=np.float64)
        local = (points - self.pose[:3, 3]) @ self.pose[:3, :3]
        depth = np.where(local[..., 2] > 1e-9, local[..., 2], np.nan)
        u = self.fx * local[..., 0] / depth + self.cx
        v = self.fy * local[..., 1] / depth + self.cy
        return np.stack([u, v], axis=-1)

    def depth(self, points_world: npt.ArrayLike) -> Array:
        """Distance along the optical axis [m] of world points, shape (..., 3) to (...)."""
        points = np.asarray(points_world, dtype=np.float64)
        local: Array = (points - self.pose[:3, 3]) @ self.pose[:3, 2]
        return local

    def unproject(self, px: npt.ArrayLike, depth_m: npt.ArrayLike) -> Array:
        """World points [m], shape (..., 3), of pixels (..., 2) at a depth (...) along the axis."""
        depth = np.asarray(depth_m, dtype=np.float64)[..., np.newaxis]
        world: Array = self.pose[:3, 3] + depth * self._rays(px)
        return world

    def ray_plane(self, px: npt.ArrayLike, z: float) -> Array:
        """Where the pixels' rays meet the horizontal plane at height `z` [m].

        Shape (..., 2) to (..., 3); NaN where the ray never meets the plane.
        """
        rays = self._rays(px)
        with np.errstate(divide="ignore", invalid="ignore"):
            depth = (z - self.pose[2, 3]) / rays[..., 2]
        depth = np.where(np.isfinite(depth) & (depth > 0.0), depth, np.nan)
        world: Array = self.pose[:3, 3] + depth[..., np.newaxis] * rays
        return world

    def sees(self, points_world: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether each world point, shape (..., 3), falls inside the image."""
        px = self.project(points_world)
        limit = np.array([self.width - 0.5, self.height - 0.5])
        with np.errstate(invalid="ignore"):
            inside = ((px >= -0.5) & (px <= limit)).all(axis=-1)
        return np.asarray(inside, dtype=np.bool_)

    def _rays(self, px: npt.ArrayLike) -> Array:
        """Directions in the world with unit length along the optical axis."""
        pixels = np.asarray(px, dtype=np.float64)
        x = (pixels[..., 0] - self.cx) / self.fx
        y = (pixels[..., 1] - self.cy) / self.fy
        local = np.stack([x, y, np.ones_like(x)], axis=-1)
        rays: Array = local @ self.pose[:3, :3].T
        return rays


class CameraConfig(BaseModel):
    """One camera of `config/cameras.yaml`: on a real robot, its hand-eye calibration."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    parent: str = Field(min_length=1, description="frame the camera is fixed to")
    position: Annotated[tuple[float, float, float], Field(description="[m], in the parent")]
    orientation: Annotated[
        tuple[float, float, float, float],
        Field(description="quaternion x y z w of the optical frame in the parent"),
    ]
    width: int = Field(ge=16, le=LARGEST_SIDE, description="[px]")
    height: int = Field(ge=16, le=LARGEST_SIDE, description="[px]")
    fovy_deg: float = Field(gt=1.0, lt=170.0, description="vertical field of view [deg]")
    rate_hz: float = Field(gt=0.0, le=60.0, description="image rate [Hz]")
    depth: bool = Field(description="whether a depth image comes with each colour image")

    @field_validator("position", "orientation")
    @classmethod
    def _finite(cls, value: tuple[float, ...]) -> tuple[float, ...]:
        if not all(math.isfinite(v) for v in value):
            raise ValueError("values must be finite")
        return value

    @field_validator("orientation")
    @classmethod
    def _unit(cls, value: tuple[float, ...]) -> tuple[float, ...]:
        norm = math.sqrt(sum(v * v for v in value))
        if abs(norm - 1.0) > _UNIT_TOLERANCE:
            raise ValueError(f"quaternion must have length 1, got {norm:.4f}")
        return value

    @property
    def focal_px(self) -> float:
        """Focal length [px] of square pixels."""
        return 0.5 * self.height / math.tan(math.radians(self.fovy_deg) / 2.0)

    @property
    def parent_from_optical(self) -> Array:
        """Pose of the optical frame in its parent, shape (4, 4)."""
        return pose_matrix(self.position, self.orientation)

    def model(self, world_from_parent: Array | None = None) -> CameraModel:
        """The camera with its parent at `world_from_parent`, shape (4, 4); None: the world."""
        pose = self.parent_from_optical
        if world_from_parent is not None:
            pose = np.asarray(world_from_parent, dtype=np.float64) @ pose
        return CameraModel(
            width=self.width,
            height=self.height,
            fx=self.focal_px,
            fy=self.focal_px,
            cx=(self.width - 1) / 2.0,
            cy=(self.height - 1) / 2.0,
            pose=pose,
        )


def pose_matrix(position: Sequence[float], quaternion_xyzw: Sequence[float]) -> Array:
    """Homogeneous matrix, shape (4, 4), of a position [m] and a unit quaternion x y z w."""
    x, y, z, w = np.asarray(quaternion_xyzw, dtype=np.float64) / np.linalg.norm(quaternion_xyzw)
    pose = np.eye(4)
    pose[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    pose[:3, 3] = position
    return pose


class _CamerasFile(BaseModel):
    """The content of `config/cameras.yaml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cameras: dict[str, CameraConfig] = Field(min_length=1)


def load_cameras(path: str | Path) -> dict[str, CameraConfig]:
    """Read `config/cameras.yaml`: camera name to configuration.

    Raises:
        ConfigError: Names the file, and the line or each bad field with its value.
    """
    return yaml_file.load(Path(path), _CamerasFile).cameras

"""Meshes made in code: boxes and surfaces of revolution, with texture coordinates.

Texture coordinates are (u right, v down), as an image is stored: (0, 0) is the first pixel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Rect = tuple[float, float, float, float]
"""A part of a texture: u0, v0, u1, v1, each from 0 to 1."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles with their own texture coordinates.

    Attributes:
        vertices: shape (n, 3) [m].
        faces: vertex indices, shape (m, 3), counter-clockwise seen from outside.
        uv: texture coordinates per vertex, shape (n, 2).
    """

    vertices: npt.NDArray[np.float64]
    faces: npt.NDArray[np.int32]
    uv: npt.NDArray[np.float64]


def merge(parts: Sequence[Mesh]) -> Mesh:
    """One mesh of several."""
    offsets = np.cumsum([0] + [len(part.vertices) for part in parts[:-1]])
    return Mesh(
        vertices=np.concatenate([part.vertices for part in parts]),
        faces=np.concatenate(
            [part.faces + offset for part, offset in zip(parts, offsets, strict=True)]
        ).astype(np.int32),
        uv=np.concatenate([part.uv for part in parts]),
    )


def quad(corners: Sequence[Sequence[float]], rect: Rect) -> Mesh:
    """A flat rectangle. Corners, seen from outside: top left, top right, bottom right, left."""
    u0, v0, u1, v1 = rect
    return Mesh(
        vertices=np.array(corners, dtype=np.float64),
        faces=np.array([[0, 2, 1], [0, 3, 2]], dtype=np.int32),
        uv=np.array([[u0, v0], [u1, v0], [u1, v1], [u0, v1]]),
    )


def box(
    size: tuple[float, float, float],
    *,
    front: Rect,
    right: Rect,
    back: Rect,
    left: Rect,
    top: Rect,
    bottom: Rect,
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> Mesh:
    """A box of `size` x, y, z [m] about `centre`; its front looks along +x, its right along +y."""
    x, y, z = (s / 2 for s in size)
    mesh = merge(
        [
            quad([(x, -y, z), (x, y, z), (x, y, -z), (x, -y, -z)], front),
            quad([(x, y, z), (-x, y, z), (-x, y, -z), (x, y, -z)], right),
            quad([(-x, y, z), (-x, -y, z), (-x, -y, -z), (-x, y, -z)], back),
            quad([(-x, -y, z), (x, -y, z), (x, -y, -z), (-x, -y, -z)], left),
            quad([(-x, -y, z), (-x, y, z), (x, y, z), (x, -y, z)], top),
            quad([(x, -y, -z), (x, y, -z), (-x, y, -z), (-x, -y, -z)], bottom),
        ]
    )
    return Mesh(mesh.vertices + np.array(centre), mesh.faces, mesh.uv)


def revolve(profile: Sequence[tuple[float, float]], rect: Rect, *, segments: int = 36) -> Mesh:
    """A surface of revolution about z.

    `profile` lists (radius, z) [m] upwards on the outside. The texture wraps once around, its
    middle looking along +x; v follows the length of the profile, from `rect`'s bottom up.
    """
    points = np.array(profile, dtype=np.float64)
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    u0, v0, u1, v1 = rect
    ring = np.arange(segments + 1) / segments
    angle = 2.0 * math.pi * (ring - 0.5)
    vertices = np.stack(
        [
            points[:, :1] * np.cos(angle),
            points[:, :1] * np.sin(angle),
            np.broadcast_to(points[:, 1:], (len(points), segments + 1)),
        ],
        axis=-1,
    ).reshape(-1, 3)
    along = length / length[-1]
    uv = np.stack(
        [
            np.broadcast_to(u0 + ring * (u1 - u0), (len(points), segments + 1)),
            np.broadcast_to((v1 + along * (v0 - v1))[:, None], (len(points), segments + 1)),
        ],
        axis=-1,
    ).reshape(-1, 2)
    row = segments + 1
    below = (np.arange(len(points) - 1)[:, None] * row + np.arange(segments)).reshape(-1)
    above = below + row
    faces = np.concatenate(
        [
            np.stack([below, below + 1, above + 1], axis=1),
            np.stack([below, above + 1, above], axis=1),
        ]
    )
    return Mesh(vertices, _without_slivers(vertices, faces), uv)


def disc(radius: float, z: float, rect: Rect, *, up: bool, segments: int = 36) -> Mesh:
    """A flat disc at height `z` [m] that looks up or down; the texture is seen from above."""
    u0, v0, u1, v1 = rect
    angle = 2.0 * math.pi * np.arange(segments) / segments
    vertices = np.zeros((segments + 1, 3))
    vertices[1:, 0] = radius * np.cos(angle)
    vertices[1:, 1] = radius * np.sin(angle)
    vertices[:, 2] = z
    unit = vertices[:, :2] / (2.0 * radius)
    uv = np.stack([u0 + (unit[:, 1] + 0.5) * (u1 - u0), v0 + (unit[:, 0] + 0.5) * (v1 - v0)], 1)
    rim = 1 + np.arange(segments)
    after = 1 + (np.arange(segments) + 1) % segments
    hub = np.zeros(segments, dtype=np.int64)
    order = [hub, rim, after] if up else [hub, after, rim]
    return Mesh(vertices, np.stack(order, axis=1).astype(np.int32), uv)


def _without_slivers(
    vertices: npt.NDArray[np.float64], faces: npt.NDArray[np.int64]
) -> npt.NDArray[np.int32]:
    """Faces with an area; a profile that starts or ends on the axis makes empty ones."""
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    kept: npt.NDArray[np.int32] = faces[area > 1e-12].astype(np.int32)
    return kept

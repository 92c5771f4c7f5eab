"""Fewer triangles for the robot's meshes: software rendering is paid per triangle.

Vertex clustering (Rossignac and Borrel, "Multi-resolution 3D approximations for rendering
complex scenes", 1993): vertices in one grid cell become their mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from openral.errors import ConfigError


@dataclass(frozen=True, eq=False)
class TexturedTriangles:
    """Triangles that each take one colour of a palette texture.

    Attributes:
        vertices: shape (n, 3) [m].
        faces: vertex indices, shape (m, 3).
        uv: texture coordinates, shape (k, 2), v down.
        face_uv: indices into `uv`, shape (m, 3).
    """

    vertices: npt.NDArray[np.float64]
    faces: npt.NDArray[np.int32]
    uv: npt.NDArray[np.float64]
    face_uv: npt.NDArray[np.int32]


def read_obj(path: Path) -> TexturedTriangles:
    """Read the triangles of a Wavefront OBJ file; faces have the form `v/vt` or `v/vt/vn`.

    Raises:
        ConfigError: the file is missing or has no triangles in that form.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        vertices = _numbers(lines, "v ", float)[:, :3]
        uv = _numbers(lines, "vt ", float)[:, :2]
        corners = _numbers(lines, "f ", int)
        # v/vt or v/vt/vn at each of three corners
        per_corner = corners.shape[1] // 3
        if corners.shape[1] not in (6, 9):
            raise ValueError(f"{corners.shape[1]} numbers in a face")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: no triangles with texture coordinates: {error}") from error
    indices = corners.reshape(-1, 3, per_corner).astype(np.int32) - 1
    uv[:, 1] = 1.0 - uv[:, 1]
    return TexturedTriangles(vertices, indices[..., 0], uv, indices[..., 1])


def _numbers(lines: list[str], kind: str, number: type) -> npt.NDArray[Any]:
    """The numbers on all lines of a kind, one row a line; all rows equally long."""
    rows = [line[len(kind) :].replace("/", " ") for line in lines if line.startswith(kind)]
    if not rows:
        raise ValueError(f"no line {kind.strip()!r}")
    values: npt.NDArray[Any] = np.array(" ".join(rows).split(), dtype=number)
    return values.reshape(len(rows), -1)


def cluster(mesh: TexturedTriangles, cell: float) -> TexturedTriangles:
    """The same surface with its details below `cell` [m] gone."""
    keys = np.floor(mesh.vertices / cell).astype(np.int64)
    _, group = np.unique(keys, axis=0, return_inverse=True)
    group = group.reshape(-1)
    count = np.bincount(group).astype(np.float64)
    vertices = np.stack([np.bincount(group, mesh.vertices[:, i]) / count for i in range(3)], 1)
    faces = group[mesh.faces]
    kept = (
        (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 0] != faces[:, 2])
    )
    faces, face_uv = faces[kept], mesh.face_uv[kept]
    # Two sheets of a thin wall fall on the same corners: one of each set is enough, and the set
    # keeps its first orientation.
    _, first = np.unique(np.sort(faces, axis=1), axis=0, return_index=True)
    first.sort()
    # A palette texture: the colour at the middle of a face is the face's colour, and a face that
    # spans two colours must not show the palette's stripes in between.
    uv = mesh.uv[face_uv[first]].mean(axis=1)
    indices = np.repeat(np.arange(len(first), dtype=np.int32)[:, None], 3, axis=1)
    return TexturedTriangles(vertices, faces[first].astype(np.int32), uv, indices)

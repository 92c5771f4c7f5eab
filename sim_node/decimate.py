"""Fewer triangles for the robot's meshes: software rendering is paid per triangle.

Vertex clustering (Rossignac and Borrel, "Multi-resolution 3D approximations for rendering
complex scenes", 1993): vertices in one grid cell become their mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

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
    vertices: list[list[float]] = []
    uv: list[list[float]] = []
    faces: list[list[int]] = []
    face_uv: list[list[int]] = []
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "v":
                vertices.append([float(x) for x in rest.split()[:3]])
            elif kind == "vt":
                u, v = (float(x) for x in rest.split()[:2])
                uv.append([u, 1.0 - v])
            elif kind == "f":
                corners = [corner.split("/") for corner in rest.split()]
                for i in range(1, len(corners) - 1):
                    triangle = (corners[0], corners[i], corners[i + 1])
                    faces.append([int(c[0]) - 1 for c in triangle])
                    face_uv.append([int(c[1]) - 1 for c in triangle])
    except (OSError, ValueError, IndexError) as error:
        raise ConfigError(f"{path}: no mesh with texture coordinates: {error}") from error
    if not faces:
        raise ConfigError(f"{path}: expected triangles, got none")
    return TexturedTriangles(
        np.array(vertices), np.array(faces, np.int32), np.array(uv), np.array(face_uv, np.int32)
    )


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

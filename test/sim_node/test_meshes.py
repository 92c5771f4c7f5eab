import math

import numpy as np
import pytest

from sim_node.meshes import box, disc, merge, quad, revolve

WHOLE = (0.0, 0.0, 1.0, 1.0)
FACES = ("front", "right", "back", "left", "top", "bottom")


def volume(mesh) -> float:
    """By the divergence theorem: positive when every face looks outwards."""
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def test_a_box_is_closed_and_looks_outwards():
    mesh = box((0.1, 0.2, 0.3), **dict.fromkeys(FACES, WHOLE))
    assert volume(mesh) == pytest.approx(0.006)


def test_every_face_of_a_box_shows_its_own_picture():
    rects = {name: (i / 6, 0.0, (i + 1) / 6, 1.0) for i, name in enumerate(FACES)}
    mesh = box((0.1, 0.2, 0.3), **rects)
    normals = [(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    for i, normal in enumerate(normals):
        for face in mesh.faces[2 * i : 2 * i + 2]:
            a, b, c = mesh.vertices[face]
            assert np.cross(b - a, c - a) @ normal > 0.0
            u = mesh.uv[face][:, 0]
            assert i / 6 - 1e-9 <= u.min() < u.max() <= (i + 1) / 6 + 1e-9


def test_a_side_picture_stands_upright():
    mesh = box((0.1, 0.2, 0.3), **dict.fromkeys(FACES, WHOLE))
    front = mesh.vertices[:4]
    top, bottom = mesh.uv[:4][front[:, 2] > 0.0], mesh.uv[:4][front[:, 2] < 0.0]
    assert (top[:, 1] == 0.0).all()
    assert (bottom[:, 1] == 1.0).all()
    # Seen from +x, +y is on the right.
    assert (mesh.uv[:4][front[:, 1] > 0.0][:, 0] == 1.0).all()


def test_a_can_has_the_volume_of_a_cylinder():
    can = merge(
        [
            revolve([(0.03, -0.05), (0.03, 0.05)], WHOLE, segments=90),
            disc(0.03, 0.05, WHOLE, up=True, segments=90),
            disc(0.03, -0.05, WHOLE, up=False, segments=90),
        ]
    )
    assert volume(can) == pytest.approx(math.pi * 0.03**2 * 0.1, rel=2e-3)


def test_a_profile_that_ends_on_the_axis_is_closed():
    # A double cone: 2 * pi r^2 h / 3.
    cone = revolve([(0.0, -0.1), (0.05, 0.0), (0.0, 0.1)], WHOLE, segments=90)
    assert volume(cone) == pytest.approx(2 * math.pi * 0.05**2 * 0.1 / 3, rel=2e-3)
    assert len(cone.faces) == 2 * 90


def test_the_middle_of_a_wrapped_picture_looks_along_x():
    mesh = revolve([(0.03, 0.0), (0.03, 0.1)], WHOLE)
    middle = mesh.vertices[np.isclose(mesh.uv[:, 0], 0.5)]
    np.testing.assert_allclose(middle[:, :2], [[0.03, 0.0]] * len(middle), atol=1e-12)


def test_merging_keeps_every_triangle():
    part = quad([(0, 0, 1), (0, 1, 1), (0, 1, 0), (0, 0, 0)], WHOLE)
    both = merge([part, part])
    assert both.faces.tolist() == [[0, 2, 1], [0, 3, 2], [4, 6, 5], [4, 7, 6]]

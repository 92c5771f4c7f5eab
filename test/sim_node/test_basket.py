import numpy as np
import pytest

from sim_node.basket import Basket


def test_the_inside_is_thirty_centimetres_and_the_rim_at_eighteen():
    walls = Basket().boards[1:]
    faces = []
    for centre, size in walls:
        axis = int(np.argmax(np.abs(centre[:2])))
        faces.append(abs(centre[axis]) - size[axis] / 2)
        assert centre[2] + size[2] / 2 == pytest.approx(0.18)
        assert centre[2] - size[2] / 2 == pytest.approx(0.0)
    assert faces == pytest.approx([0.15] * 4)


def test_the_boards_leave_no_gap_at_the_corners():
    # A point in each corner, in the middle of both walls' thickness.
    for x in (-0.154, 0.154):
        for y in (-0.154, 0.154):
            inside = [
                all(abs(p - c) <= s / 2 for p, c, s in zip((x, y, 0.09), centre, size, strict=True))
                for centre, size in Basket().boards
            ]
            assert any(inside)


def test_what_is_seen_ends_at_the_rim():
    vertices = Basket().mesh().vertices
    assert vertices[:, 2].max() == pytest.approx(0.18)
    assert vertices[:, 2].min() == pytest.approx(0.0)
    assert np.abs(vertices[:, :2]).max() < 0.17

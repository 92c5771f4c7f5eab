"""Pieces and their unions, on drawings small enough to count by hand."""

from __future__ import annotations

import numpy as np

from perception_node.detectors import regions
from perception_node.detectors.corners import hull, mostly_inside, touch
from perception_node.detectors.islands import Islands

#   A A A A B B B B . . . . . . C C C C
#   (4 rows of it; A and B touch, C lies 6 px apart)
DRAWING = np.array([[1] * 4 + [2] * 4 + [0] * 6 + [1] * 4] * 4, np.uint8)
CODES = np.zeros(DRAWING.shape, np.uint16)


def cut(least_area: int = 1) -> regions.Pieces:
    return regions.cut(DRAWING, CODES, entries=2, least_area=least_area)


def test_pieces_are_connected_parts_of_one_entry() -> None:
    pieces = cut().pieces
    assert sorted((piece.entry, piece.box, piece.area) for piece in pieces.values()) == [
        (0, (0, 0, 4, 4), 16),
        (0, (14, 0, 18, 4), 16),
        (1, (4, 0, 8, 4), 16),
    ]


def test_small_pieces_are_left_out() -> None:
    assert cut(least_area=17).pieces == {}


def test_only_touching_pieces_unite_within_the_areas() -> None:
    pieces = cut()
    every = list(regions.unions(pieces, 1, 1000))
    assert len(every) == 4  # three single pieces, and A with B
    assert len(set(every)) == 4
    assert [len(u) for u in regions.unions(pieces, 17, 1000)] == [2]
    assert [len(u) for u in regions.unions(pieces, 1, 16)] == [1, 1, 1]


def test_a_whole_island_is_told_from_a_part_and_from_one_at_the_edge() -> None:
    stands_out = np.zeros((12, 40), np.uint8)
    stands_out[4:8, 2:10] = 1
    stands_out[4:8, 36:40] = 1
    choice = np.zeros_like(stands_out)
    choice[4:8, 2:6], choice[4:8, 6:10], choice[4:8, 36:40] = 1, 2, 1
    pieces = regions.cut(choice[::2, ::2], CODES.repeat(2, 0).repeat(2, 1)[:6, :20], 2, 1)
    islands = Islands(stands_out, pieces, 2)
    by_box = {piece.box: number for number, piece in pieces.pieces.items()}
    left, right, edge = by_box[(1, 2, 3, 4)], by_box[(3, 2, 5, 4)], by_box[(18, 2, 20, 4)]
    assert islands.is_whole(frozenset([left, right]))
    assert islands.box(frozenset([left, right])) == (2.0, 4.0, 10.0, 8.0)
    assert not islands.is_whole(frozenset([left]))
    assert islands.box(frozenset([left])) == (2.0, 4.0, 6.0, 8.0)
    assert not islands.is_whole(frozenset([edge]))


def test_corners() -> None:
    a, b = (0.0, 0.0, 10.0, 10.0), (12.0, 0.0, 20.0, 10.0)
    assert hull(a, b) == (0.0, 0.0, 20.0, 10.0)
    assert touch(a, b)
    assert not touch(a, (16.0, 0.0, 24.0, 10.0))  # a gap of 6, half the size is 5
    assert mostly_inside((1.0, 1.0, 9.0, 11.0), a)  # 72 of 80
    assert not mostly_inside((1.0, 5.0, 9.0, 15.0), a)  # 40 of 80

"""Captions are read: none covers another while there is room, and none leaves the picture."""

from __future__ import annotations

import itertools

import numpy as np

from perception_node.captions import Captions

RED, GREEN, BLUE = (200, 0, 0), (0, 200, 0), (0, 0, 200)


def blank() -> np.ndarray:
    return np.full((120, 160, 3), 128, dtype=np.uint8)


def block(picture: np.ndarray, paint: tuple[int, int, int]) -> tuple[slice, slice]:
    """Rows and columns that a caption's colour spans."""
    rows, columns = np.nonzero((picture == paint).all(axis=2))
    return slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1)


def test_one_alone_stands_on_its_corner() -> None:
    picture = blank()
    Captions(picture).write("milk", 20, 60, RED)
    rows, columns = block(picture, RED)
    assert (rows.stop, columns.start) == (61, 20)


def test_one_that_would_cover_another_moves_beside_it() -> None:
    picture = blank()
    captions = Captions(picture)
    for paint in (RED, GREEN, BLUE):
        captions.write("milk", 20, 60, paint)
    rows = [block(picture, paint)[0] for paint in (RED, GREEN, BLUE)]
    for one, other in itertools.combinations(rows, 2):
        assert one.stop <= other.start or other.stop <= one.start
    assert rows[0].stop == 61
    # Each as near as there is room: above, then below.
    high = rows[0].stop - rows[0].start
    assert (rows[1].stop, rows[2].start) == (61 - high, 61)


def test_those_side_by_side_stay_on_one_line() -> None:
    picture = blank()
    captions = Captions(picture)
    captions.write("a", 0, 60, RED)
    captions.write("b", 80, 60, GREEN)
    assert block(picture, RED)[0] == block(picture, GREEN)[0]


def test_where_no_room_is_left_it_is_written_all_the_same() -> None:
    picture = blank()[:20]
    captions = Captions(picture)
    for paint in (RED, GREEN, BLUE):
        captions.write("milk", 0, 18, paint)
    rows, _ = block(picture, BLUE)
    assert rows.stop - rows.start > 5


def test_one_larger_than_the_picture_is_cut() -> None:
    picture = blank()[:6, :30]
    Captions(picture).write("a long word", 10, 6, RED)
    assert tuple(picture[0, 0]) == RED

"""Cuts what stands out from the background into pieces, and unites pieces into things.

A thing of several colours falls into several pieces (a can: its label and its lid), and things that
touch share a piece's border. Which pieces belong together is decided by what they look like
together: every union of up to `MAX_PIECES` neighbouring pieces is a proposal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from perception_node.detectors import colour

MAX_PIECES = 4
_MAX_NEIGHBOURS = 8

Labels = npt.NDArray[np.int32]
MaskImage = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Piece:
    """A connected part of the image whose pixels look like one entry.

    Attributes:
        number: its value in the image of pieces.
        entry: index of the entry that its pixels look like.
        area: [px].
        box: x_min, y_min, x_max, y_max [px].
        histogram: counts per descriptor bin.
    """

    number: int
    entry: int
    area: int
    box: tuple[int, int, int, int]
    histogram: colour.Floats


@dataclass(frozen=True, eq=False)
class Pieces:
    """All pieces of an image and which of them touch.

    Attributes:
        image: number of the piece at every pixel, 0 for none.
        pieces: by number.
        neighbours: numbers of the pieces that touch each piece.
    """

    image: Labels
    pieces: dict[int, Piece]
    neighbours: dict[int, set[int]]


def cut(
    entry_of_pixel: npt.NDArray[np.uint8], codes: colour.Codes, entries: int, least_area: int
) -> Pieces:
    """The pieces of an image.

    Args:
        entry_of_pixel: 1 + index of the entry that each pixel looks like, 0 for the background.
        codes: Colour codes of the same size.
        entries: Number of entries.
        least_area: Smaller pieces are left out [px].
    """
    image = np.zeros(entry_of_pixel.shape, np.int32)
    pieces: dict[int, Piece] = {}
    for entry in range(entries):
        mask = (entry_of_pixel == entry + 1).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
        for label in range(1, count):
            x, y, w, h, area = (int(value) for value in stats[label])
            if area < least_area:
                continue
            number = len(pieces) + 1
            window = labels[y : y + h, x : x + w] == label
            image[y : y + h, x : x + w][window] = number
            counts = colour.histogram(codes[y : y + h, x : x + w][window])
            pieces[number] = Piece(number, entry, area, (x, y, x + w, y + h), counts)
    return Pieces(image, pieces, _touching(image, len(pieces)))


def _touching(image: Labels, count: int) -> dict[int, set[int]]:
    neighbours: dict[int, set[int]] = {number: set() for number in range(1, count + 1)}
    # Three pixels apart still touches: smoothing leaves a seam between pieces.
    for step in (1, 3):
        for first, second in (
            (image[:, :-step], image[:, step:]),
            (image[:-step, :], image[step:, :]),
        ):
            border = (first != second) & (first > 0) & (second > 0)
            pairs = np.unique(np.stack([first[border], second[border]], axis=1), axis=0)
            for a, b in pairs.tolist():
                neighbours[a].add(b)
                neighbours[b].add(a)
    return neighbours


def unions(pieces: Pieces, least_area: float, most_area: float) -> Iterator[frozenset[int]]:
    """Every connected set of up to `MAX_PIECES` pieces of a total area [px] in range, each once."""
    seen: set[frozenset[int]] = set()
    frontier = [frozenset([number]) for number in pieces.pieces]
    while frontier:
        following: list[frozenset[int]] = []
        for union in frontier:
            if union in seen:
                continue
            seen.add(union)
            area = sum(pieces.pieces[number].area for number in union)
            if area > most_area:
                continue
            if area >= least_area:
                yield union
            if len(union) == MAX_PIECES:
                continue
            around: set[int] = set().union(*(pieces.neighbours[number] for number in union)) - union
            # Among many pieces (a hand over the table) the number of sets would explode.
            nearest = sorted(around, key=lambda n: -pieces.pieces[n].area)[:_MAX_NEIGHBOURS]
            following.extend(union | {number} for number in nearest)
        frontier = following

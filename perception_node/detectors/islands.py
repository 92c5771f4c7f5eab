"""Tells a union of pieces that stands alone from one that is cut out of something larger."""

from __future__ import annotations

import cv2
import numpy as np

from perception_node.detectors.corners import Corners
from perception_node.detectors.regions import MaskImage, Pieces


class Islands:
    """What stands out, in full resolution, as parts with background all around."""

    def __init__(self, stands_out: MaskImage, pieces: Pieces, step: int) -> None:
        """Args: `pieces` are of every `step`-th pixel of `stands_out`."""
        self._pieces = pieces
        self._step = step
        _, self._labels, self._stats, _ = cv2.connectedComponentsWithStats(stands_out)
        self._shape = stands_out.shape
        image = pieces.image
        island = self._labels[::step, ::step]
        self._island_of: dict[int, int] = {}
        self._pieces_of: dict[int, set[int]] = {}
        for number, piece in pieces.pieces.items():
            x0, y0, x1, y1 = piece.box
            window = image[y0:y1, x0:x1] == number
            home = int(np.bincount(island[y0:y1, x0:x1][window]).argmax())
            self._island_of[number] = home
            self._pieces_of.setdefault(home, set()).add(number)

    def is_whole(self, union: frozenset[int]) -> bool:
        """Whether the union is all of an island, and the island is not cut by the image's edge."""
        home = self._island_of[next(iter(union))]
        if self._pieces_of[home] != union or home == 0:
            return False
        x, y, w, h, _ = (int(value) for value in self._stats[home])
        height, width = self._shape
        return x > 0 and y > 0 and x + w < width and y + h < height

    def box(self, union: frozenset[int]) -> Corners:
        """The union's box [px]: the island's own where the union is all of it."""
        if not self.is_whole(union):
            return self._coarse_box(union)
        x, y, w, h, _ = (float(v) for v in self._stats[self._island_of[next(iter(union))]])
        return x, y, x + w, y + h

    def _coarse_box(self, union: frozenset[int]) -> Corners:
        boxes = np.array([self._pieces.pieces[number].box for number in union]) * self._step
        low, high = boxes.min(axis=0), boxes.max(axis=0)
        return float(low[0]), float(low[1]), float(high[2]), float(high[3])

"""Words in a picture, each where none that was written before it stands."""

from __future__ import annotations

import cv2

from openral.image import RgbImage

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_WHITE = (255, 255, 255)


class Captions:
    """Writes captions into a picture, white on blocks of colour.

    Args:
        picture: (height, width, 3) uint8; it is drawn into.
    """

    def __init__(self, picture: RgbImage) -> None:
        self._picture = picture
        height, width = picture.shape[:2]
        self._height, self._width = height, width
        self._scale = max(0.35, width / 640.0 * 0.45)
        self._taken: list[tuple[int, int, int, int]] = []

    def write(self, text: str, x: int, bottom: int, paint: tuple[int, int, int]) -> None:
        """Writes `text` with its lower left corner at (x, bottom) [pixel], or as near as is free.

        Where it would cover another one it moves up, then down; where no room is left it covers.
        """
        (text_width, text_height), baseline = cv2.getTextSize(text, _FONT, self._scale, 1)
        wide, high = text_width + 4, text_height + baseline + 2
        left = max(0, min(x, self._width - wide))
        lowest = self._height - high
        wanted = max(0, min(bottom - high, lowest))
        by_distance = sorted(range(max(0, lowest) + 1), key=lambda top: (abs(top - wanted), top))
        top = next((top for top in by_distance if self._is_free(left, top, wide, high)), wanted)
        self._taken.append((left, top, wide, high))
        corner = (left + wide, top + high)
        cv2.rectangle(self._picture, (left, top), corner, paint, cv2.FILLED)
        origin = (left + 2, top + text_height + 1)
        cv2.putText(self._picture, text, origin, _FONT, self._scale, _WHITE, 1, cv2.LINE_AA)

    def _is_free(self, left: int, top: int, wide: int, high: int) -> bool:
        return all(
            left > other_left + other_wide
            or other_left > left + wide
            or top > other_top + other_high
            or other_top > top + high
            for other_left, other_top, other_wide, other_high in self._taken
        )

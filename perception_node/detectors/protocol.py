"""What every detector is to a node: a picture in, named boxes out."""

from __future__ import annotations

from typing import Protocol

from openral.image import RgbImage
from perception_node.detection import RawDetection
from perception_node.locate import Vocabulary
from perception_node.validation import BoxSpace


class Detector(Protocol):
    """A detector; it is called from one thread at a time."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The names that it can be asked for."""

    @property
    def box_space(self) -> BoxSpace | None:
        """The coordinates of its boxes; None = pixels of the picture that it was given."""

    def detect(self, rgb: RgbImage) -> list[RawDetection]:
        """What is in the picture.

        Args:
            rgb: (height, width, 3) uint8 red, green, blue.
        """

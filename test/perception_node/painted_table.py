"""A painted table with simple things on it, for tests that need a picture but no renderer."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from openral.image import RgbImage
from perception_node.catalogue import Crop, Kind, ObjectEntry
from perception_node.teach import add_crop, write_entry

WOOD = (200, 165, 120)


def table(seed: int = 0, width: int = 320, height: int = 240) -> RgbImage:
    """A wooden table with grain."""
    rng = np.random.default_rng(seed)
    grain = rng.normal(0.0, 4.0, (height, width, 1))
    return np.clip(np.array(WOOD) + grain, 0, 255).astype(np.uint8)


def block(picture: RgbImage, x: int, y: int, top: tuple, bottom: tuple, size: int = 40) -> None:
    """A block of two colours, with its upper left corner at (x, y)."""
    half = size // 2
    picture[y : y + half, x : x + size] = top
    picture[y + half : y + size, x : x + size] = bottom


RED, WHITE, GREEN, YELLOW, BLACK = (
    (200, 30, 30),
    (235, 235, 230),
    (30, 140, 60),
    (240, 210, 40),
    (30, 30, 34),
)


def flag(picture: RgbImage, x: int, y: int) -> None:
    """The thing called "flag": red over white."""
    block(picture, x, y, RED, WHITE)


def leaf(picture: RgbImage, x: int, y: int) -> None:
    """The thing called "leaf": green over yellow."""
    block(picture, x, y, GREEN, YELLOW)


def crate(picture: RgbImage, x: int, y: int) -> None:
    """The container called "crate": a dark blue board of 120 x 100 px."""
    picture[y : y + 100, x : x + 120] = (40, 50, 110)


def teach_all(folder: Path) -> Path:
    """A catalogue of flag, leaf and crate."""
    for label, paint, kind, size in (
        ("flag", flag, Kind.OBJECT, (40, 40)),
        ("leaf", leaf, Kind.OBJECT, (40, 40)),
        ("crate", crate, Kind.CONTAINER, (120, 100)),
    ):
        picture = table()
        paint(picture, 100, 80)
        crop = picture[80 : 80 + size[1], 100 : 100 + size[0]].copy()
        write_entry(
            folder / label, ObjectEntry(label=label, synonyms=(f"a {label}ling",), kind=kind)
        )
        add_crop(folder / label, Crop(crop, np.ones(crop.shape[:2], np.bool_)))
    return folder

"""The groceries: their size, weight, printed surface and what they collide with.

An object's frame has its origin at the centre of its bounding box, z up, its front along +x.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sim_node import artwork
from sim_node.artwork import Image8
from sim_node.meshes import Mesh, Rect, box, disc, merge, revolve

_PX_PER_METRE = 3000
# Texels beside a face repeat its edge, so that a coarse mip level mixes no neighbour in.
_PAD = 6


@dataclass(frozen=True)
class Collider:
    """A primitive: a box of half sizes (x, y, z) or a cylinder of (radius, half height) [m]."""

    shape: str
    size: tuple[float, ...]
    z: float


@dataclass(frozen=True, eq=False)
class Grocery:
    """One kind of object.

    Attributes:
        label: what people call it.
        size: bounding box x, y, z [m].
        mass: [kg].
        colliders: invisible primitives that touch other things.
        mesh, texture: what is seen.
    """

    label: str
    size: tuple[float, float, float]
    mass: float
    colliders: tuple[Collider, ...]
    mesh: Mesh
    texture: Image8

    @property
    def name(self) -> str:
        """The label as an identifier, e.g. `soup_can`."""
        return self.label.replace(" ", "_")

    @property
    def footprint_radius(self) -> float:
        """Radius [m] of the circle around its footprint."""
        if all(c.shape == "cylinder" for c in self.colliders):
            return max(c.size[0] for c in self.colliders)
        return float(np.hypot(self.size[0], self.size[1]) / 2)


class Atlas:
    """Pictures side by side in one texture."""

    def __init__(self) -> None:
        self._images: list[Image8] = []

    def add(self, image: Image8) -> int:
        """Put a picture in; its number is returned."""
        self._images.append(np.pad(image, ((_PAD, _PAD), (_PAD, _PAD), (0, 0)), mode="edge"))
        return len(self._images) - 1

    def build(self) -> tuple[Image8, list[Rect]]:
        """The texture and where each picture lies in it."""
        width = sum(image.shape[1] for image in self._images)
        height = max(image.shape[0] for image in self._images)
        texture = np.zeros((height, width, 3), dtype=np.uint8)
        rects: list[Rect] = []
        x = 0
        for image in self._images:
            h, w = image.shape[:2]
            texture[:h, x : x + w] = image
            rects.append(
                ((x + _PAD) / width, _PAD / height, (x + w - _PAD) / width, (h - _PAD) / height)
            )
            x += w
        return texture, rects


def milk() -> Grocery:
    """A one-litre carton, front and back alike."""
    return _carton(
        "milk", (0.06, 0.06, 0.13), 0.45, artwork.milk_front, artwork.milk_side, artwork.milk_top
    )


def cereal() -> Grocery:
    """A thin carton that stands; its wide face is its front."""
    return _carton(
        "cereal",
        (0.045, 0.12, 0.17),
        0.3,
        artwork.cereal_front,
        artwork.cereal_side,
        artwork.cereal_top,
    )


def soup_can() -> Grocery:
    """A tin can with a paper label."""
    radius, height = 0.033, 0.10
    atlas = Atlas()
    side = atlas.add(artwork.soup_side(_px(2 * np.pi * radius), _px(height)))
    lid = atlas.add(artwork.soup_top(_px(2 * radius)))
    texture, rects = atlas.build()
    h = height / 2
    mesh = merge(
        [
            revolve([(radius, -h), (radius, h)], rects[side]),
            disc(radius, h, rects[lid], up=True),
            disc(radius, -h, rects[lid], up=False),
        ]
    )
    size = (2 * radius, 2 * radius, height)
    return Grocery("soup can", size, 0.4, (Collider("cylinder", (radius, h), 0.0),), mesh, texture)


def mustard() -> Grocery:
    """A squeeze bottle: a surface of revolution with a ribbed cap."""
    # (radius, height over the foot) of the silhouette
    silhouette = [
        (0.0, 0.0), (0.0245, 0.0), (0.0265, 0.002), (0.0275, 0.006), (0.0275, 0.085),
        (0.0268, 0.093), (0.0245, 0.101), (0.0200, 0.109), (0.0160, 0.115), (0.0150, 0.118),
        (0.0165, 0.118), (0.0165, 0.132), (0.0150, 0.135), (0.0070, 0.137), (0.0050, 0.148),
        (0.0040, 0.150), (0.0, 0.150),
    ]  # fmt: skip
    points = np.array(silhouette)
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    height = 0.15
    # bands of the drawing, from the top of the texture down, at the points they belong to
    at = 1.0 - length / length[-1]
    label = (at[3] + 0.15 * (at[4] - at[3]), at[4], at[10])
    atlas = Atlas()
    side = atlas.add(artwork.mustard_side(_px(2 * np.pi * 0.0275), _px(length[-1]), label))
    texture, rects = atlas.build()
    mesh = revolve([(r, z - height / 2) for r, z in silhouette], rects[side])
    colliders = (
        Collider("cylinder", (0.0275, 0.0475), 0.0475 - height / 2),
        Collider("cylinder", (0.0165, 0.0275), 0.1225 - height / 2),
    )
    return Grocery("mustard", (0.055, 0.055, height), 0.35, colliders, mesh, texture)


GROCERIES: dict[str, Callable[[], Grocery]] = {
    "milk": milk,
    "mustard": mustard,
    "soup can": soup_can,
    "cereal": cereal,
}
"""Every kind of object by its label."""


def _px(metres: float) -> int:
    return round(float(metres) * _PX_PER_METRE)


def _carton(
    label: str,
    size: tuple[float, float, float],
    mass: float,
    front: Callable[[int, int], Image8],
    side: Callable[[int, int], Image8],
    top: Callable[[int, int], Image8],
) -> Grocery:
    """A printed box whose back is as its front."""
    depth, width, height = size
    atlas = Atlas()
    front_at = atlas.add(front(_px(width), _px(height)))
    side_at = atlas.add(side(_px(depth), _px(height)))
    top_at = atlas.add(top(_px(width), _px(depth)))
    texture, rects = atlas.build()
    mesh = box(
        size,
        front=rects[front_at],
        back=rects[front_at],
        right=rects[side_at],
        left=rects[side_at],
        top=rects[top_at],
        bottom=rects[top_at],
    )
    half = (depth / 2, width / 2, height / 2)
    return Grocery(label, size, mass, (Collider("box", half, 0.0),), mesh, texture)

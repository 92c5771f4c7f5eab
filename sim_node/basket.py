"""The basket: five boards that collide, and the wicker that is seen."""

from __future__ import annotations

from dataclasses import dataclass

from sim_node.meshes import Mesh, Rect, box, merge

_TILE = 0.12  # [m] of wicker per texture tile


@dataclass(frozen=True)
class Basket:
    """An open box; its frame has its origin on the table below its centre, z up.

    Attributes:
        inner: inner width along x and y [m].
        rim: height of the rim over the table [m].
        wall: thickness of walls and floor [m].
    """

    inner: float = 0.30
    rim: float = 0.18
    wall: float = 0.008

    @property
    def boards(self) -> tuple[tuple[tuple[float, float, float], tuple[float, float, float]], ...]:
        """Centre and full size [m] of the floor and the four walls."""
        outer = self.inner + 2 * self.wall
        middle = (self.inner + self.wall) / 2
        return (
            ((0.0, 0.0, self.wall / 2), (outer, outer, self.wall)),
            ((middle, 0.0, self.rim / 2), (self.wall, outer, self.rim)),
            ((-middle, 0.0, self.rim / 2), (self.wall, outer, self.rim)),
            ((0.0, middle, self.rim / 2), (self.inner, self.wall, self.rim)),
            ((0.0, -middle, self.rim / 2), (self.inner, self.wall, self.rim)),
        )

    def mesh(self) -> Mesh:
        """What is seen: the boards in wicker, with a thicker band around the rim."""
        band, thick = 0.016, 0.016
        outer = self.inner + self.wall + thick
        z = self.rim - band / 2
        middle = (self.inner + self.wall) / 2
        rim = [
            ((middle, 0.0, z), (thick, outer, band)),
            ((-middle, 0.0, z), (thick, outer, band)),
            ((0.0, middle, z), (outer - 2 * thick, thick, band)),
            ((0.0, -middle, z), (outer - 2 * thick, thick, band)),
        ]
        return merge([_woven(centre, size) for centre, size in (*self.boards, *rim)])


def _woven(centre: tuple[float, float, float], size: tuple[float, float, float]) -> Mesh:
    """A board whose texture repeats at a fixed scale."""
    x, y, z = size

    def tiled(width: float, height: float) -> Rect:
        return (0.0, 0.0, width / _TILE, height / _TILE)

    return box(
        size,
        front=tiled(y, z),
        back=tiled(y, z),
        right=tiled(x, z),
        left=tiled(x, z),
        top=tiled(y, x),
        bottom=tiled(y, x),
        centre=centre,
    )

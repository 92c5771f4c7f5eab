"""The container that objects are put into: where its opening is, and what already lies inside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skill_runner_node.policies.scripted_pick_place.footprint import fit, rectangle
from skill_runner_node.policies.scripted_pick_place.height_map import Body

Array = npt.NDArray[np.float64]
RIM_BAND = 0.03
"""[m] below its highest point that still counts as rim."""
RIM_WIDTH = 0.018
"""[m] that the rim takes of the opening on every side; the walls inside of it are out of sight."""


@dataclass(frozen=True)
class Container:
    """An open box on the table.

    Attributes:
        centre: (2,) [m].
        yaw: [rad] of its first side.
        half: [m] half sides of the opening.
        rim: [m] height of the rim.
        floor: [m] height that objects stand at inside.
    """

    centre: Array
    yaw: float
    half: tuple[float, float]
    rim: float
    floor: float = 0.01

    def opening(self, margin: float = 0.0) -> Array:
        """(4, 2) corners of the opening, grown by `margin` [m] (shrunk where negative)."""
        return rectangle(self.centre, self.yaw, self.half[0] + margin, self.half[1] + margin)

    def local(self, xy: Array) -> Array:
        """Positions (n, 2) in the container's own axes, from its centre [m]."""
        cos, sin = np.cos(self.yaw), np.sin(self.yaw)
        offset = np.atleast_2d(xy) - self.centre
        local: Array = offset @ np.array([[cos, -sin], [sin, cos]])
        return local

    def contains(self, xy: Array, margin: float = 0.0) -> bool:
        """Whether a position (2,) lies in the opening, at least `margin` [m] from its edge."""
        local = np.abs(self.local(xy))[0]
        return bool((local <= np.array(self.half) - margin).all())


def measure(body: Body) -> Container:
    """The container from the points seen of it; its rim is its highest closed line."""
    rim = float(np.percentile(body.points[:, 2], 98))
    # What sticks out of the container must not pass for its rim: the rim is the outermost part.
    outer = fit(body.points)
    edge = np.abs(_local(body.points[:, :2], outer.centre, outer.yaw))
    near = ((np.array(outer.size) / 2 - edge) < 2 * RIM_WIDTH).any(axis=1)
    heights = body.points[near, 2]
    if len(heights) > 20:
        rim = float(np.percentile(heights, 95))
    upper = body.points[near & (body.points[:, 2] > rim - RIM_BAND)]
    ring = fit(upper) if len(upper) > 20 else outer
    half = (ring.size[0] / 2 - RIM_WIDTH, ring.size[1] / 2 - RIM_WIDTH)
    return Container(ring.centre, ring.yaw, half, rim)


def _local(xy: Array, centre: Array, yaw: float) -> Array:
    cos, sin = np.cos(yaw), np.sin(yaw)
    local: Array = (xy - centre) @ np.array([[cos, -sin], [sin, cos]])
    return local

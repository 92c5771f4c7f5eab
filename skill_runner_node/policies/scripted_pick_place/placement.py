"""Where to let go: inside the container on its lowest free place, or at a place on the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skill_runner_node.kinematics.hand import fingers, palm
from skill_runner_node.kinematics.panda import (
    FINGER_OPEN,
    FINGERTIP_BELOW_TOOL,
    HAND_BOTTOM_ABOVE_TOOL,
)
from skill_runner_node.policies.scripted_pick_place.container import Container
from skill_runner_node.policies.scripted_pick_place.footprint import rectangle
from skill_runner_node.policies.scripted_pick_place.height_map import ABOVE_TABLE, HeightMap

Array = npt.NDArray[np.float64]
GAP = 0.006
"""[m] below the body when it is let go."""
MARGIN = 0.01
"""[m] kept between the hand, the held body and anything else."""
RELEASE = 0.012
"""[m] that each finger opens at first, so that it pushes no neighbour."""
PITCH = 0.02
YAWS = 4
STACKED = 10.0
"""How much worse it is to stand higher than to be dropped from higher."""


SPARE_PITCH = 0.04


@dataclass(frozen=True)
class Spare:
    """Where something is put down that is in the way, in the world frame [m].

    Attributes:
        x_min, x_max, y_min, y_max: Within easy reach; the upper ends are outside.
        x, y: The best place there.
    """

    x_min: float = 0.36
    x_max: float = 0.62
    y_min: float = -0.32
    y_max: float = 0.10
    x: float = 0.48
    y: float = -0.1


SPARE = Spare()


@dataclass(frozen=True)
class Held:
    """What is between the fingers.

    Attributes:
        label: Its name; empty = not known.
        width: [m] between the fingers.
        across: [m] the other way.
        height: [m]
        tool_above_foot: [m] from its foot to the tool.
    """

    label: str
    width: float
    across: float
    height: float
    tool_above_foot: float

    @property
    def below_tool(self) -> float:
        """[m] that anything reaches below the tool: the body, or at least the fingertips."""
        return max(self.tool_above_foot, FINGERTIP_BELOW_TOOL)


@dataclass(frozen=True)
class Spot:
    """A place to let go.

    Attributes:
        xy: (2,) [m] of the tool.
        yaw: [rad] along which the fingers close; half a turn makes no difference.
        tool_z: [m] of the tool.
        support: [m] height that the body will stand on.
        cost: The less the better.
    """

    xy: Array
    yaw: float
    tool_z: float
    support: float
    cost: float

    def drop(self, held: Held) -> float:
        """[m] that the body falls."""
        return self.tool_z - held.tool_above_foot - self.support


def in_container(held: Held, container: Container, heights: HeightMap) -> list[Spot]:
    """Places inside the container where the body ends below its rim, best first."""
    spots = []
    for local, yaw in _grid(held, container):
        cos, sin = np.cos(container.yaw), np.sin(container.yaw)
        xy = container.centre + np.array([[cos, -sin], [sin, cos]]) @ local
        spot = _at(xy, yaw, held, heights, container.floor)
        # The centre must be below the rim; a hand's breadth more keeps it there when others follow.
        if spot.support + held.height / 2 > container.rim - 0.03:
            continue
        # Against a wall it leaves the most room for what follows.
        wall = float((np.array(container.half) - np.abs(local)).min())
        cost = STACKED * (spot.support - container.floor) + spot.drop(held) + 0.1 * wall
        spots.append(Spot(spot.xy, spot.yaw, spot.tool_z, spot.support, cost))
    return sorted(spots, key=lambda spot: spot.cost)


def on_table(held: Held, xy: Array, heights: HeightMap) -> list[Spot]:
    """Ways to put the body down at a place on the table, best first; none where it is not free."""
    spots = []
    for yaw in np.arange(2 * YAWS) * np.pi / (2 * YAWS):
        spot = _at(xy, float(yaw), held, heights, 0.0)
        if spot.support <= ABOVE_TABLE and spot.drop(held) < 0.03:
            spots.append(Spot(xy, float(yaw), spot.tool_z, 0.0, spot.drop(held)))
    return sorted(spots, key=lambda spot: spot.cost)


def free_on_table(held: Held, heights: HeightMap, spare: Spare = SPARE) -> list[Spot]:
    """Some free places on the table within easy reach, the best first."""
    found = []
    for x in np.arange(spare.x_min, spare.x_max, SPARE_PITCH):
        for y in np.arange(spare.y_min, spare.y_max, SPARE_PITCH):
            spots = on_table(held, np.array([x, y]), heights)
            if spots:
                away = float(np.hypot(x - spare.x, y - spare.y))
                found.append((away, spots[0]))
    return [spot for _, spot in sorted(found, key=lambda item: item[0])]


def _grid(held: Held, container: Container) -> Iterator[tuple[Array, float]]:
    for yaw in np.arange(YAWS) * np.pi / YAWS:
        # Half extents of the turned body along the container's sides.
        cos, sin = abs(np.cos(yaw)), abs(np.sin(yaw))
        half_x = (held.width * cos + held.across * sin) / 2 + MARGIN
        half_y = (held.width * sin + held.across * cos) / 2 + MARGIN
        room_x, room_y = container.half[0] - half_x, container.half[1] - half_y
        if room_x < 0.0 or room_y < 0.0:
            continue
        for x in np.linspace(-room_x, room_x, 1 + int(2 * room_x / PITCH)):
            for y in np.linspace(-room_y, room_y, 1 + int(2 * room_y / PITCH)):
                yield np.array([x, y]), float(container.yaw + yaw)


def _at(xy: Array, yaw: float, held: Held, heights: HeightMap, floor: float) -> Spot:
    """How low the tool can go there without anything but the body touching anything."""
    body = rectangle(xy, yaw, held.width / 2 + MARGIN / 2, held.across / 2 + MARGIN / 2)
    support = max(floor, heights.top(body))
    opening = min(FINGER_OPEN, held.width / 2 + RELEASE)
    under_fingers = max(
        heights.top(finger.corners()) for finger in fingers(xy, yaw, opening, MARGIN / 2)
    )
    under_hand = heights.top(palm(xy, yaw, MARGIN).corners())
    tool_z = max(
        support + held.tool_above_foot + GAP,
        under_fingers + FINGERTIP_BELOW_TOOL + MARGIN if under_fingers > ABOVE_TABLE else 0.0,
        under_hand - HAND_BOTTOM_ABOVE_TOOL + MARGIN,
    )
    return Spot(xy, yaw, tool_z, support, 0.0)

"""Joint paths for the arm: straight up, across at a safe height, straight down.

A path that stays above everything needs no search, and its height is all that has to be checked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skill_runner_node.kinematics.ik import InverseKinematics, Pose
from skill_runner_node.kinematics.panda import Forward

Array = npt.NDArray[np.float64]
TopOf = Callable[[Array], float]
"""Highest point [m] below a convex polygon (n, 2) [m]."""
CLEARANCE = 0.03
HIGHEST = 0.50
"""[m], where nothing else is declared."""
CHECK_HALF = 0.07
"""[m] half side of the square around the tool that is checked: half an object's diagonal."""
JOINT_STEP = 0.04
"""[rad] between points of a joint-space path."""


class NoRouteError(Exception):
    """No path within reach stays clear of everything; the message says where it ends."""


@dataclass(frozen=True)
class Carried:
    """What moves with the tool.

    Attributes:
        below_tool: [m] that it reaches below the tool.
    """

    below_tool: float


class Router:
    """Plans paths over a height map.

    Args:
        ik: Inverse kinematics.
        forward: Forward kinematics.
        clearance: [m] kept below whatever hangs lowest; rounded corners take up to a third of it.
        highest: [m] of the tool; above it the arm runs out of reach near the table's edges.
    """

    def __init__(
        self,
        ik: InverseKinematics,
        forward: Forward,
        clearance: float = CLEARANCE,
        highest: float = HIGHEST,
    ) -> None:
        self._ik = ik
        self._forward = forward
        self._clearance = clearance
        self._highest = highest

    def pose(self, q: Array) -> Pose:
        """The tool's pose at seven angles."""
        return Pose(*self._forward.tool(q))

    def rise(self, q: Array, z: float) -> Array:
        """Straight up to a height of the tool; one point where it is there already.

        Raises:
            NoRouteError: If the line leaves the arm's reach.
        """
        begin = self.pose(q)
        if begin.position[2] >= z - 0.005:
            return q[None, :7]
        target = Pose(np.array([*begin.position[:2], z]), begin.rotation)
        line = self._ik.line(q, target, begin)
        if line is None:
            raise NoRouteError(f"straight up from {_text(begin.position)} to {z:.2f} m")
        return line

    def over(self, q: Array, goal: Array, carried: Carried, top_of: TopOf) -> Array:
        """From `q` to the joint angles `goal`: up, across and straight down.

        Args:
            q: (7,) where the arm is.
            goal: (7,) where the tool ends, pointing down.
            carried: What moves with it.
            top_of: What it has to stay above.

        Raises:
            NoRouteError: If no height works.
        """
        start, end = self.pose(q).position, self.pose(goal).position
        needed = top_of(_corridor(start[:2], end[:2])) + carried.below_tool + self._clearance
        everything = top_of(np.array([[0.0, -1.0], [1.0, -1.0], [1.0, 1.0], [0.0, 1.0]]))
        highest = max(needed, everything + carried.below_tool + self._clearance)
        for z in (needed, (needed + highest) / 2, highest, highest + 0.05):
            path = self._at_height(q, goal, min(z, self._highest), carried, top_of)
            if path is not None:
                return path
        raise NoRouteError(f"from {_text(start)} to {_text(end)} m at {highest:.2f} m of height")

    def home(self, q: Array, home: Array, carried: Carried, top_of: TopOf) -> Array:
        """Up as far as needed, then straight to the joint angles `home`.

        Raises:
            NoRouteError: If no height works.
        """
        start, end = self.pose(q).position, self.pose(home).position
        needed = top_of(_corridor(start[:2], end[:2])) + carried.below_tool + self._clearance
        for z in (needed, needed + 0.06, needed + 0.12):
            try:
                up = self.rise(q, min(z, self._highest))
            except NoRouteError:
                continue
            across = straight(up[-1], home)
            if self._clear(across, carried, top_of):
                return np.concatenate([up, across[1:]])
        raise NoRouteError(f"from {_text(start)} back to the observe pose")

    def _at_height(
        self, q: Array, goal: Array, z: float, carried: Carried, top_of: TopOf
    ) -> Array | None:
        end = self.pose(goal)
        if end.position[2] < z:
            down = self._ik.line(goal, Pose(np.array([*end.position[:2], z]), end.rotation), end)
        else:
            down = goal[None, :7]
        if down is None:
            return None
        try:
            up = self.rise(q, z)
        except NoRouteError:
            return None
        across = straight(up[-1], down[-1])
        if not self._clear(across, carried, top_of):
            return None
        return np.concatenate([up, across[1:], down[::-1][1:]])

    def _clear(self, path: Array, carried: Carried, top_of: TopOf) -> bool:
        """Whether everything under the path stays a little less than the clearance below it."""
        for position in self._forward.positions(path[::3]):
            square = position[:2] + CHECK_HALF * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
            if position[2] - carried.below_tool < top_of(square) + self._clearance / 2:
                return False
        return True


def straight(begin: Array, end: Array) -> Array:
    """A straight path (n, 7) in joint space."""
    count = max(2, int(np.ceil(float(np.abs(end[:7] - begin[:7]).max()) / JOINT_STEP)) + 1)
    return np.linspace(begin[:7], end[:7], count)


def _corridor(start: Array, end: Array) -> Array:
    along = end - start
    length = float(np.linalg.norm(along))
    along = along / length if length > 1e-6 else np.array([1.0, 0.0])
    side = np.array([-along[1], along[0]]) * CHECK_HALF
    begin, finish = start - along * CHECK_HALF, end + along * CHECK_HALF
    return np.array([begin + side, finish + side, finish - side, begin - side])


def _text(position: Array) -> str:
    return "(" + ", ".join(f"{value:.2f}" for value in position) + ")"

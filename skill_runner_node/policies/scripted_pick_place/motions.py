"""The motions of a pick-and-place, as rows: arm paths with the gripper's column, at their pace."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skill_runner_node.kinematics.ik import InverseKinematics, Pose
from skill_runner_node.kinematics.panda import FINGER_OPEN, Forward, tool_down
from skill_runner_node.kinematics.route import (
    CLEARANCE,
    HIGHEST,
    Carried,
    NoRouteError,
    Router,
    TopOf,
)
from skill_runner_node.motion.limits import JointLimits
from skill_runner_node.motion.retime import Pace, hold, retime
from skill_runner_node.policies.scripted_pick_place.grasp import Grasp
from skill_runner_node.policies.scripted_pick_place.placement import RELEASE, Held, Spot

Array = npt.NDArray[np.float64]
SQUEEZE = 0.015
"""[m] that each finger is commanded into the body: what turns into force."""
LIFT = 0.05
"""[m] that a body is lifted before the grip is checked."""
OPEN_HAND = Carried(0.009)


@dataclass(frozen=True)
class Timing:
    """Waits of the gripper.

    Attributes:
        grip_s: [s] after closing, for the grip to build up.
        release_s: [s] after opening, for the body to leave the fingers.
    """

    grip_s: float
    release_s: float


class Motions:
    """Plans in rows of all joints: seven angles and one finger.

    Methods raise `NoRouteError` where no path exists. `clearance` and `highest`: see `Router`.
    """

    def __init__(
        self,
        limits: JointLimits,
        pace: Pace,
        timing: Timing,
        clearance: float = CLEARANCE,
        highest: float = HIGHEST,
    ) -> None:
        self._limits = limits
        self._pace = pace
        self._timing = timing
        self._forward = Forward()
        self.ik = InverseKinematics(limits)
        self.router = Router(self.ik, self._forward, clearance, highest)

    def home(self, commanded: Array, carried: Carried, top_of: TopOf, open_hand: bool) -> Array:
        """Back to the observe pose; the hand opens on the way, or keeps what it holds."""
        path = self.router.home(commanded[:7], self._limits.home[:7], carried, top_of)
        finger = FINGER_OPEN if open_hand else float(commanded[7])
        return self._rows(path, float(commanded[7]), finger)

    def pick(self, commanded: Array, grasp: Grasp, top_of: TopOf) -> Array:
        """Open, over the body, down, close, and up a little."""
        down = self.router.over(commanded[:7], grasp.q, OPEN_HAND, top_of)
        approach = self._rows(down, float(commanded[7]), FINGER_OPEN)
        closed = max(0.0, grasp.width / 2 - SQUEEZE)
        close = self._gripper(approach[-1], closed)
        wait = hold(close[-1], self._timing.grip_s, self._pace.dt)
        up = self.router.rise(grasp.q, float(grasp.pose.position[2]) + LIFT)
        lift = self._rows(up, closed, closed)
        return _join(approach, close, wait, lift)

    def carry(self, commanded: Array, spots: list[Spot], held: Held, top_of: TopOf) -> Array:
        """To the first spot that can be reached, ready to let go."""
        carried = Carried(held.below_tool)
        for spot in spots[:12]:
            for goal in self._nearest(commanded, spot):
                try:
                    path = self.router.over(commanded[:7], goal, carried, top_of)
                except NoRouteError:
                    continue
                return self._rows(path, float(commanded[7]), float(commanded[7]))
        raise NoRouteError(f"to any of {len(spots)} places to put it down")

    def release(self, commanded: Array, held: Held, top_of: TopOf) -> Array:
        """Open a little, straight up, open, home."""
        ajar = min(FINGER_OPEN, held.width / 2 + RELEASE)
        opening = self._gripper(commanded, ajar)
        wait = hold(opening[-1], self._timing.release_s, self._pace.dt)
        path = self.router.home(commanded[:7], self._limits.home[:7], OPEN_HAND, top_of)
        return _join(opening, wait, self._rows(path, ajar, FINGER_OPEN, late=True))

    def _nearest(self, commanded: Array, spot: Spot) -> list[Array]:
        """Joint angles at a spot for both flips of the gripper, the shorter way first."""
        position = np.array([*spot.xy, spot.tool_z])
        found = []
        for yaw in (spot.yaw, spot.yaw + np.pi):
            q = self.ik.reach(Pose(position, tool_down(yaw)))
            if q is not None:
                way = np.abs(q - commanded[:7]) / self._pace.velocity[:7]
                found.append((float(way.max()), q))
        return [q for _, q in sorted(found, key=lambda item: item[0])]

    def _rows(self, arm: Array, finger: float, then: float, *, late: bool = False) -> Array:
        """Rows along an arm path while the finger goes from one opening to another.

        The finger moves during the first third of the path, or (`late`) during the last half.
        """
        if len(arm) < 2:
            arm = np.repeat(arm, 2, axis=0)
        share = np.linspace(0.0, 1.0, len(arm))
        part = np.clip((share - 0.5) * 2.0 if late else share * 3.0, 0.0, 1.0)
        path = np.column_stack([arm, finger + (then - finger) * part])
        return self._paced(path)

    def _gripper(self, row: Array, opening: float) -> Array:
        end = row.copy()
        end[7] = opening
        return self._paced(np.array([row, end]))

    def _paced(self, path: Array) -> Array:
        rows = retime(path, self._pace, self._forward.positions)
        # Averaging rounds in the last digit, and a finger that is open lies on its limit.
        return np.clip(rows, self._limits.position_min, self._limits.position_max)


def _join(*parts: Array) -> Array:
    """Motions that each begin and end at rest, one after the other, without doubled rows."""
    joined = [parts[0]]
    joined.extend(part[1:] if len(part) > 1 else part for part in parts[1:])
    return np.concatenate(joined)

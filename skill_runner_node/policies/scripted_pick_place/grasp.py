"""Where to grip a body from above: which side, how deep, with which flip of the gripper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skill_runner_node.kinematics.hand import fingers, palm
from skill_runner_node.kinematics.ik import InverseKinematics, Pose
from skill_runner_node.kinematics.panda import (
    FINGER_OPEN,
    FINGERTIP_BELOW_TOOL,
    HAND_BOTTOM_ABOVE_TOOL,
    tool_down,
)
from skill_runner_node.policies.scripted_pick_place.footprint import Footprint
from skill_runner_node.policies.scripted_pick_place.height_map import HeightMap

Array = npt.NDArray[np.float64]
MAX_WIDTH = 0.072
"""[m] that fits between fingers 80 mm apart with room for an estimate that is off by some mm."""
DEPTH = 0.03
"""[m] that the tool goes below the top of the body; the hand's underside stays clear of it."""
LOWEST_TOOL = 0.014
"""[m]: fingertips 5 mm above the table."""
MARGIN = 0.008
"""[m] kept between fingers or hand and anything else."""
ROUND_ANGLES = 12


@dataclass(frozen=True)
class Grasp:
    """A grip that the arm reaches and that touches nothing else.

    Attributes:
        pose: Tool pose with the fingers around the body.
        yaw: [rad] along which the fingers close.
        q: (7,) joint angles there.
        width: [m] of the body between the fingers.
        across: [m] of the body the other way.
    """

    pose: Pose
    yaw: float
    q: Array
    width: float
    across: float


class NoGraspError(Exception):
    """No grip is possible; the message says why."""


def tool_height(height: float) -> float:
    """[m] of the tool above the table, or above the body's foot, for a body of this height."""
    return max(LOWEST_TOOL, height - DEPTH)


def choose(body: Footprint, around: HeightMap, ik: InverseKinematics) -> Grasp:
    """The grip with the most room to the joint limits.

    Args:
        body: What to grip.
        around: Everything else: the map without the body.
        ik: Inverse kinematics.

    Raises:
        NoGraspError: The body is too wide, its surroundings leave no room, or it is out of reach.
    """
    sides = _sides(body)
    if not sides:
        raise NoGraspError(
            f"its narrow side is {min(body.size):.3f} m wide, the gripper takes {MAX_WIDTH} m"
        )
    z = tool_height(body.height)
    best: Grasp | None = None
    best_value = -np.inf
    blocked = 0
    for yaw, width, across in sides:
        if not clear(body.centre, yaw, z, around):
            blocked += 1
            continue
        for flip in (yaw, yaw + np.pi):
            pose = Pose(np.array([*body.centre, z]), tool_down(flip))
            q = ik.reach(pose)
            if q is None:
                continue
            # A narrow side forgives an estimate that is off.
            value = min(ik.margin(q), 0.5) - 4.0 * width
            if value > best_value:
                best_value = value
                best = Grasp(pose, flip, q, width, across)
    if best is None and blocked == len(sides):
        raise NoGraspError("its neighbours leave no room for the fingers")
    if best is None:
        x, y = body.centre
        raise NoGraspError(f"({x:.2f}, {y:.2f}, {z:.2f}) m is out of the arm's reach")
    return best


def clear(xy: Array, yaw: float, tool_z: float, around: HeightMap) -> bool:
    """Whether open fingers and the hand have room at a tool height, and on the way down to it."""
    # On the bare table the fingertips may be nearer than the margin.
    allowed = max(MARGIN, tool_z - FINGERTIP_BELOW_TOOL - MARGIN)
    for finger in fingers(xy, yaw, FINGER_OPEN, MARGIN):
        if around.top(finger.corners()) > allowed:
            return False
    hand = palm(xy, yaw, MARGIN)
    return around.top(hand.corners()) < tool_z + HAND_BOTTOM_ABOVE_TOOL - MARGIN


def _sides(body: Footprint) -> list[tuple[float, float, float]]:
    """(closing yaw, width between the fingers, width across) of every way to take it."""
    if body.round:
        if body.size[0] > MAX_WIDTH:
            return []
        angles = np.arange(ROUND_ANGLES) * np.pi / ROUND_ANGLES
        return [(float(angle), body.size[0], body.size[0]) for angle in angles]
    return [
        (body.yaw + turn, width, across)
        for turn, width, across in (
            (0.0, body.size[0], body.size[1]),
            (np.pi / 2, body.size[1], body.size[0]),
        )
        if width <= MAX_WIDTH
    ]

"""Inverse kinematics of the arm: a pose to joint angles, and a straight line to a joint path.

Solved as a sequence of quadratic programs (mink) inside the joint limits.
"""

from __future__ import annotations

from dataclasses import dataclass

import mink
import numpy as np
import numpy.typing as npt

from skill_runner_node.kinematics.panda import TOOL_FRAME, model
from skill_runner_node.motion.limits import JointLimits

Array = npt.NDArray[np.float64]
POSITION_TOLERANCE = 5e-4
"""[m]"""
ROTATION_TOLERANCE = 5e-3
"""[rad]"""
MAX_STEPS = 80
MARGIN = 0.05
"""[rad] that solutions stay away from the position limits."""


@dataclass(frozen=True)
class Pose:
    """A tool pose: position (3,) [m], rotation (3, 3), in the world frame."""

    position: Array
    rotation: Array


class InverseKinematics:
    """Solves poses for one set of limits; has scratch memory, so one per thread."""

    def __init__(self, limits: JointLimits) -> None:
        self._configuration = mink.Configuration(model())
        self._frame = mink.FrameTask(
            TOOL_FRAME, "site", position_cost=1.0, orientation_cost=0.3, lm_damping=1e-6
        )
        self._posture = mink.PostureTask(model(), cost=1e-4)
        self._low = limits.position_min[:7] + MARGIN
        self._high = limits.position_max[:7] - MARGIN
        self._limit = mink.ConfigurationLimit(model())
        self._limit.lower = self._low
        self._limit.upper = self._high
        self._middle = (self._low + self._high) / 2.0

    def solve(self, pose: Pose, seed: Array, posture: Array | None = None) -> Array | None:
        """Seven joint angles [rad] that reach `pose` within tolerance, or None.

        Args:
            pose: Target of the tool.
            seed: (7,) where the search begins.
            posture: (7,) preferred angles in the redundant direction; None = the seed.
        """
        q = np.clip(seed[:7], self._low, self._high)
        self._configuration.update(q)
        self._frame.set_target(
            mink.SE3.from_rotation_and_translation(
                mink.SO3.from_matrix(pose.rotation), pose.position
            )
        )
        self._posture.set_target(q if posture is None else posture[:7])
        tasks = [self._frame, self._posture]
        for _ in range(MAX_STEPS):
            error = self._frame.compute_error(self._configuration)
            if (
                np.linalg.norm(error[:3]) < POSITION_TOLERANCE
                and np.linalg.norm(error[3:]) < ROTATION_TOLERANCE
            ):
                return np.array(self._configuration.q)
            try:
                velocity = mink.solve_ik(
                    self._configuration, tasks, 1.0, "daqp", damping=1e-4, limits=[self._limit]
                )
            except mink.NoSolutionFound:
                return None
            # Large steps leave the region where the linearisation holds.
            step = velocity * min(1.0, 0.4 / max(1e-9, float(np.abs(velocity).max())))
            self._configuration.update(np.clip(self._configuration.q + step, self._low, self._high))
        return None

    def reach(self, pose: Pose) -> Array | None:
        """Seven angles that reach a tool that points down, elbow up, joint 1 towards the target.

        A search from such a seed stays on that branch; from elsewhere it may twist the arm.
        """
        bearing = float(np.arctan2(pose.position[1], pose.position[0]))
        closing = float(np.arctan2(pose.rotation[1, 1], pose.rotation[0, 1]))
        # With the arm straight ahead and joint 7 at pi/4 the fingers close along -y.
        last = np.pi / 4 - np.pi / 2 + bearing - closing
        last = (last + np.pi) % (2 * np.pi) - np.pi
        if not self._low[6] <= last <= self._high[6]:
            return None
        seed = np.array([bearing, 0.0, 0.0, -2.2, 0.0, 2.2, last])
        return self.solve(pose, seed)

    def line(self, start: Array, target: Pose, begin: Pose, spacing: float = 0.02) -> Array | None:
        """A joint path (n, 7) along the straight line from `begin` (where `start` is) to `target`.

        The rotation turns evenly on the way. None if a point is out of reach or a joint would jump.
        """
        distance = float(np.linalg.norm(target.position - begin.position))
        turn = mink.SO3.from_matrix(begin.rotation.T @ target.rotation).log()
        count = max(2, int(np.ceil(max(distance / spacing, float(np.linalg.norm(turn)) / 0.1))) + 1)
        path = [start[:7]]
        for part in np.linspace(0.0, 1.0, count)[1:]:
            rotation = begin.rotation @ mink.SO3.exp(turn * part).as_matrix()
            position = begin.position + (target.position - begin.position) * part
            q = self.solve(Pose(position, rotation), path[-1])
            if q is None or float(np.abs(q - path[-1]).max()) > 0.5:
                return None
            path.append(q)
        return np.array(path)

    def margin(self, q: Array) -> float:
        """Smallest distance [rad] of the seven angles to a position limit."""
        return float(np.minimum(q[:7] - self._low, self._high - q[:7]).min())

"""Solutions reach their pose, lie inside the limits, and lines are straight."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_runner_node.kinematics.ik import InverseKinematics, Pose
from skill_runner_node.kinematics.panda import Forward, tool_down
from skill_runner_node.motion.limits import JointLimits

READY = np.array([0.0, -np.pi / 4, 0.0, -3 * np.pi / 4, 0.0, np.pi / 2, np.pi / 4])


def test_the_ready_pose_of_the_arm_points_straight_down() -> None:
    position, rotation = Forward().tool(READY)
    # Denavit-Hartenberg parameters of Franka's documentation, tool 0.1034 m below the hand.
    assert position == pytest.approx([0.3070, 0.0, 0.4869], abs=1e-3)
    assert rotation == pytest.approx(tool_down(-np.pi / 2), abs=1e-3)


@settings(deadline=None, max_examples=40)
@given(st.floats(0.4, 0.62), st.floats(-0.6, 0.9), st.floats(0.03, 0.35), st.floats(-np.pi, np.pi))
def test_a_pose_over_the_table_is_reached_within_the_limits(
    limits: JointLimits, radius: float, bearing: float, z: float, yaw: float
) -> None:
    ik = InverseKinematics(limits)
    target = Pose(np.array([radius * np.cos(bearing), radius * np.sin(bearing), z]), tool_down(yaw))
    other = Pose(target.position, tool_down(yaw + np.pi))
    found = [q for q in (ik.reach(target), ik.reach(other)) if q is not None]
    # One of the two flips of the gripper is always within the wrist's range.
    assert found
    for q in found:
        position, rotation = Forward().tool(q)
        assert np.linalg.norm(position - target.position) < 1e-3
        assert rotation[2, 2] < -0.9999
        assert ((q >= limits.position_min[:7]) & (q <= limits.position_max[:7])).all()
        assert ik.margin(q) >= -1e-9


@pytest.mark.parametrize("position", [(1.2, 0.0, 0.2), (0.0, 0.0, 1.5), (0.5, 0.0, -0.8)])
def test_what_is_out_of_reach_is_not_solved(
    limits: JointLimits, position: tuple[float, float, float]
) -> None:
    assert InverseKinematics(limits).reach(Pose(np.array(position), tool_down(0.0))) is None


def test_a_line_is_straight_and_ends_at_its_target(limits: JointLimits) -> None:
    ik = InverseKinematics(limits)
    begin = Pose(np.array([0.5, -0.2, 0.3]), tool_down(0.3))
    target = Pose(np.array([0.5, -0.2, 0.1]), tool_down(0.3))
    start = ik.reach(begin)
    assert start is not None
    path = ik.line(start, target, begin)
    assert path is not None
    positions = Forward().positions(path)
    assert np.abs(positions[:, :2] - [0.5, -0.2]).max() < 1e-3
    assert positions[-1] == pytest.approx([0.5, -0.2, 0.1], abs=1e-3)
    assert (np.diff(positions[:, 2]) < 0).all()

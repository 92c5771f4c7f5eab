"""The whole course, on a synthetic table, with a robot that does exactly what it is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from skill_runner_node.kinematics.panda import Forward
from skill_runner_node.motion.limits import JointLimits
from skill_runner_node.parameters import RunnerParameters
from skill_runner_node.policies.factory import make_policy
from skill_runner_node.policy import (
    Decision,
    Done,
    Failed,
    Goal,
    Look,
    Move,
    Observation,
    Outcome,
    Policy,
)

MILK = (0.45, -0.2, 0.4, 0.06, 0.06, 0.13)
GOAL = Goal({"object": "milk", "container": "basket"})


@pytest.fixture(scope="module")
def policy(limits: JointLimits) -> Policy:
    return make_policy("scripted_pick_place", limits, ("top",), RunnerParameters())


@dataclass
class Robot:
    """Follows motions exactly; its fingers meet `thickness` [m] of something, or nothing."""

    table: Any
    at: np.ndarray
    thickness: float = 0.06
    stages: list[str] = field(default_factory=list)
    moves: list[np.ndarray] = field(default_factory=list)
    looks: int = 0

    def run(self, policy: Policy, goal: Goal = GOAL) -> Decision:
        policy.reset(goal)
        views: dict[str, Any] = {}
        for _ in range(40):
            measured = self.at.copy()
            measured[7] = max(measured[7], self.thickness / 2)
            decision = policy.step(Observation(measured, self.at.copy(), views), 0.0)
            views = {}
            if isinstance(decision, Look):
                self.looks += 1
                views = {"top": self.table.view()}
            elif isinstance(decision, Move):
                assert decision.rows[0] == pytest.approx(self.at, abs=1e-9)
                self.stages.append(decision.stage)
                self.moves.append(decision.rows)
                self.at = decision.rows[-1].copy()
            else:
                return decision
        raise AssertionError("the policy never came to an end")


def assert_within(rows: np.ndarray, limits: JointLimits) -> None:
    velocity = np.diff(rows, axis=0) / 0.02
    change = np.diff(np.concatenate([velocity, np.zeros((1, 8))]), axis=0) / 0.02
    assert (np.abs(velocity).max(axis=0) <= limits.velocity * 0.901).all()
    assert (np.abs(change).max(axis=0) <= limits.acceleration).all()
    assert ((rows >= limits.position_min) & (rows <= limits.position_max)).all()
    # The kernel's law: from every row the arm can still stop before its limit, 5 ms later.
    reach = np.abs(velocity) * 0.005 + velocity**2 / (2 * limits.acceleration)
    ahead = rows[1:] + np.sign(velocity) * reach
    assert ((ahead >= limits.position_min) & (ahead <= limits.position_max)).all()
    speed = np.linalg.norm(np.diff(Forward().positions(rows), axis=0), axis=1) / 0.02
    assert speed.max() < 0.25


def test_it_picks_and_places_within_the_limits(
    policy: Policy, limits: JointLimits, make_table: Callable
) -> None:
    robot = Robot(make_table({"milk": MILK}), limits.home.copy())
    assert isinstance(robot.run(policy), Done)
    assert robot.stages == ["pick", "carry", "release"]
    for rows in robot.moves:
        assert_within(rows, limits)
    grip = Forward().tool(robot.moves[0][np.argmin(Forward().positions(robot.moves[0])[:, 2])])[0]
    assert grip[:2] == pytest.approx([0.45, -0.2], abs=0.005)
    drop, _ = Forward().tool(robot.moves[1][-1])
    assert np.abs(drop[:2] - [0.42, 0.36]).max() < 0.15
    # The foot hangs the grip's height below the tool, and never touches the floor.
    assert drop[2] - grip[2] > 0.008
    assert robot.at[:7] == pytest.approx(limits.home[:7], abs=1e-6)
    assert sum(len(rows) for rows in robot.moves) * 0.02 < 20.0


def test_the_object_passes_above_the_rim(
    policy: Policy, limits: JointLimits, make_table: Callable
) -> None:
    robot = Robot(make_table({"milk": MILK}), limits.home.copy())
    robot.run(policy)
    tool = Forward().positions(robot.moves[1])
    foot = tool[:, 2] - 0.10  # gripped 3 cm below its top of 13 cm
    over_wall = np.abs(tool[:, 1] - (0.36 - 0.158)) < 0.06
    assert foot[over_wall].min() > 0.18


def test_fingers_that_close_on_nothing_try_once_more_and_say_so(
    policy: Policy, limits: JointLimits, make_table: Callable
) -> None:
    robot = Robot(make_table({"milk": MILK}), limits.home.copy(), thickness=0.0)
    decision = robot.run(policy)
    assert isinstance(decision, Failed)
    assert decision.outcome is Outcome.GRASP_FAILED
    assert robot.stages == ["pick", "begin", "pick", "retreat"]
    assert robot.looks == 2
    assert robot.at[:7] == pytest.approx(limits.home[:7], abs=1e-6)


@pytest.mark.parametrize(
    ("objects", "basket", "outcome", "looks"),
    [
        ({}, (0.42, 0.36), Outcome.NOT_FOUND, 3),
        ({"milk": MILK}, None, Outcome.NOT_FOUND, 3),
        ({"milk": (0.83, -0.25, 0.0, 0.06, 0.06, 0.13)}, (0.42, 0.36), Outcome.UNREACHABLE, 1),
        ({"milk": (0.5, -0.2, 0.0, 0.12, 0.12, 0.1)}, (0.42, 0.36), Outcome.UNREACHABLE, 1),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_moves(
    policy: Policy,
    limits: JointLimits,
    make_table: Callable,
    objects: dict,
    basket: Any,
    outcome: Outcome,
    looks: int,
) -> None:
    robot = Robot(make_table(objects, basket), limits.home.copy())
    decision = robot.run(policy)
    assert isinstance(decision, Failed)
    assert decision.outcome is outcome
    assert robot.moves == []
    assert robot.looks == looks


def test_from_anywhere_it_rises_first_and_goes_home_before_it_looks(
    policy: Policy, limits: JointLimits, make_table: Callable
) -> None:
    first = Robot(make_table({"milk": MILK}), limits.home.copy())
    first.run(policy)
    low = first.moves[0][np.argmin(Forward().positions(first.moves[0])[:, 2])].copy()
    low[7] = 0.04
    robot = Robot(make_table({"milk": MILK}), low)
    assert isinstance(robot.run(policy), Done)
    assert robot.stages[0] == "begin"
    path = Forward().positions(robot.moves[0])
    sideways = np.hypot(*(path[:, :2] - path[0, :2]).T) > 0.03
    assert path[sideways][:, 2].min() > 0.18


def test_what_another_run_left_between_the_fingers_is_set_down_first(
    policy: Policy, limits: JointLimits, make_table: Callable
) -> None:
    at = limits.home.copy()
    at[7] = 0.015
    robot = Robot(make_table({"milk": MILK}), at)
    assert isinstance(robot.run(policy), Done)
    assert robot.stages == ["set_down", "set_down", "pick", "carry", "release"]


def test_it_puts_down_at_a_place_on_the_table(
    policy: Policy, limits: JointLimits, make_table: Callable
) -> None:
    robot = Robot(make_table({"milk": MILK}), limits.home.copy())
    goal = Goal({"object": "milk", "position": [0.5, 0.05]})
    assert isinstance(robot.run(policy, goal), Done)
    place, _ = Forward().tool(robot.moves[1][-1])
    assert place[:2] == pytest.approx([0.5, 0.05], abs=0.003)


def test_a_place_that_is_taken_is_unreachable(
    policy: Policy, limits: JointLimits, make_table: Callable
) -> None:
    robot = Robot(make_table({"milk": MILK}), limits.home.copy())
    goal = Goal({"object": "milk", "position": [0.42, 0.205]})
    decision = robot.run(policy, goal)
    assert isinstance(decision, Failed)
    assert decision.outcome is Outcome.UNREACHABLE

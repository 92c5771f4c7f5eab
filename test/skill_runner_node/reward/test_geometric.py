"""Success is only what is seen; every stage before it has its own progress."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from skill_runner_node.kinematics.ik import InverseKinematics, Pose
from skill_runner_node.kinematics.panda import tool_down
from skill_runner_node.motion.limits import JointLimits
from skill_runner_node.reward.geometric import GeometricReward, Score
from skill_runner_node.reward.settings import RewardSettings
from skill_runner_node.reward.task import Task

MILK = (0.45, -0.2, 0.4, 0.06, 0.06, 0.13)
INSIDE = (0.40, 0.33, 0.1, 0.06, 0.06, 0.13)
TASK = Task("milk", "basket", None)


class Attempt:
    """Hands the reward what sensors would say, second by second."""

    def __init__(self, make_table: Callable, limits: JointLimits, task: Task = TASK) -> None:
        self.make_table = make_table
        self.ik = InverseKinematics(limits)
        self.home = limits.home
        self.now = 100.0
        self.reward = GeometricReward({"top": make_table({}).view().model})
        self.reward.begin(task, self.now)

    def see(self, objects: dict[str, Any], basket: Any = (0.42, 0.36)) -> None:
        self.now += 1.0
        view = self.make_table(objects, basket).view(self.now)
        self.reward.on_detections("top", self.now, view.boxes)
        assert view.depth is not None
        self.reward.on_depth("top", self.now, view.depth)

    def tool(self, position: tuple[float, float, float] | None, finger: float) -> Score:
        q = self.home.copy()
        if position is not None:
            found = self.ik.reach(Pose(np.array(position), tool_down(-np.pi / 2)))
            assert found is not None
            q[:7] = found
        q[7] = finger
        for _ in range(2):
            self.now += 0.5
            self.reward.on_joints(self.now, q, np.zeros(8))
        return self.reward.score(self.now)

    def put_down(self, at: tuple[float, float] = (0.40, 0.33)) -> None:
        """Takes the milk and lets it go at a place."""
        self.see({"milk": MILK})
        self.tool(None, 0.04)
        self.tool((0.45, -0.2, 0.1), 0.03)
        self.tool((*at, 0.2), 0.03)
        self.tool((*at, 0.2), 0.04)


@pytest.fixture
def attempt(make_table: Callable, limits: JointLimits) -> Attempt:
    return Attempt(make_table, limits)


def test_without_images_it_cannot_tell(attempt: Attempt) -> None:
    score = attempt.tool(None, 0.04)
    assert math.isnan(score.progress)
    assert math.isnan(score.success)


def test_without_the_container_it_cannot_tell(attempt: Attempt) -> None:
    attempt.see({"milk": MILK}, basket=None)
    assert math.isnan(attempt.tool(None, 0.04).progress)


def test_the_stages_rise_one_after_the_other(attempt: Attempt) -> None:
    attempt.see({"milk": MILK})
    scores = [
        attempt.tool(None, 0.04),
        attempt.tool((0.45, -0.2, 0.15), 0.04),
        attempt.tool((0.45, -0.2, 0.1), 0.03),
        attempt.tool((0.45, -0.2, 0.2), 0.03),
        attempt.tool((0.43, 0.1, 0.3), 0.03),
        attempt.tool((0.42, 0.36, 0.3), 0.03),
    ]
    assert [score.stage for score in scores] == [
        "approach", "approach", "grasped", "lifted", "transport", "over",
    ]  # fmt: skip
    progress = [score.progress for score in scores]
    assert progress == sorted(progress)
    assert progress[1] < 0.3
    assert progress[2] == 0.4
    assert progress[5] == 0.8
    assert all(score.success == 0.0 for score in scores)


def test_let_go_over_the_container_is_no_success_before_it_is_seen(attempt: Attempt) -> None:
    attempt.put_down()
    score = attempt.tool(None, 0.04)
    assert score.success == 0.0
    assert score.progress < 0.9


def test_seen_inside_with_the_hand_away_is_success(attempt: Attempt) -> None:
    attempt.put_down()
    attempt.see({"milk": INSIDE})
    assert attempt.tool((0.40, 0.33, 0.25), 0.04).success == 0.0
    score = attempt.tool(None, 0.04)
    assert (score.progress, score.success, score.stage) == (1.0, 1.0, "inside")


@pytest.mark.parametrize(
    ("objects", "what"),
    [
        ({"milk": MILK}, "back where it was"),
        ({"milk": (0.45, 0.05, 0.0, 0.06, 0.06, 0.13)}, "beside the container"),
        ({"milk": (0.42, 0.164, 0.0, 0.06, 0.06, 0.13)}, "leaning against the container"),
        ({}, "nowhere to be seen"),
        ({"milk": (0.40, 0.33, 0.1, 0.06, 0.06, 0.24)}, "sticking out above the rim"),
    ],
)
def test_anything_else_is_no_success(attempt: Attempt, objects: dict, what: str) -> None:
    attempt.put_down()
    attempt.see(objects)
    score = attempt.tool(None, 0.04)
    assert score.success == 0.0, what
    assert score.progress < 0.9, what


def test_something_else_in_the_container_is_no_success(attempt: Attempt) -> None:
    """The basket was not empty, and the object was let go on the table beside it."""
    can = (0.40, 0.33, 0.0, 0.066, 0.066, 0.10)
    attempt.see({"milk": MILK, "soup can": can})
    attempt.tool(None, 0.04)
    attempt.tool((0.45, -0.2, 0.1), 0.03)
    attempt.tool((0.45, 0.05, 0.12), 0.03)
    attempt.tool((0.45, 0.05, 0.12), 0.04)
    attempt.see({"soup can": can})
    assert attempt.tool(None, 0.04).success == 0.0


def test_images_from_before_the_release_prove_nothing(attempt: Attempt) -> None:
    attempt.put_down()
    table = attempt.make_table({"milk": INSIDE})
    old = table.view(attempt.now - 2.0)
    attempt.reward.on_detections("top", old.stamp, old.boxes)
    attempt.reward.on_depth("top", old.stamp, old.depth)
    assert attempt.tool(None, 0.04).success == 0.0


def test_dropped_on_the_way_falls_back(attempt: Attempt) -> None:
    attempt.see({"milk": MILK})
    attempt.tool(None, 0.04)
    attempt.tool((0.45, -0.2, 0.1), 0.03)
    attempt.tool((0.45, 0.0, 0.3), 0.03)
    score = attempt.tool((0.45, 0.0, 0.3), 0.002)
    assert score.stage == "dropped"
    assert score.progress < 0.5


def test_a_place_on_the_table_is_reached_where_the_object_stands_there(
    make_table: Callable, limits: JointLimits
) -> None:
    attempt = Attempt(make_table, limits, Task("milk", "", (0.5, 0.05)))
    attempt.put_down((0.5, 0.05))
    attempt.see({"milk": (0.51, 0.06, 0.0, 0.06, 0.06, 0.13)})
    assert attempt.tool(None, 0.04).success == 1.0
    attempt.see({"milk": (0.6, 0.05, 0.0, 0.06, 0.06, 0.13)})
    assert attempt.tool(None, 0.04).success == 0.0


def test_what_was_between_the_fingers_from_the_start_counts_once_it_is_seen_inside(
    attempt: Attempt,
) -> None:
    attempt.see({})
    assert attempt.tool(None, 0.03).stage == "held"
    assert attempt.tool((0.40, 0.33, 0.2), 0.03).success == 0.0
    attempt.tool((0.40, 0.33, 0.2), 0.0395)
    attempt.see({"milk": INSIDE})
    assert attempt.tool(None, 0.0395).success == 1.0


def test_fingers_left_ajar_hide_no_object_that_is_in_the_container_already(
    attempt: Attempt,
) -> None:
    attempt.see({"milk": INSIDE})
    attempt.tool(None, 0.02)
    attempt.tool(None, 0.0395)
    attempt.see({"milk": INSIDE})
    assert attempt.tool(None, 0.0395).success == 1.0


def test_a_success_that_was_seen_before_the_end_is_none_after_it(attempt: Attempt) -> None:
    attempt.put_down()
    attempt.see({"milk": INSIDE})
    assert attempt.tool(None, 0.04).success == 1.0
    attempt.reward.end(attempt.now)
    score = attempt.tool(None, 0.04)
    assert math.isnan(score.progress)
    assert math.isnan(score.success)
    assert score.stage == "not seen since its end"
    # Knocked out between the last look and the end.
    attempt.see({"milk": (0.45, 0.05, 0.0, 0.06, 0.06, 0.13)})
    assert attempt.tool(None, 0.04).success == 0.0
    attempt.see({"milk": INSIDE})
    assert attempt.tool(None, 0.04).success == 1.0


def test_joints_from_before_the_end_prove_no_open_hand(attempt: Attempt) -> None:
    attempt.put_down()
    attempt.tool(None, 0.04)
    attempt.reward.end(attempt.now + 0.5)
    attempt.see({"milk": INSIDE})
    assert math.isnan(attempt.reward.score(attempt.now).success)
    assert attempt.tool(None, 0.04).success == 1.0


PLACE = (0.5, 0.05)
PUT = Task("milk", "", PLACE)


@pytest.mark.parametrize(
    ("milk", "hand", "finger", "success", "stage"),
    [
        ((0.5, 0.05, 0.0, 0.06, 0.06, 0.13), None, 0.04, 1.0, "placed"),
        ((0.53, 0.05, 0.0, 0.06, 0.06, 0.13), None, 0.04, 1.0, "placed"),
        ((0.55, 0.05, 0.0, 0.06, 0.06, 0.13), None, 0.04, 0.0, "outside"),
        (MILK, None, 0.04, 0.0, "outside"),
        # On its side: 6 cm high instead of 13.
        ((0.5, 0.05, 0.0, 0.13, 0.06, 0.06), None, 0.04, 0.0, "not standing"),
        ((0.5, 0.05, 0.0, 0.06, 0.06, 0.13), (*PLACE, 0.25), 0.04, 0.0, "released"),
        ((0.5, 0.05, 0.0, 0.06, 0.06, 0.13), None, 0.03, 0.0, "grasped"),
    ],
)
def test_the_last_look_says_whether_it_stands_at_its_place(
    make_table: Callable, limits: JointLimits, milk: Any, hand: Any, finger: float,
    success: float, stage: str,
) -> None:  # fmt: skip
    attempt = Attempt(make_table, limits, PUT)
    attempt.put_down(PLACE)
    attempt.reward.end(attempt.now)
    attempt.see({"milk": milk})
    score = attempt.tool(hand, finger)
    assert (score.success, score.stage) == (success, stage)


def test_it_stands_at_its_place_even_where_the_fingers_felt_nothing(
    make_table: Callable, limits: JointLimits
) -> None:
    attempt = Attempt(make_table, limits, PUT)
    attempt.see({"milk": MILK})
    assert attempt.tool(None, 0.04).stage == "approach"
    attempt.reward.end(attempt.now)
    attempt.see({"milk": (*PLACE, 0.0, 0.06, 0.06, 0.13)})
    assert attempt.tool(None, 0.04).success == 1.0


def test_what_is_not_seen_on_the_table_cannot_be_told(
    make_table: Callable, limits: JointLimits
) -> None:
    attempt = Attempt(make_table, limits, PUT)
    attempt.put_down(PLACE)
    attempt.reward.end(attempt.now)
    attempt.see({})
    assert math.isnan(attempt.tool(None, 0.04).success)


def test_the_tolerance_of_a_place_is_a_setting(make_table: Callable, limits: JointLimits) -> None:
    attempt = Attempt(make_table, limits, PUT)
    strict = RewardSettings(place_tolerance=0.02)
    attempt.reward = GeometricReward({"top": make_table({}).view().model}, strict)
    attempt.reward.begin(PUT, attempt.now)
    attempt.put_down(PLACE)
    attempt.see({"milk": (0.53, 0.05, 0.0, 0.06, 0.06, 0.13)})
    assert attempt.tool(None, 0.04).success == 0.0

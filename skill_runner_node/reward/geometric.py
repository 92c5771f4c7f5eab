"""The geometric reward: stages of a pick-and-place, each with the progress that it is worth.

Success is only what is seen: the object inside the container, below its rim, the hand open and
away. What cannot be told is NaN, never a guess.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from openral.camera_model import CameraModel
from skill_runner_node.kinematics.panda import Forward
from skill_runner_node.policies.scripted_pick_place.footprint import Footprint
from skill_runner_node.policy import Box, View
from skill_runner_node.reward import sight
from skill_runner_node.reward.grip import WIDE, Grip
from skill_runner_node.reward.sight import Sight
from skill_runner_node.reward.task import Task

Array = npt.NDArray[np.float64]
LIFTED = 0.03
"""[m] above where it was gripped."""
AWAY = 0.10
"""[m] beside the place where something was let go that the hand must be."""
OPEN = WIDE - 0.003
"""[m] of one finger above which nothing that was gripped is between them any more."""
REST = 0.2
"""[s] after which what was let go lies still."""
PAIR_S = 1.0
"""[s] between a detection and a depth image that are read together."""


@dataclass(frozen=True)
class Score:
    """One verdict.

    Attributes:
        progress: [0, 1]; NaN = cannot tell.
        success: [0, 1]; NaN = cannot tell.
        stage: What is seen.
    """

    progress: float
    success: float
    stage: str


class GeometricReward:
    """Scores one attempt after the other; time is ROS time [s] of the messages.

    Args:
        cameras: Models of the fixed cameras, by name.
    """

    def __init__(self, cameras: Mapping[str, CameraModel]) -> None:
        self._cameras = dict(cameras)
        self._forward = Forward()
        self._boxes: dict[str, tuple[float, tuple[Box, ...]]] = {}
        self._depth: dict[str, tuple[float, npt.NDArray[np.float32]]] = {}
        self._tool: Array | None = None
        self._finger = 0.0
        self._task: Task | None = None
        self._begun = 0.0
        self._reset()

    def _reset(self) -> None:
        self._grip = Grip()
        self._before: Sight | None = None
        self._after: Sight | None = None
        self._place: Footprint | None = None
        self._far: float | None = None
        self._looked = -math.inf

    def begin(self, task: Task, now: float) -> None:
        """A new attempt."""
        self._task = task
        self._begun = now
        self._reset()

    def on_detections(self, camera: str, stamp: float, boxes: tuple[Box, ...]) -> None:
        """What the detector saw; cameras without a calibration are ignored."""
        if camera in self._cameras:
            self._boxes[camera] = (stamp, boxes)

    def on_depth(self, camera: str, stamp: float, depth: npt.NDArray[np.float32]) -> None:
        """A depth image (height, width) [m]."""
        if camera in self._cameras:
            self._depth[camera] = (stamp, depth)

    def on_joints(self, stamp: float, position: Array, velocity: Array) -> None:
        """A joint state: seven angles and one finger."""
        self._tool, _ = self._forward.tool(position)
        self._finger = float(position[7])
        x, y, z = (float(value) for value in self._tool)
        self._grip = self._grip.update(stamp, self._finger, float(velocity[7]), (x, y, z))

    def newest(self) -> float:
        """[s] stamp of the oldest of the newest images; every camera has been seen since then."""
        stamps = [stamp for stamp, _ in (*self._boxes.values(), *self._depth.values())]
        complete = self._depth and set(self._boxes) == set(self._cameras)
        return min(stamps) if complete else -math.inf

    def score(self, now: float) -> Score:
        """The verdict at `now`."""
        task, tool = self._task, self._tool
        if task is None or tool is None:
            return Score(math.nan, math.nan, "unknown")
        if self._before is None:
            self._look_before(task)
        if self._before is None:
            return Score(math.nan, math.nan, "not seen")
        if self._grip.holding:
            return self._held(task, tool, self._before)
        if self._place is None and self._finger < OPEN:
            return Score(0.4, 0.0, "held")
        if self._grip.lost_at is not None or self._place is None:
            return self._released(task, tool, self._before, self._grip.lost_at or self._begun)
        return self._approach(tool, self._place)

    # -- before -----------------------------------------------------------------------------------

    def _look_before(self, task: Task) -> None:
        """The first look in which the container and the object are seen, the hand still far off."""
        views = self._views(self._begun - PAIR_S)
        if views is None:
            return
        seen = sight.see(views, task.target, task.container, None)
        if seen is None or (task.container and seen.container is None):
            return
        between = self._finger < OPEN
        if seen.body is None and not seen.inside and not between:
            return
        self._before = seen
        self._place = seen.body

    def _approach(self, tool: Array, place: Footprint) -> Score:
        goal = np.array([*place.centre, place.height])
        distance = float(np.linalg.norm(tool - goal))
        if self._far is None:
            self._far = max(distance, 0.05)
        return Score(0.05 + 0.2 * max(0.0, 1.0 - distance / self._far), 0.0, "approach")

    # -- between the fingers ----------------------------------------------------------------------

    def _held(self, task: Task, tool: Array, before: Sight) -> Score:
        if float(tool[2]) < self._grip.taken_z + LIFTED and not self._above_goal(
            task, tool, before
        ):
            return Score(0.4, 0.0, "grasped")
        if self._above_goal(task, tool, before):
            return Score(0.8, 0.0, "over")
        goal = self._goal_xy(task, before)
        start = self._place.centre if self._place is not None else tool[:2]
        whole = max(0.05, float(np.hypot(*(start - goal))))
        part = max(0.0, 1.0 - float(np.hypot(*(tool[:2] - goal))) / whole)
        stage = "lifted" if part < 0.1 else "transport"
        return Score(0.5 + 0.25 * part, 0.0, stage)

    def _goal_xy(self, task: Task, before: Sight) -> Array:
        if before.container is not None:
            return before.container.centre
        return np.array(task.position if task.position is not None else (0.0, 0.0))

    def _above_goal(self, task: Task, tool: Array, before: Sight) -> bool:
        if before.container is not None:
            return before.container.contains(tool[:2])
        return float(np.hypot(*(tool[:2] - self._goal_xy(task, before)))) < sight.NEAR

    # -- let go -----------------------------------------------------------------------------------

    def _released(self, task: Task, tool: Array, before: Sight, since: float) -> Score:
        """After something was let go: only a look with the hand open and away tells."""
        lost = np.array(self._grip.lost_xy)
        beside = float(np.hypot(*(tool[:2] - lost))) if self._grip.lost_at is not None else 1.0
        away = self._finger >= OPEN and (beside > AWAY or tool[2] > 2 * AWAY + 0.2)
        if away:
            self._look_after(task, since + REST)
        after = self._after
        over = self._above_goal(task, np.array([*lost, 0.0]), before)
        if after is None:
            return Score(0.82 if over else 0.3, 0.0, "released" if over else "dropped")
        if task.container:
            return self._in_container(after, before)
        return self._on_table(task, after)

    def _look_after(self, task: Task, since: float) -> None:
        views = self._views(since)
        newest = min((stamp for stamp, _ in self._depth.values()), default=-math.inf)
        if views is None or newest <= self._looked:
            return
        self._looked = newest
        known = self._before.container if self._before is not None else None
        seen = sight.see(views, task.target, task.container, known)
        if seen is not None:
            self._after = seen

    def _in_container(self, after: Sight, before: Sight) -> Score:
        if after.elsewhere:
            return Score(0.3, 0.0, "outside")
        place = self._place
        if place is None:
            # It was inside, or between the fingers, when the attempt began.
            seen = after.inside
        else:
            moved = sight.gone(place, after) and sight.fills(before, after, place)
            seen = moved and self._let_go_inside(before)
        if seen:
            return Score(1.0, 1.0, "inside")
        # Gone from its place, not seen anywhere: it may lie hidden, or may have fallen.
        return Score(0.6, 0.0, "lost")

    def _let_go_inside(self, before: Sight) -> bool:
        container = before.container
        return container is not None and container.contains(np.array(self._grip.lost_xy))

    def _on_table(self, task: Task, after: Sight) -> Score:
        if after.body is None:
            return Score(math.nan, math.nan, "not seen")
        distance = float(np.hypot(*(after.body.centre - self._goal_xy(task, after))))
        if distance < sight.NEAR:
            return Score(1.0, 1.0, "placed")
        return Score(0.3, 0.0, "outside")

    # -- images -----------------------------------------------------------------------------------

    def _views(self, since: float) -> dict[str, View] | None:
        """Detections of every camera, with depth where there is one, none older than `since`."""
        oldest = self.newest()
        stamps = [stamp for stamp, _ in (*self._boxes.values(), *self._depth.values())]
        if oldest < since or max(stamps, default=0.0) - oldest > PAIR_S:
            return None
        views = {}
        for camera, (stamp, boxes) in self._boxes.items():
            _, depth = self._depth.get(camera, (0.0, None))
            views[camera] = View(camera, stamp, self._cameras[camera], boxes, depth)
        return views

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
from skill_runner_node.reward.grip import Grip
from skill_runner_node.reward.settings import RewardSettings
from skill_runner_node.reward.sight import Sight
from skill_runner_node.reward.task import Task

Array = npt.NDArray[np.float64]
SHORTEST = 0.05
"""[m] that a way is taken to be long at least, since its part is asked for."""


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
        settings: Scores and tolerances; None = the defaults.
    """

    def __init__(
        self, cameras: Mapping[str, CameraModel], settings: RewardSettings | None = None
    ) -> None:
        self._settings = settings or RewardSettings()
        self._cameras = dict(cameras)
        self._forward = Forward()
        self._boxes: dict[str, tuple[float, tuple[Box, ...]]] = {}
        self._depth: dict[str, tuple[float, npt.NDArray[np.float32]]] = {}
        self._tool: Array | None = None
        self._joints_at = -math.inf
        self._finger = 0.0
        self._task: Task | None = None
        self._begun = 0.0
        self._reset()

    def _reset(self) -> None:
        self._grip = Grip(self._settings)
        self._ended = -math.inf
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

    def end(self, now: float) -> None:
        """The attempt is over: from here on only what is seen after `now` counts."""
        self._ended = now
        self._after = None
        self._looked = -math.inf

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
        self._joints_at = stamp
        self._tool, _ = self._forward.tool(position)
        self._finger = float(position[7])
        x, y, z = (float(value) for value in self._tool)
        self._grip = self._grip.update(stamp, self._finger, float(velocity[7]), (x, y, z))

    def newest(self) -> float:
        """[s] stamp of the oldest of the newest images; every camera has been seen since then."""
        stamps = [stamp for stamp, _ in (*self._boxes.values(), *self._depth.values())]
        complete = self._depth and set(self._boxes) == set(self._cameras)
        return min(stamps) if complete else -math.inf

    def seen_since_end(self) -> bool:
        """Whether every camera and the joints have shown what is there since the attempt's end."""
        return min(self.newest(), self._joints_at) >= self._ended

    def score(self, now: float) -> Score:
        """The verdict at `now`."""
        task, tool = self._task, self._tool
        if task is None or tool is None:
            return Score(math.nan, math.nan, "unknown")
        if not self.seen_since_end():
            return Score(math.nan, math.nan, "not seen since its end")
        if task.position is not None and math.isfinite(self._ended) and self._away(task, tool):
            # However it came there, and whatever the fingers felt: it is there or it is not.
            self._look_after(task, self._since())
            return self._on_table(task, self._after)
        if self._before is None:
            self._look_before(task)
        if self._before is None:
            return Score(math.nan, math.nan, "not seen")
        if self._grip.holding:
            return self._held(task, tool, self._before)
        if self._place is None and self._finger < self._settings.grip_open:
            return Score(self._settings.score_grasped, 0.0, "held")
        if self._grip.lost_at is not None or self._place is None:
            return self._released(task, tool, self._before)
        return self._approach(tool, self._place)

    # -- before -----------------------------------------------------------------------------------

    def _look_before(self, task: Task) -> None:
        """The first look in which the container and the object are seen, the hand still far off."""
        views = self._views(self._begun - self._settings.pair_s)
        if views is None:
            return
        seen = sight.see(views, task.target, task.container, None, self._settings)
        if seen is None or (task.container and seen.container is None):
            return
        between = self._finger < self._settings.grip_open
        if seen.body is None and not seen.inside and not between:
            return
        self._before = seen
        self._place = seen.body

    def _approach(self, tool: Array, place: Footprint) -> Score:
        goal = np.array([*place.centre, place.height])
        distance = float(np.linalg.norm(tool - goal))
        if self._far is None:
            self._far = max(distance, SHORTEST)
        begin, reached = self._settings.score_begin, self._settings.score_reached
        part = max(0.0, 1.0 - distance / self._far)
        return Score(begin + (reached - begin) * part, 0.0, "approach")

    # -- between the fingers ----------------------------------------------------------------------

    def _held(self, task: Task, tool: Array, before: Sight) -> Score:
        s = self._settings
        if self._above_goal(task, tool, before):
            return Score(s.score_over, 0.0, "over")
        if float(tool[2]) < self._grip.taken_z + s.lifted:
            return Score(s.score_grasped, 0.0, "grasped")
        goal = self._goal_xy(task, before)
        start = self._place.centre if self._place is not None else tool[:2]
        whole = max(SHORTEST, float(np.hypot(*(start - goal))))
        part = max(0.0, 1.0 - float(np.hypot(*(tool[:2] - goal))) / whole)
        stage = "lifted" if part < 0.1 else "transport"
        score = s.score_lifted + (s.score_transport - s.score_lifted) * part
        return Score(score, 0.0, stage)

    def _goal_xy(self, task: Task, before: Sight) -> Array:
        if before.container is not None:
            return before.container.centre
        return np.array(task.position if task.position is not None else (0.0, 0.0))

    def _above_goal(self, task: Task, tool: Array, before: Sight) -> bool:
        if before.container is not None:
            return before.container.contains(tool[:2])
        return (
            float(np.hypot(*(tool[:2] - self._goal_xy(task, before))))
            < self._settings.place_tolerance
        )

    # -- let go -----------------------------------------------------------------------------------

    def _away(self, task: Task, tool: Array) -> bool:
        """Whether the hand is open, and beside where something was let go or was to be."""
        s = self._settings
        if self._grip.holding or self._finger < s.grip_open:
            return False
        spots = [] if self._grip.lost_at is None else [self._grip.lost_xy]
        if task.position is not None:
            spots.append(task.position)
        beside = min((float(np.hypot(*(tool[:2] - spot))) for spot in spots), default=math.inf)
        return beside > s.away or float(tool[2]) > s.away_height

    def _since(self) -> float:
        """[s] from when on images count: what was let go lies still, and the attempt is over."""
        lost = self._grip.lost_at
        return max((self._begun if lost is None else lost) + self._settings.rest_s, self._ended)

    def _released(self, task: Task, tool: Array, before: Sight) -> Score:
        """After something was let go: only a look with the hand open and away tells."""
        s = self._settings
        if self._away(task, tool):
            self._look_after(task, self._since())
        after = self._after
        over = self._above_goal(task, np.array([*self._grip.lost_xy, 0.0]), before)
        if after is None:
            if over:
                return Score(s.score_released, 0.0, "released")
            return Score(s.score_missed, 0.0, "dropped")
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
        seen = sight.see(views, task.target, task.container, known, self._settings)
        if seen is not None:
            self._after = seen

    def _in_container(self, after: Sight, before: Sight) -> Score:
        if after.elsewhere:
            return Score(self._settings.score_missed, 0.0, "outside")
        place = self._place
        if place is None:
            # It was inside, or between the fingers, when the attempt began.
            seen = after.inside
        else:
            settings = self._settings
            moved = sight.gone(place, after, settings) and sight.fills(
                before, after, place, settings
            )
            seen = moved and self._let_go_inside(before)
        if seen:
            return Score(1.0, 1.0, "inside")
        # Gone from its place, not seen anywhere: it may lie hidden, or may have fallen.
        return Score(self._settings.score_hidden, 0.0, "lost")

    def _let_go_inside(self, before: Sight) -> bool:
        container = before.container
        return container is not None and container.contains(np.array(self._grip.lost_xy))

    def _on_table(self, task: Task, after: Sight | None) -> Score:
        if after is None or after.body is None or task.position is None:
            return Score(math.nan, math.nan, "not seen")
        s, place = self._settings, self._place
        if float(np.hypot(*(after.body.centre - np.array(task.position)))) > s.place_tolerance:
            return Score(s.score_missed, 0.0, "outside")
        if place is not None and abs(after.body.height - place.height) > s.height_tolerance:
            return Score(s.score_missed, 0.0, "not standing")
        return Score(1.0, 1.0, "placed")

    # -- images -----------------------------------------------------------------------------------

    def _views(self, since: float) -> dict[str, View] | None:
        """Detections of every camera, with depth where there is one, none older than `since`."""
        oldest = self.newest()
        stamps = [stamp for stamp, _ in (*self._boxes.values(), *self._depth.values())]
        if oldest < since or max(stamps, default=0.0) - oldest > self._settings.pair_s:
            return None
        views = {}
        for camera, (stamp, boxes) in self._boxes.items():
            _, depth = self._depth.get(camera, (0.0, None))
            views[camera] = View(camera, stamp, self._cameras[camera], boxes, depth)
        return views

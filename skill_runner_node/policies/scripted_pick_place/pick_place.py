"""The course of a pick-and-place: look, grip, check, carry, check, let go, go back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum

import numpy as np
import numpy.typing as npt

from skill_runner_node.catalogue_sizes import Size
from skill_runner_node.kinematics.panda import FINGER_OPEN, FINGERTIP_BELOW_TOOL
from skill_runner_node.kinematics.route import Carried, NoRouteError
from skill_runner_node.motion.limits import JointLimits
from skill_runner_node.motion.retime import RetimeError
from skill_runner_node.policies.scripted_pick_place.flat_scene import estimate_flat
from skill_runner_node.policies.scripted_pick_place.grasp import NoGraspError, choose
from skill_runner_node.policies.scripted_pick_place.motions import Motions
from skill_runner_node.policies.scripted_pick_place.placement import (
    Held,
    Spot,
    free_on_table,
    in_container,
    on_table,
)
from skill_runner_node.policies.scripted_pick_place.scene import Scene, SceneError, estimate
from skill_runner_node.policies.scripted_pick_place.settings import PickPlaceSettings
from skill_runner_node.policy import (
    Decision,
    Done,
    Failed,
    Goal,
    Look,
    Move,
    Observation,
    Outcome,
    View,
)

Array = npt.NDArray[np.float64]
AT_HOME = 0.03
"""[rad] that a joint may be off the observe pose."""
UNKNOWN_HELD = Held("", 0.05, 0.08, 0.17, 0.14)
"""Assumed of something that another run left between the fingers: as tall as anything grippable."""


class Stage(Enum):
    """Where the plan is; values are what is shown."""

    BEGIN = "begin"
    LOOK = "look"
    PICK = "pick"
    LIFTED = "lifted"
    CARRY = "carry"
    RELEASE = "release"
    SET_DOWN = "set_down"
    RETREAT = "retreat"
    END = "end"


PROGRESS = {
    Stage.BEGIN: 0.0,
    Stage.LOOK: 0.05,
    Stage.PICK: 0.1,
    Stage.LIFTED: 0.4,
    Stage.CARRY: 0.45,
    Stage.RELEASE: 0.75,
    Stage.SET_DOWN: 0.02,
    Stage.RETREAT: 0.9,
    Stage.END: 1.0,
}


class PickPlace:
    """Scripted pick-and-place for one arm with a parallel gripper.

    Parameters of a goal: `object`, and either `container` or `position` ([x, y] on the table).
    """

    def __init__(
        self,
        motions: Motions,
        limits: JointLimits,
        cameras: tuple[str, ...],
        dt: float,
        sizes: Mapping[str, Size] | None = None,
        settings: PickPlaceSettings | None = None,
    ) -> None:
        self._motions = motions
        self._limits = limits
        self._cameras = cameras
        self._dt = dt
        self._sizes = dict(sizes or {})
        self._settings = settings or PickPlaceSettings()
        # Outlives a goal: a run that was interrupted leaves the object between the fingers.
        self._held: Held | None = None
        self._steps: dict[Stage, Callable[[Observation], Decision]] = {
            Stage.BEGIN: self._begin,
            Stage.LOOK: self._look,
            Stage.LIFTED: self._lifted,
            Stage.RELEASE: self._release,
            Stage.SET_DOWN: self._set_down,
            Stage.END: self._end,
        }
        self.reset(Goal({"object": ""}))

    def reset(self, goal: Goal) -> None:
        """Begins a goal; its parameters have passed the manifest's schema."""
        self._target = str(goal.params["object"])
        container = goal.params.get("container")
        position = goal.params.get("position")
        self._container = None if container is None else str(container)
        self._position = None if position is None else np.array(position, float)
        self._stage = Stage.BEGIN
        self._looks = 0
        self._grasps = 0
        self._flat = False
        self._failure: Failed | None = None
        self._scene: Scene | None = None

    def step(self, observation: Observation, now: float) -> Decision:
        """The next decision; every problem ends as a typed failure."""
        try:
            return self._steps[self._stage](observation)
        except SceneError as problem:
            return self._again_or(problem.outcome, str(problem))
        except NoGraspError as problem:
            return Failed(Outcome.UNREACHABLE, f"no grip on '{self._target}': {problem}")
        except NoRouteError as problem:
            return Failed(Outcome.UNREACHABLE, f"no path {problem}")
        except RetimeError as problem:
            return Failed(Outcome.UNREACHABLE, str(problem))

    # -- before the first look --------------------------------------------------------------------

    def _begin(self, observation: Observation) -> Decision:
        holding = self._holding(observation)
        if not holding:
            self._held = None
        elif self._held is None:
            self._held = UNKNOWN_HELD
        away = np.abs(observation.commanded[:7] - self._limits.home[:7]).max()
        if away > AT_HOME or (not holding and observation.commanded[7] < FINGER_OPEN - 1e-3):
            carried = Carried(self._held.below_tool if self._held else FINGERTIP_BELOW_TOOL)
            rows = self._motions.home(
                observation.commanded, carried, lambda _: self._settings.assumed_top, not holding
            )
            return self._move(rows, Stage.BEGIN, Stage.LOOK, look_next=True)
        return self._look_now()

    def _look_now(self) -> Decision:
        self._stage = Stage.LOOK
        self._looks += 1
        nouns = [self._target] if not self._holds_target() else []
        if self._container is not None:
            nouns.append(self._container)
        if self._flat:
            # Without depth only what is named is seen, and anything may be in the way.
            nouns += [label for label in self._sizes if label not in nouns]
        query = ", ".join(nouns) or self._target
        return Look(query, self._cameras, Stage.LOOK.value, PROGRESS[Stage.LOOK])

    def _again_or(self, outcome: Outcome, reason: str) -> Decision:
        """Another look while the budget lasts: a detector may miss one frame."""
        if self._looks < self._settings.looks_max:
            return self._look_now()
        return Failed(outcome, reason)

    # -- with a look ------------------------------------------------------------------------------

    def _look(self, observation: Observation) -> Decision:
        if not observation.views:
            return self._look_now()
        if self._sizes and not self._flat and not _has_depth(observation.views):
            self._flat = True
            return self._look_now()
        held = self._held
        if held is not None and not self._holds_target():
            self._scene = self._estimate(observation.views, None, None)
            spots = free_on_table(held, self._scene.heights, self._settings.spare)
            rows = self._motions.carry(observation.commanded, spots, held, self._top)
            return self._move(rows, Stage.SET_DOWN, Stage.SET_DOWN)
        target = None if held is not None else self._target
        scene = self._estimate(observation.views, target, self._container)
        self._scene = scene
        if scene.inside:
            self._stage = Stage.END
            return Done(f"'{self._target}' is in '{self._container}' already")
        if held is not None:
            return self._carry(observation)
        if scene.body is None:
            raise SceneError(Outcome.NOT_FOUND, f"'{self._target}' has no body")
        grasp = choose(scene.body, scene.around, self._motions.ik)
        self._grasps += 1
        height = scene.body.height
        self._held = Held(
            self._target, grasp.width, grasp.across, height, float(grasp.pose.position[2])
        )
        # The object itself counts until the fingers are around it.
        rows = self._motions.pick(observation.commanded, grasp, scene.heights.top)
        return self._move(rows, Stage.PICK, Stage.LIFTED)

    def _estimate(
        self, views: Mapping[str, View], target: str | None, container: str | None
    ) -> Scene:
        table = self._settings.table
        if self._flat:
            return estimate_flat(views, self._sizes, target, container, table)
        return estimate(views, target, container, table)

    def _lifted(self, observation: Observation) -> Decision:
        if self._holding(observation):
            return self._carry(observation)
        gap = 2000 * float(observation.q[7])
        self._held = None
        if self._grasps < self._settings.grasps_max:
            self._looks = 0
            return self._begin(observation)
        return self._home_and_fail(
            observation,
            f"expected '{self._target}' between the fingers, got a gap of {gap:.0f} mm"
            f" after {self._grasps} grips",
        )

    def _carry(self, observation: Observation) -> Decision:
        held, scene = self._held, self._scene
        assert held is not None
        assert scene is not None
        rows = self._motions.carry(observation.commanded, self._spots(held, scene), held, self._top)
        return self._move(rows, Stage.CARRY, Stage.RELEASE)

    def _spots(self, held: Held, scene: Scene) -> list[Spot]:
        if scene.container is not None:
            spots = in_container(held, scene.container, scene.around)
            where = f"in '{self._container}' below its rim"
        else:
            assert self._position is not None
            spots = on_table(held, self._position, scene.around)
            where = f"at ({self._position[0]:.2f}, {self._position[1]:.2f}) m on the table"
        if not spots:
            raise NoRouteError(f"to a free place {where}")
        return spots

    def _release(self, observation: Observation) -> Decision:
        held = self._held
        assert held is not None
        if not self._holding(observation):
            self._held = None
            return self._home_and_fail(observation, f"'{self._target}' was dropped on the way")
        rows = self._motions.release(observation.commanded, held, self._top)
        self._held = None
        return self._move(rows, Stage.RELEASE, Stage.END)

    def _home_and_fail(self, observation: Observation, reason: str) -> Decision:
        """Out of the cameras' way first, so that whoever decides next can see the table."""
        self._failure = Failed(Outcome.GRASP_FAILED, reason)
        open_hand = Carried(FINGERTIP_BELOW_TOOL)
        rows = self._motions.home(observation.commanded, open_hand, self._top, True)
        return self._move(rows, Stage.RETREAT, Stage.END)

    def _set_down(self, observation: Observation) -> Decision:
        held = self._held
        assert held is not None
        rows = self._motions.release(observation.commanded, held, self._top)
        self._held = None
        return self._move(rows, Stage.SET_DOWN, Stage.LOOK, look_next=True)

    def _end(self, observation: Observation) -> Decision:
        if self._failure is not None:
            return self._failure
        where = f"in '{self._container}'" if self._container else "on the table"
        return Done(f"'{self._target}' was let go {where}")

    # -- shared -----------------------------------------------------------------------------------

    def _move(self, rows: Array, stage: Stage, then: Stage, *, look_next: bool = False) -> Decision:
        self._stage = then
        if look_next:
            self._stage = Stage.LOOK
        return Move(rows, self._dt, stage.value, PROGRESS[stage])

    def _top(self, polygon: Array) -> float:
        if self._scene is None:
            return self._settings.assumed_top
        return self._scene.around.top(polygon)

    def _holds_target(self) -> bool:
        return self._held is not None and self._held.label == self._target

    def _holding(self, observation: Observation) -> bool:
        """Whether something keeps the fingers from where they are commanded."""
        finger, commanded = float(observation.q[7]), float(observation.commanded[7])
        s = self._settings
        return finger > s.held_opening and finger - commanded > s.held_apart


def _has_depth(views: Mapping[str, View]) -> bool:
    return any(view.depth is not None for view in views.values())

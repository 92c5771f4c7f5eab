"""A goal of the scripted policy, with the simulator's physics and the kernel's core between.

Everything is the project's own and runs in simulated time: images are rendered and searched by the
catalogue's detector, `GoalRun` sends windows at 50 Hz, the kernel ticks at 200 Hz, the servo obeys
its commands for their lease, joint states come at 100 Hz. No ground truth reaches the policy.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt
from processes import ROOT
from simulated_kernel import TICK_NS, Decision, Finding, Measured, Proposal, SimulatedKernel

import sim_node  # noqa: F401  # chooses the GL library before mujoco is imported
from openral.camera_model import load_cameras
from perception_node.catalogue import load_catalogue
from perception_node.detectors.catalogue_detector import CatalogueDetector, CatalogueSettings
from sim_node.renderer import SceneRenderer
from sim_node.robot import HOME, JOINTS
from sim_node.scene import Scene, SceneOptions, build_scene
from sim_node.servo import JointCommand
from sim_node.world import World
from skill_runner_node.goal_run import Ask, Finish, GoalRun, Search
from skill_runner_node.motion.limits import load_limits
from skill_runner_node.parameters import RunnerParameters
from skill_runner_node.policy import Box, Goal, Move, Outcome, View
from skill_runner_node.run_settings import Joints, RunSettings
from skill_runner_node.skills import load_skills
from skill_runner_node.watch import Bounds, Kernel, KernelState

Array = npt.NDArray[np.float64]
TICK_S = TICK_NS * 1e-9
LEASE_S = 0.015
LOOK_S = 0.3
"""[s] that a look takes: a fresh frame and the detector."""
THINK_S = 0.1
"""[s] that the policy takes to plan."""
ROBOT_CLOCK_NS = 1_700_000_000_000_000_000
"""The robot's clock when the kernel's is 0; the kernel must not care."""


class Disturbance(Protocol):
    """Something that happens to the arm."""

    def before_step(self, loop: ClosedLoop) -> None:
        """Called before every step of the physics."""


@dataclass
class Result:
    """What came of one goal.

    Attributes:
        seconds: [s] of simulated time.
        findings: Of the kernel, with the time [s] of each.
        outcome: None = the goal was not over when the time was.
    """

    label: str
    outcome: Outcome | None = None
    reason: str = ""
    seconds: float = 0.0
    findings: list[tuple[float, Finding]] = field(default_factory=list)
    stops: int = 0
    refused: int = 0

    def first_stop(self) -> tuple[float, Finding] | None:
        """When and why the kernel stopped the arm first."""
        return next(((at, found) for at, found in self.findings if found.severity >= 2), None)


class Table:
    """A table and what looks at it; one model for many runs."""

    def __init__(self, seed: int) -> None:
        self.cameras = load_cameras(ROOT / "config/cameras.yaml")
        self.scene: Scene = build_scene(SceneOptions(seed=seed), self.cameras)
        self.renderer = SceneRenderer(self.scene)
        self._detector = CatalogueDetector(
            load_catalogue(ROOT / "config/catalogue"), CatalogueSettings()
        )

    def look(self, names: tuple[str, ...], world: World, now: float) -> dict[str, View]:
        """Fresh images of the cameras with their detections."""
        views = {}
        for name in names:
            image = self.renderer.colour(name, world.qpos()).copy()
            raw = self.renderer.depth_mm(name)
            depth = raw.astype(np.float32) / 1000.0
            depth[raw == 0] = np.nan
            boxes = tuple(Box(d.label, d.score, *d.box) for d in self._detector.detect(image))
            views[name] = View(name, now, self.cameras[name].model(), boxes, depth, image)
        return views

    def close(self) -> None:
        """Ends what draws."""
        self.renderer.close()


class ClosedLoop:
    """An arm at a table, its runner and its armed kernel.

    Attributes:
        motion: Rows of the newest motion; `motions` counts them.
        disturbance: What happens to the arm meanwhile.
    """

    def __init__(self, table: Table) -> None:
        self.limits = load_limits(ROOT / "config/robots/panda.yaml")
        self.scene = table.scene
        self.world = World(self.scene, HOME)
        self.kernel = SimulatedKernel(JOINTS)
        self._table = table
        p = RunnerParameters()
        self._parameters = p
        self._settings = RunSettings(
            bounds=Bounds(
                p.kernel_silence_s, p.joint_state_silence_s, p.start_wait_s, p.progress_wait_s
            ),
            horizon=p.horizon,
            context=p.context_rows,
            lead=p.lead_rows,
            acceleration=self.limits.acceleration * p.limit_share,
            settle_s=p.settle_s,
            settle_max_s=p.settle_max_s,
            rest_velocity=p.rest_velocity,
            look_s=p.look_timeout_s,
            stop_s=p.stop_wait_s,
            splice=p.splice_tolerance,
        )
        skills = load_skills(ROOT / "config", p, self.limits, table.cameras)
        self._policy = skills.policies["pick_place"]
        self.ticks = 0
        self.motion: Array | None = None
        self.motions = 0
        self.disturbance: Disturbance | None = None
        self._timeline = self._sequence = 0
        self._in_force: JointCommand | None = None
        self._until = 0.0
        self._joints: Joints | None = None
        self._stamp = 0
        self._report: Kernel | None = None
        self._reported = 0.0
        self.decision: Decision | None = None
        for tick in range(40):
            self._advance(None, arm=tick == 20)
        assert self.decision is not None
        assert self.decision.state == "HOLDING"

    def close(self) -> None:
        """Ends what it started."""
        self.kernel.close()

    @property
    def row(self) -> float:
        """The kernel's row on `motion`, -1 while it does not play it."""
        decision = self.decision
        playing = decision is not None and decision.state == "ACTIVE"
        if decision is None or not playing or decision.timeline != self._timeline:
            return -1.0
        return decision.row

    @property
    def now(self) -> float:
        """[s] of simulated time."""
        return self.ticks * TICK_S

    def run(self, label: str, longest_s: float = 60.0) -> Result:
        """One goal: the object into the basket."""
        result = Result(label)
        self._policy.reset(Goal({"object": label, "container": "basket"}))
        begin = self.now
        goal = GoalRun(begin, longest_s, longest_s, self._settings, self._next_timeline)
        pending: list[tuple[float, Ask | Search]] = []
        while self.now - begin < longest_s:
            if self.ticks % 2 == 0:
                while pending and pending[0][0] <= self.now:
                    self._answer(goal, pending.pop(0)[1])
                effect = goal.tick(self.now, self._report, self._joints)
                if isinstance(effect, Finish):
                    result.outcome, result.reason = effect.end.outcome, effect.end.reason
                    break
                if effect is not None:
                    takes = THINK_S if isinstance(effect, Ask) else LOOK_S
                    pending.append((self.now + takes, effect))
            self._advance(self._proposal(goal) if self.ticks % 4 == 0 else None)
            self._note(result)
        result.seconds = self.now - begin
        return result

    def rest(self, seconds: float, result: Result) -> None:
        """Goes on without a goal."""
        for _ in range(round(seconds / TICK_S)):
            self._advance(None)
            self._note(result)

    def _note(self, result: Result) -> None:
        assert self.decision is not None
        result.findings += [(self.now, found) for found in self.decision.findings]
        result.stops, result.refused = self.decision.stops, self.decision.refused

    def _next_timeline(self) -> int:
        self._timeline += 1
        return self._timeline

    def _answer(self, goal: GoalRun, effect: Ask | Search) -> None:
        if isinstance(effect, Ask):
            decision = self._policy.step(effect.observation, self.now)
            if isinstance(decision, Move):
                self.motion, self.motions = decision.rows, self.motions + 1
            goal.decided(decision)
            return
        goal.looked(self._table.look(effect.look.cameras, self.world, self.now))

    def _proposal(self, goal: GoalRun) -> Proposal | None:
        window = goal.window(self._report)
        if window is None or self._report is None:
            return None
        self._sequence += 1
        return Proposal(
            received=self._kernel_now() + TICK_NS - 1_000_000,
            observation_stamp=self._stamp,
            epoch=self._report.epoch,
            sequence=self._sequence,
            timeline=window.timeline,
            first_row=window.first_row,
            last=window.last,
            dt=self._parameters.row_period_s,
            rows=window.rows.tolist(),
        )

    def _kernel_now(self) -> int:
        return 1_000_000_000 + self.ticks * TICK_NS

    def _advance(self, proposal: Proposal | None, *, arm: bool = False) -> None:
        """One tick of the kernel, after the physics up to it."""
        self.ticks += 1
        while self.world.time < self.now - 1e-9:
            if self.disturbance is not None:
                self.disturbance.before_step(self)
            obeys = self._in_force is not None and self.world.time < self._until
            self.world.step(self._in_force if obeys else None)
        now = self._kernel_now()
        measured = None
        if self.ticks % 2 == 0:
            state = self.world.state()
            self._stamp = now - 500_000 + ROBOT_CLOCK_NS
            measured = Measured(
                now - 500_000,
                self._stamp,
                state.position.tolist(),
                state.velocity.tolist(),
                state.effort.tolist(),
            )
            self._joints = Joints(self.now, state.position, state.velocity)
        decision = self.kernel.tick(now, measured, proposal, arm=arm)
        if decision.command is not None:
            position, velocity = decision.command
            self._in_force = JointCommand(np.array(position), np.array(velocity))
            self._until = self.now + LEASE_S
        self.decision = decision
        self._publish(decision)

    def _publish(self, decision: Decision) -> None:
        """`kernel_status`: at every change, at 20 Hz in motion, once a second otherwise."""
        period = 0.05 if decision.state in ("ACTIVE", "BRAKING") else 1.0
        if not decision.changed and self.now - self._reported < period:
            return
        self._reported = self.now
        reason = decision.findings[-1].reason if decision.findings else ""
        self._report = Kernel(
            self.now,
            KernelState[decision.state],
            decision.epoch,
            reason,
            "",
            decision.refused,
            decision.timeline,
            decision.row,
            decision.commanded,
            self.kernel.configuration_hash,
        )

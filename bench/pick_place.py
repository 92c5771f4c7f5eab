"""Pick-and-place without ROS: simulated table, real detector, the policy, the geometric reward.

    python bench/pick_place.py --seeds 20

Prints per table what the referee says (centre inside the basket's footprint and below the rim), the
seconds per object, and every success that the reward claimed and the referee denies.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import sim_node  # noqa: F401  # chooses the GL library before mujoco is imported

import numpy as np
import numpy.typing as npt

from openral.camera_model import load_cameras
from sim_node.renderer import SceneRenderer
from sim_node.robot import HOME
from sim_node.scene import SceneOptions, build_scene
from sim_node.servo import JointCommand
from sim_node.world import World
from skill_runner_node.motion.limits import load_limits
from skill_runner_node.policies.factory import make_policy
from skill_runner_node.policy import (
    Box,
    Done,
    Failed,
    Goal,
    Look,
    Move,
    Observation,
    Outcome,
    View,
)

ROOT = Path(__file__).resolve().parent.parent
Array = npt.NDArray[np.float64]
Detect = Callable[["Table", str, npt.NDArray[np.uint8]], list[Box]]
TICK_STEPS = 2
"""Physics steps per command: 4 ms."""
LOOK_S = 0.3
"""[s] that one look costs: a fresh frame and the detector."""


@dataclass
class Run:
    """One object's attempt."""

    label: str
    outcome: Outcome
    reason: str
    seconds: float
    planning: float
    inside: bool
    score: float = float("nan")
    stages: list[tuple[str, float]] = field(default_factory=list)


class Table:
    """A simulated table with a policy on it; time is the simulation's."""

    def __init__(self, seed: int, detect: Detect) -> None:
        self.cameras = load_cameras(ROOT / "config/cameras.yaml")
        self.scene = build_scene(SceneOptions(seed=seed), self.cameras)
        self.limits = load_limits(ROOT / "config/robots/panda.yaml")
        self.world = World(self.scene, HOME)
        self.renderer = SceneRenderer(self.scene)
        self.detect = detect
        self.commanded = np.array(HOME)
        self.policy = make_policy(
            "scripted_pick_place", self.limits, ("front", "top"), dt=0.02, tool_speed=0.23
        )
        self.on_tick: Callable[[], None] | None = None

    def look(self, cameras: tuple[str, ...]) -> dict[str, View]:
        """Fresh images of the cameras with their detections."""
        self.hold(LOOK_S)
        views = {}
        for name in cameras:
            image = self.renderer.colour(name, self.world.qpos()).copy()
            depth = None
            if self.cameras[name].depth:
                raw = self.renderer.depth_mm(name)
                depth = raw.astype(np.float32) / 1000.0
                depth[raw == 0] = np.nan
            model = self.cameras[name].model()
            boxes = tuple(self.detect(self, name, image))
            views[name] = View(name, self.world.time, model, boxes, depth, image)
        return views

    def play(self, rows: Array, dt: float) -> None:
        """Commands every row, interpolated, and lets the arm settle."""
        tick = TICK_STEPS * self.world.timestep
        for now in np.arange(0.0, (len(rows) - 1) * dt, tick):
            index = min(int(now / dt), len(rows) - 2)
            velocity = (rows[index + 1] - rows[index]) / dt
            position = rows[index] + velocity * (now - index * dt)
            self._command(position, velocity, TICK_STEPS)
        self.commanded = rows[-1].copy()
        self.hold(0.06)

    def hold(self, seconds: float) -> None:
        """Stays where it is commanded."""
        self._command(self.commanded, np.zeros(len(HOME)), round(seconds / self.world.timestep))

    def _command(self, position: Array, velocity: Array, steps: int) -> None:
        command = JointCommand(position=position, velocity=velocity)
        for _ in range(steps):
            self.world.step(command)
            if self.on_tick is not None:
                self.on_tick()

    def run(self, label: str, params: dict[str, object]) -> Run:
        """One goal, until the policy ends it."""
        self.policy.reset(Goal(params))
        begin, planning = self.world.time, 0.0
        views: dict[str, View] = {}
        stages: list[tuple[str, float]] = []
        for _ in range(40):
            observation = Observation(self.world.state().position, self.commanded, views)
            started = time.perf_counter()
            decision = self.policy.step(observation, self.world.time)
            spent = time.perf_counter() - started
            planning += spent
            self.hold(spent)
            views = {}
            if isinstance(decision, Look):
                views = self.look(decision.cameras)
            elif isinstance(decision, Move):
                stages.append((decision.stage, (len(decision.rows) - 1) * decision.dt))
                self.play(decision.rows, decision.dt)
            elif isinstance(decision, (Done, Failed)):
                outcome = Outcome.COMPLETED if isinstance(decision, Done) else decision.outcome
                seconds = self.world.time - begin
                return Run(
                    label,
                    outcome,
                    decision.reason,
                    seconds,
                    planning,
                    self.inside(label),
                    stages=stages,
                )
        raise RuntimeError("the policy never came to an end")

    def inside(self, label: str) -> bool:
        """Strict: centre inside the basket's inner footprint and below the rim."""
        basket = self.scene.basket
        assert basket is not None
        bx, by, yaw = self.scene.basket_pose
        x, y, z = self.world.object_poses()[label][:3]
        dx, dy = x - bx, y - by
        local = (np.cos(yaw) * dx + np.sin(yaw) * dy, -np.sin(yaw) * dx + np.cos(yaw) * dy)
        return bool(max(abs(local[0]), abs(local[1])) <= basket.inner / 2 and z < basket.rim)

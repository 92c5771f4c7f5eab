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
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

import sim_node  # noqa: F401  # chooses the GL library before mujoco is imported
from openral.camera_model import load_cameras
from perception_node.catalogue import load_catalogue
from perception_node.detectors.catalogue_detector import CatalogueDetector, CatalogueSettings
from sim_node.renderer import SceneRenderer
from sim_node.robot import HOME
from sim_node.scene import SceneOptions, build_scene
from sim_node.servo import JointCommand
from sim_node.world import World
from skill_runner_node.catalogue_sizes import load_sizes
from skill_runner_node.motion.limits import load_limits
from skill_runner_node.parameters import RunnerParameters
from skill_runner_node.policies.factory import make_policy
from skill_runner_node.policy import (
    Box,
    Failed,
    Goal,
    Look,
    Move,
    Observation,
    Outcome,
    View,
)
from skill_runner_node.reward.geometric import GeometricReward
from skill_runner_node.reward.task import Task

ROOT = Path(__file__).resolve().parent.parent
Array = npt.NDArray[np.float64]
Detect = Callable[["Table", str, npt.NDArray[np.uint8]], list[Box]]
TICK_STEPS = 2
"""Physics steps per command: 4 ms."""
LOOK_S = 0.3
"""[s] that one look costs: a fresh frame and the detector."""


IMAGE_S = 1.0
"""[s] between images that the reward gets; a real monitor gets four a second."""
JOINT_S = 0.01
SCORE_S = 0.5
SUCCESS = 0.9
"""The reward contract's threshold."""


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
    false_successes: int = 0
    trace: list[tuple[float, float, str]] = field(default_factory=list)
    stages: list[tuple[str, float]] = field(default_factory=list)


class Table:
    """A simulated table with a policy on it; time is the simulation's."""

    def __init__(self, seed: int, detect: Detect, clumsy: float = 0.0, depth: bool = True) -> None:
        self.clumsy = clumsy
        self.depth = depth
        self.chance = np.random.default_rng([seed, 7])
        self.cameras = load_cameras(ROOT / "config/cameras.yaml")
        self.scene = build_scene(SceneOptions(seed=seed), self.cameras)
        self.limits = load_limits(ROOT / "config/robots/panda.yaml")
        self.world = World(self.scene, HOME)
        self.renderer = SceneRenderer(self.scene)
        self.detect = detect
        self.commanded = np.array(HOME)
        self.policy = make_policy(
            "scripted_pick_place",
            self.limits,
            ("front", "top"),
            RunnerParameters(),
            sizes=load_sizes(ROOT / "config/catalogue"),
        )
        fixed = {name: self.cameras[name].model() for name in ("front", "top")}
        self.reward = GeometricReward(fixed)
        self.watched: Run | None = None
        self._next = {"joints": 0.0, "images": 0.0, "score": 0.0}

    def look(self, cameras: tuple[str, ...]) -> dict[str, View]:
        """Fresh images of the cameras with their detections."""
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
            self.reward.on_detections(name, self.world.time, boxes)
            if depth is not None:
                self.reward.on_depth(name, self.world.time, depth)
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

    def fumble(self, rows: Array) -> Array:
        """The same motion, but the hand opens somewhere on the way, mostly near the container."""
        rows = rows.copy()
        at = int(len(rows) * (1.0 - self.chance.random() ** 2 * 0.7))
        opening = rows[-1, 7] + np.arange(len(rows) - at) * 0.002
        rows[at:, 7] = np.minimum(opening, 0.0395)
        return rows

    def hold(self, seconds: float) -> None:
        """Stays where it is commanded."""
        self._command(self.commanded, np.zeros(len(HOME)), round(seconds / self.world.timestep))

    def _command(self, position: Array, velocity: Array, steps: int) -> None:
        command = JointCommand(position=position, velocity=velocity)
        for _ in range(steps):
            self.world.step(command)
            self._watch()

    def _due(self, what: str, period: float) -> bool:
        due = self.world.time >= self._next[what]
        if due:
            self._next[what] = self.world.time + period
        return due

    def _watch(self) -> None:
        """What the reward monitor gets and says while a goal runs."""
        run = self.watched
        if run is None:
            return
        if self._due("joints", JOINT_S):
            state = self.world.state()
            self.reward.on_joints(self.world.time, state.position, state.velocity)
        if self._due("images", IMAGE_S):
            self.look(("front", "top"))
        if self._due("score", SCORE_S):
            self._score(run)

    def _score(self, run: Run) -> None:
        score = self.reward.score(self.world.time)
        run.score = score.progress
        run.trace.append((round(self.world.time, 2), score.progress, score.stage))
        if score.success >= SUCCESS and not self.inside(run.label):
            run.false_successes += 1

    def run(self, label: str, params: dict[str, object]) -> Run:
        """One goal, until the policy ends it."""
        self.policy.reset(Goal(params))
        run = Run(label, Outcome.POLICY_ERROR, "the policy never came to an end", 0.0, 0.0, False)
        self.reward.begin(Task(label, "basket", None), self.world.time)
        self._next = dict.fromkeys(self._next, 0.0)
        self.watched = run
        begin = self.world.time
        views: dict[str, View] = {}
        for _ in range(40):
            observation = Observation(self.world.state().position, self.commanded, views)
            started = time.perf_counter()
            decision = self.policy.step(observation, self.world.time)
            spent = time.perf_counter() - started
            run.planning += spent
            self.hold(spent)
            views = {}
            if isinstance(decision, Look):
                self.hold(LOOK_S)
                views = self.look(decision.cameras)
                if not self.depth:
                    views = {name: replace(view, depth=None) for name, view in views.items()}
            elif isinstance(decision, Move):
                run.stages.append((decision.stage, (len(decision.rows) - 1) * decision.dt))
                rows = decision.rows
                if decision.stage == "carry" and self.chance.random() < self.clumsy:
                    rows = self.fumble(rows)
                self.play(rows, decision.dt)
            else:
                run.outcome = (
                    decision.outcome if isinstance(decision, Failed) else Outcome.COMPLETED
                )
                run.reason = decision.reason
                break
        run.seconds = self.world.time - begin
        self.reward.end(self.world.time)
        self.hold(0.3)
        self.look(("front", "top"))
        self.hold(0.1)
        self._score(run)
        run.inside = self.inside(label)
        self.watched = None
        return run

    def inside(self, label: str) -> bool:
        """Strict: centre inside the basket's inner footprint and below the rim."""
        basket = self.scene.basket
        assert basket is not None
        bx, by, yaw = self.scene.basket_pose
        x, y, z = self.world.object_poses()[label][:3]
        dx, dy = x - bx, y - by
        local = (np.cos(yaw) * dx + np.sin(yaw) * dy, -np.sin(yaw) * dx + np.cos(yaw) * dy)
        return bool(max(abs(local[0]), abs(local[1])) <= basket.inner / 2 and z < basket.rim)


def catalogue_detect() -> Detect:
    """The detector that the perception node runs, taught by the project's catalogue."""
    detector = CatalogueDetector(load_catalogue(ROOT / "config/catalogue"), CatalogueSettings())

    def detect(_table: Table, _camera: str, image: npt.NDArray[np.uint8]) -> list[Box]:
        return [Box(d.label, d.score, *d.box) for d in detector.detect(image)]

    return detect


def clear_table(
    seed: int, detect: Detect, pictures: Path | None, clumsy: float, depth: bool
) -> tuple[list[Run], bool]:
    """Puts every object of one table into the basket, each tried at most twice."""
    table = Table(seed, detect, clumsy, depth)
    runs = []
    labels = list(table.scene.groceries)
    for label in np.random.default_rng(seed).permutation(labels):
        for _ in range(2):
            run = table.run(str(label), {"object": str(label), "container": "basket"})
            runs.append(run)
            if run.score >= SUCCESS:
                break
    cleared = all(table.inside(label) for label in labels)
    if pictures is not None and not cleared:
        for camera in ("front", "top"):
            image = table.renderer.colour(camera, table.world.qpos())
            cv2.imwrite(str(pictures / f"{seed:03d}_{camera}.png"), image[..., ::-1])
    table.renderer.close()
    return runs, cleared


def main() -> int:
    """Runs the tables and prints what came of them; 1 where a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--seeds", type=int, default=20, help="number of tables")
    parser.add_argument("--pictures", type=Path, help="folder for pictures of tables not cleared")
    parser.add_argument(
        "--clumsy",
        type=float,
        default=0.0,
        help="share of carries in which the hand opens too early: is the reward strict?",
    )
    parser.add_argument(
        "--no-depth", dest="depth", action="store_false", help="the policy gets no depth images"
    )
    options = parser.parse_args()
    if options.pictures is not None:
        options.pictures.mkdir(parents=True, exist_ok=True)
    detect = catalogue_detect()
    cleared, runs = 0, []
    for seed in range(options.first, options.first + options.seeds):
        begun = time.monotonic()
        of_table, clear = clear_table(seed, detect, options.pictures, options.clumsy, options.depth)
        cleared += clear
        runs += of_table
        seconds = sum(run.seconds for run in of_table)
        print(
            f"seed {seed:3d}: {'cleared' if clear else 'NOT CLEARED'}, {len(of_table)} runs,"
            f" {seconds:.0f} s of motion, {time.monotonic() - begun:.0f} s of this machine",
            flush=True,
        )
        for run in of_table:
            doubtful = run.inside != (run.score >= SUCCESS) or run.false_successes
            if run.outcome is not Outcome.COMPLETED or doubtful:
                print(
                    f"    {run.label}: {run.outcome.name}, {run.reason}; inside {run.inside},"
                    f" score {run.score:.2f} ({run.trace[-1][2]})"
                )
    false = sum(run.false_successes > 0 for run in runs)
    missed = sum(run.inside and not run.score >= SUCCESS for run in runs)
    times = [run.seconds for run in runs if run.outcome is Outcome.COMPLETED]
    print(f"tables cleared: {cleared} of {options.seeds}")
    print(f"seconds per object: mean {np.mean(times):.1f}, longest {np.max(times):.1f}")
    print(f"planning per object: mean {np.mean([run.planning for run in runs]):.2f} s")
    print(f"reward: {false} false successes, {missed} successes not seen, {len(runs)} runs")
    enough = cleared >= 0.95 * options.seeds or options.clumsy > 0.0
    return int(not enough or false > 0)


if __name__ == "__main__":
    sys.exit(main())

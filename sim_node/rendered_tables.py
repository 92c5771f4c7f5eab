"""Rendered pictures of seeded tables with the truth about every pixel: to teach and measure.

Three situations: `home` (objects on the table, arm in its observe pose), `basket` (some of the
objects dropped into the basket) and `arm` (the arm somewhere over the table, often with an object
at its fingers).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt

from openral.camera_model import load_cameras
from openral.image import RgbImage
from sim_node.renderer import SceneRenderer
from sim_node.robot import HOME, JOINTS
from sim_node.scene import SceneOptions, build_scene
from sim_node.spawn import SpawnArea, spawn

CAMERAS_FILE = Path(__file__).resolve().parent.parent / "config" / "cameras.yaml"
VIEWS = ("front", "top")
SITUATIONS = ("home", "basket", "arm")
ROBOT, FLOOR = "robot", "floor"

Mask = npt.NDArray[np.bool_]
Box = tuple[int, int, int, int]


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture and its truth.

    Attributes:
        masks: the visible pixels of every object, "basket", "robot" and "floor" that is in view.
        in_basket: labels of the objects that lie in the basket.
    """

    seed: int
    situation: str
    view: str
    rgb: RgbImage
    masks: dict[str, Mask]
    in_basket: tuple[str, ...]

    def box(self, label: str) -> Box | None:
        """Tight box x_min, y_min, x_max, y_max [px] of what is visible; None if nothing is."""
        mask = self.masks.get(label)
        if mask is None:
            return None
        ys, xs = np.nonzero(mask)
        return int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1


class RenderedTables:
    """Makes frames. One scene is compiled; every seed moves its objects."""

    def __init__(self) -> None:
        self._cameras = load_cameras(CAMERAS_FILE)
        self._scene = build_scene(SceneOptions(), self._cameras)
        self._model = self._scene.model
        self._data = mujoco.MjData(self._model)
        self._renderer = SceneRenderer(self._scene)
        camera = self._cameras[VIEWS[0]]
        self._segmentation = mujoco.Renderer(self._model, camera.height, camera.width)
        self._segmentation.enable_segmentation_rendering()
        self._owner = self._owners()

    def _owners(self) -> dict[str, list[int]]:
        owner: dict[str, list[int]] = {}
        labels = {label.replace(" ", "_"): label for label in (*self._scene.groceries, "basket")}
        for geom in range(self._model.ngeom):
            body = self._model.body(self._model.geom_bodyid[geom]).name
            if body in labels:
                owner.setdefault(labels[body], []).append(geom)
            elif body.startswith("panda"):
                owner.setdefault(ROBOT, []).append(geom)
        owner[FLOOR] = [self._model.geom("floor").id]
        return owner

    def frames(self, seeds: Sequence[int], situation: str) -> Iterator[Frame]:
        """The frames of every seed, one for each of `VIEWS`."""
        for seed in seeds:
            rng = np.random.default_rng([seed, SITUATIONS.index(situation)])
            qpos = self._set_table(seed)
            inside: tuple[str, ...] = ()
            if situation == "basket":
                inside = self._drop_some(qpos, rng)
            elif situation == "arm":
                self._move_arm(qpos, rng)
            for view in VIEWS:
                rgb = self._renderer.colour(view, qpos).copy()
                yield Frame(seed, situation, view, rgb, self._masks(view, qpos), inside)

    def close(self) -> None:
        """Frees the GL contexts."""
        self._segmentation.close()
        self._renderer.close()

    def _set_table(self, seed: int) -> npt.NDArray[np.float64]:
        views = {n: c.model() for n, c in self._cameras.items() if c.parent == "world"}
        groceries = self._scene.groceries
        mujoco.mj_resetData(self._model, self._data)
        qpos = np.array(self._data.qpos, np.float64)
        self._set_arm(qpos, HOME)
        for label, (x, y, yaw) in spawn(list(groceries.values()), seed, SpawnArea(), views).items():
            upright = (math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))
            self._place(qpos, label, (x, y, groceries[label].size[2] / 2), upright)
        return qpos

    def _set_arm(self, qpos: npt.NDArray[np.float64], joints: Iterable[float]) -> None:
        for name, value in zip(JOINTS, joints, strict=True):
            qpos[self._model.joint(name).qposadr[0]] = value

    def _place(
        self, qpos: npt.NDArray[np.float64], label: str, position: Any, quaternion: Any
    ) -> None:
        start = self._model.joint(label.replace(" ", "_")).qposadr[0]
        qpos[start : start + 3] = position
        qpos[start + 3 : start + 7] = quaternion

    def _drop_some(
        self, qpos: npt.NDArray[np.float64], rng: np.random.Generator
    ) -> tuple[str, ...]:
        labels = list(self._scene.groceries)
        chosen = tuple(str(label) for label in rng.permutation(labels)[: rng.integers(1, 5)])
        corners = rng.permutation([(-0.07, -0.07), (0.07, 0.07), (-0.07, 0.07), (0.07, -0.07)])
        x, y, _ = self._scene.basket_pose
        for label, (dx, dy) in zip(chosen, corners, strict=False):
            turn = rng.normal(size=4) if rng.random() < 0.6 else [1.0, 0.0, 0.0, rng.normal()]
            turn = np.asarray(turn) / np.linalg.norm(turn)
            jitter = rng.uniform(-0.02, 0.02, 2)
            self._place(qpos, label, (x + dx + jitter[0], y + dy + jitter[1], 0.16), turn)
        self._data.qpos[:] = qpos
        arm = [self._model.joint(name) for name in JOINTS]
        for _ in range(500):
            mujoco.mj_step(self._model, self._data)
            for joint in arm:
                self._data.qpos[joint.qposadr[0]] = qpos[joint.qposadr[0]]
                self._data.qvel[joint.dofadr[0]] = 0.0
        qpos[:] = self._data.qpos
        return chosen

    def _move_arm(self, qpos: npt.NDArray[np.float64], rng: np.random.Generator) -> None:
        low = (-0.8, -0.5, -0.3, -2.7, -0.3, 1.2, -2.5, 0.0)
        high = (1.0, 0.9, 0.3, -1.3, 0.3, 2.8, 2.5, 0.04)
        while True:
            self._set_arm(qpos, rng.uniform(low, high))
            self._data.qpos[:] = qpos
            mujoco.mj_kinematics(self._model, self._data)
            hand = self._data.body("panda_hand")
            down = hand.xmat.reshape(3, 3)[:, 2]
            tool = hand.xpos + 0.1034 * down
            if tool[2] > 0.04 and 0.3 < tool[0] < 0.7 and down[2] < -0.8:
                break
        if rng.random() < 0.5:
            label = str(rng.choice(list(self._scene.groceries)))
            below = self._scene.groceries[label].size[2] / 2 - 0.03
            turn = (math.cos(1.0), 0.0, 0.0, math.sin(1.0))
            self._place(qpos, label, tool - np.array([0.0, 0.0, below]), turn)

    def _masks(self, view: str, qpos: npt.NDArray[np.float64]) -> dict[str, Mask]:
        self._data.qpos[:] = qpos
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_camlight(self._model, self._data)
        self._segmentation.update_scene(self._data, camera=view)
        geoms = self._segmentation.render()[:, :, 0]
        masks = {label: np.isin(geoms, owned) for label, owned in self._owner.items()}
        masks[FLOOR] |= geoms < 0
        return {label: mask for label, mask in masks.items() if mask.any()}

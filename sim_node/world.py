"""The physics of the scene, one step at a time, without a clock.

Usage::

    world = World(build_scene(SceneOptions(seed=7), load_cameras("config/cameras.yaml")))
    command = JointCommand(position=world.state().position, velocity=np.zeros(8))
    world.step(command)              # one timestep under this command; the same object: it ages
    world.step(None)                 # no command in force: brake and hold
    world.state().position           # (8,) in the order of robot.JOINTS
    world.object_poses()["milk"]     # (x, y, z, qw, qx, qy, qz): for the referee only
    world.qpos()                     # what SceneRenderer.colour(camera, qpos) draws
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from sim_node.robot import ARM_JOINTS, GRIPPER_JOINT, HOME, JOINTS
from sim_node.scene import Pose, Scene
from sim_node.servo import JointCommand, Servo, Vector

_SETTLE = 0.3  # [s] in which the objects come to rest on the table


@dataclass(frozen=True, eq=False)
class JointState:
    """Measured joints, each of shape (8,): [rad], [rad/s], [N m]; the finger [m], [m/s], [N]."""

    position: Vector
    velocity: Vector
    effort: Vector


class World:
    """One scene in motion; the arm starts at `home`, shape (8,), with the brakes on."""

    def __init__(self, scene: Scene, home: tuple[float, ...] = HOME) -> None:
        self.scene = scene
        self._model = scene.model
        self._data = mujoco.MjData(scene.model)
        self._servo = Servo(scene.model)
        self._qpos = np.array([scene.model.joint(name).qposadr[0] for name in JOINTS])
        self._dof = np.array([scene.model.joint(name).dofadr[0] for name in JOINTS])
        self._motor = np.array([scene.model.actuator(name).id for name in JOINTS])
        self._bodies = {label: scene.model.body(g.name).id for label, g in scene.groceries.items()}
        self._command: JointCommand | None = None
        self._age = 0.0
        for name, value in zip(ARM_JOINTS, home, strict=False):
            self._data.joint(name).qpos = value
        for name in (GRIPPER_JOINT, "panda_finger_joint2"):
            self._data.joint(name).qpos = home[-1]
        mujoco.mj_forward(self._model, self._data)
        for _ in range(round(_SETTLE / self.timestep)):
            self.step(None)
        self._data.time = 0.0

    @property
    def timestep(self) -> float:
        """Length of a step [s]."""
        return float(self._model.opt.timestep)

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return float(self._data.time)

    def step(self, command: JointCommand | None) -> None:
        """Advance one timestep under a command, or with the brakes on."""
        mujoco.mj_step1(self._model, self._data)
        if command is None:
            self._servo.brake(self._data)
        else:
            self._age = self._age + self.timestep if command is self._command else 0.0
            self._servo.track(self._data, command, self._age)
        self._command = command
        mujoco.mj_step2(self._model, self._data)

    def state(self) -> JointState:
        """What the joints' sensors measure now."""
        return JointState(
            position=self._data.qpos[self._qpos],
            velocity=self._data.qvel[self._dof],
            effort=self._data.ctrl[self._motor],
        )

    def top_speed(self) -> float:
        """Of the fastest joint now [rad/s], the finger [m/s]."""
        return float(np.abs(self._data.qvel[self._dof]).max())

    def qpos(self) -> Vector:
        """The whole configuration of the scene, shape (nq,), a copy."""
        return np.array(self._data.qpos)

    def frame(self, name: str) -> Vector:
        """Pose of a robot frame, e.g. `panda_hand`, in the world, shape (4, 4)."""
        pose = np.eye(4)
        body = self._data.body(name)
        pose[:3, :3] = body.xmat.reshape(3, 3)
        pose[:3, 3] = body.xpos
        return pose

    def object_poses(self) -> dict[str, Pose]:
        """x, y, z [m], qw, qx, qy, qz of every object's centre, by label."""
        return {
            label: tuple(self._data.xpos[body].tolist() + self._data.xquat[body].tolist())
            for label, body in self._bodies.items()
        }

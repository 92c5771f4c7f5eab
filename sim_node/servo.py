"""The arm's own joint controller: computed torque with velocity feed-forward, and the brakes.

    tau = M(q) (k_p (q_ref - q) + k_d (v_ref - v)) + h(q, v)

(Siciliano et al., "Robotics: Modelling, Planning and Control", 8.5.2, inverse dynamics control.)
With k_d = 2 w, k_p = w^2 the error decays critically damped, at w whatever the pose.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
import numpy.typing as npt

from openral.errors import InputError
from sim_node.robot import ARM_JOINTS, JOINTS, TORQUE_LIMITS

Vector = npt.NDArray[np.float64]

_BANDWIDTH = 120.0  # [rad/s]: w of the error dynamics; w * timestep stays below 0.25
_BRAKE_TIME = 0.005  # [s] time constant of the brakes
_REST = 0.01  # [rad/s] below which the brakes have locked and the servo holds the place
_FINGER_STIFFNESS = 4000.0  # [N/m]
_FINGER_DAMPING = 45.0  # [N s/m], critical for a finger's 0.115 kg
_FINGER_FORCE = 60.0  # [N], of the hand's 70 N continuous grasping force


@dataclass(frozen=True, eq=False)
class JointCommand:
    """Where every joint is to be, and how fast it is moving there.

    Attributes:
        position: shape (8,), order of `robot.JOINTS` [rad], the finger [m].
        velocity: shape (8,) [rad/s], the finger [m/s].
    """

    position: Vector
    velocity: Vector

    def __post_init__(self) -> None:
        for name in ("position", "velocity"):
            value = np.array(getattr(self, name), dtype=np.float64)
            if value.shape != (len(JOINTS),) or not np.isfinite(value).all():
                raise InputError(
                    expected=f"{len(JOINTS)} finite values of {name}",
                    got=f"shape {value.shape}: {value}",
                    do=f"order: {', '.join(JOINTS)}",
                )
            value.setflags(write=False)
            object.__setattr__(self, name, value)


class Servo:
    """Torques for the arm and forces for the fingers of one model, once per physics step."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._dof = np.array([model.joint(name).dofadr[0] for name in ARM_JOINTS])
        self._qpos = np.array([model.joint(name).qposadr[0] for name in ARM_JOINTS])
        fingers = ("panda_finger_joint1", "panda_finger_joint2")
        self._finger_dof = np.array([model.joint(name).dofadr[0] for name in fingers])
        self._finger_qpos = np.array([model.joint(name).qposadr[0] for name in fingers])
        self._motors = np.array([model.actuator(name).id for name in (*ARM_JOINTS, *fingers)])
        self._limit = np.array(TORQUE_LIMITS)
        self._held: Vector | None = None
        self._finger_target: float | None = None

    def track(self, data: mujoco.MjData, command: JointCommand, age: float) -> None:
        """Set motor torques that follow a command received `age` [s] ago.

        Between commands the reference goes on at the commanded velocity.
        """
        self._held = None
        arm = len(ARM_JOINTS)
        reference = command.position + age * command.velocity
        error = reference[:arm] - data.qpos[self._qpos]
        slip = command.velocity[:arm] - data.qvel[self._dof]
        acceleration = _BANDWIDTH**2 * error + 2.0 * _BANDWIDTH * slip
        self._apply(data, np.clip(self._torque(data, acceleration), -self._limit, self._limit))
        self._finger_target = float(reference[arm])
        self._grip(data, float(command.velocity[arm]))

    def brake(self, data: mujoco.MjData) -> None:
        """Stop the arm and hold the place reached; the hand keeps its last target.

        The brakes act on the joint, so the motors' torque limits do not bound them.
        """
        velocity = data.qvel[self._dof]
        if self._held is None and np.abs(velocity).max() < _REST:
            self._held = data.qpos[self._qpos].copy()
        if self._held is None:
            acceleration = -velocity / _BRAKE_TIME
        else:
            error = self._held - data.qpos[self._qpos]
            acceleration = _BANDWIDTH**2 * error - 2.0 * _BANDWIDTH * velocity
        self._apply(data, self._torque(data, acceleration))
        self._grip(data, 0.0)

    def _torque(self, data: mujoco.MjData, acceleration: Vector) -> Vector:
        wanted = np.zeros(self._model.nv)
        wanted[self._dof] = acceleration
        torque = np.zeros(self._model.nv)
        mujoco.mj_mulM(self._model, data, torque, wanted)
        gravity = data.qfrc_bias - data.qfrc_passive
        result: Vector = (torque + gravity)[self._dof]
        return result

    def _apply(self, data: mujoco.MjData, torque: Vector) -> None:
        data.ctrl[self._motors[: len(ARM_JOINTS)]] = torque

    def _grip(self, data: mujoco.MjData, velocity: float) -> None:
        place = data.qpos[self._finger_qpos]
        if self._finger_target is None:
            self._finger_target = float(place.mean())
        force = _FINGER_STIFFNESS * (self._finger_target - place)
        force += _FINGER_DAMPING * (velocity - data.qvel[self._finger_dof])
        data.ctrl[self._motors[len(ARM_JOINTS) :]] = np.clip(force, -_FINGER_FORCE, _FINGER_FORCE)

"""The Franka Panda with its hand, from the MJCF and meshes of the `dm-robotics-panda` wheel."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import mujoco

from openral.panda_model import model_folder
from sim_node.decimate import TexturedTriangles, cluster, read_obj

ARM_JOINTS = tuple(f"panda_joint{i}" for i in range(1, 8))
GRIPPER_JOINT = "panda_finger_joint1"
JOINTS = (*ARM_JOINTS, GRIPPER_JOINT)
"""Order of every joint vector: seven arm joints [rad], then one finger's travel [m]."""

HOME = (0.0, -1.2, 0.0, -2.75, 0.0, 1.55, 0.785, 0.04)
"""Where the arm hides nothing from the fixed cameras."""

TORQUE_LIMITS = (87.0, 87.0, 87.0, 87.0, 12.0, 12.0, 12.0)
"""[N m], Franka Emika, "Robot and interface specifications"."""

POSITION_LIMITS = (
    (-2.8973, 2.8973),
    (-1.7628, 1.7628),
    (-2.8973, 2.8973),
    (-3.0718, -0.0698),
    (-2.8973, 2.8973),
    (-0.0175, 3.7525),
    (-2.8973, 2.8973),
)
"""[rad], same source."""

GRIPPER_LIMITS = (0.0, 0.04)
"""[m] of one finger's travel, as in the hand's MJCF."""

_PREFIX = "panda_"
_FINGERS = ("panda_finger_joint1", "panda_finger_joint2")
_ARMATURE = 0.1  # [kg m^2] of rotor and gear, seen at the joint
_CELL = 0.006  # [m] of detail kept of a link


def panda_spec() -> mujoco.MjSpec:
    """The arm with its hand, its base at the world's origin, with direct joint torques.

    Raises:
        ConfigError: the wheel is not installed.
    """
    folder = model_folder()
    arm = _load(folder / "panda.xml")
    hand = _load(folder / "panda_hand.xml")
    for element in (*hand.actuators, *hand.tendons, hand.site("wrist_site")):
        hand.delete(element)
    for sensor in list(arm.sensors):
        arm.delete(sensor)
    _without_prefix(hand)

    # Franka mounts the hand turned by -45 degrees about the flange's axis.
    half = -math.pi / 8
    flange = arm.body("panda_link8")
    mount = flange.add_frame(quat=[math.cos(half), 0.0, 0.0, math.sin(half)])
    arm.attach(hand, prefix=_PREFIX, frame=mount)
    _prepare(arm)
    return arm


def _without_prefix(hand: mujoco.MjSpec) -> None:
    """Take the prefix off every name, because attaching needs one to put on."""
    elements = (*hand.bodies, *hand.joints, *hand.geoms, *hand.sites, *hand.equalities)
    for element in elements:
        if element.name.startswith(_PREFIX):
            element.name = element.name.removeprefix(_PREFIX)
    for equality in hand.equalities:
        equality.name1 = equality.name1.removeprefix(_PREFIX)
        equality.name2 = equality.name2.removeprefix(_PREFIX)


@lru_cache(maxsize=16)
def _simplified(path: Path, cell: float) -> TexturedTriangles:
    return cluster(read_obj(path), cell)


def _load(path: Path) -> mujoco.MjSpec:
    spec = mujoco.MjSpec.from_file(str(path))
    for mesh in spec.meshes:
        # Clustered copies; a finger is small, so its form needs finer cells.
        cell = _CELL / 3 if mesh.name == "finger" else _CELL
        triangles = _simplified(path.parent / mesh.file, cell)
        mesh.file = ""
        mesh.uservert = triangles.vertices.ravel()
        mesh.userface = triangles.faces.ravel()
        mesh.usertexcoord = triangles.uv.ravel()
        mesh.userfacetexcoord = triangles.face_uv.ravel()
    for texture in spec.textures:
        texture.file = str(path.parent / texture.file)
    return spec


def _prepare(arm: mujoco.MjSpec) -> None:
    """Joints as their servo sees them, fingertips that grip, one motor per joint."""
    for name in ARM_JOINTS:
        joint = arm.joint(name)
        # The arm's own servo compensates friction (libfranka's torque interface does too).
        joint.damping = [0.0, 0.0, 0.0]
        joint.frictionloss = 0.0
        joint.armature = _ARMATURE
        _motor(arm, name)
    for name in _FINGERS:
        joint = arm.joint(name)
        joint.damping = [0.0, 0.0, 0.0]
        _motor(arm, name)
    for name in ("panda_leftfinger_collision", "panda_rightfinger_collision"):
        pad = arm.geom(name)
        pad.friction = [1.5, 0.02, 0.001]
        pad.condim = 4
        pad.priority = 1
        pad.solref = [0.004, 1.0]
        pad.rgba = [0.0, 0.0, 0.0, 0.0]
    for site in arm.sites:
        site.rgba = [0.0, 0.0, 0.0, 0.0]
    for geom in arm.geoms:
        if geom.type == mujoco.mjtGeom.mjGEOM_MESH:
            geom.group = 2


def _motor(arm: mujoco.MjSpec, joint: str) -> None:
    arm.add_actuator(
        name=joint,
        target=joint,
        trntype=mujoco.mjtTrn.mjTRN_JOINT,
        gainprm=[1.0] + [0.0] * 9,
        biastype=mujoco.mjtBias.mjBIAS_NONE,
    )

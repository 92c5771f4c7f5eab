"""The table with the robot, groceries, basket and cameras, as one MuJoCo model.

World frame: the robot's base at the origin, x forward, y left, z up; the table top is z = 0.

Usage::

    options = SceneOptions(seed=7, objects=("milk", "soup can"))
    scene = build_scene(options, load_cameras("config/cameras.yaml"))
    scene.model      # compiled MjModel
    scene.poses      # {"milk": (x, y, yaw), ...}
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import mujoco
import numpy as np

from openral.camera_model import CameraConfig
from openral.errors import ConfigError
from sim_node import artwork
from sim_node.artwork import Image8
from sim_node.basket import Basket
from sim_node.groceries import GROCERIES, Grocery
from sim_node.meshes import Mesh, box
from sim_node.robot import panda_spec
from sim_node.spawn import Pose2, SpawnArea, spawn

Pose = tuple[float, float, float, float, float, float, float]
"""x, y, z [m], qw, qx, qy, qz."""

BASKET_POSE: Pose2 = (0.42, 0.35, 0.0)
"""Where the basket stands before its seeded jitter."""

BASKET_JITTER = (0.015, 0.01, 0.03)
"""Largest seeded shift: x [m], y [m], yaw [rad]."""
_TABLE_SIZE = (1.30, 1.50, 0.04)
_TABLE_CENTRE = (0.45, 0.05)
_FLOOR_Z = -0.75
# Geometry that is only seen.
_SEEN = {"contype": 0, "conaffinity": 0, "mass": 0.0, "group": 2}
# Stiff contacts that do not creep; twice the timestep is the stiffest that is stable.
_SOLREF = [0.004, 1.0]


@dataclass(frozen=True)
class SceneOptions:
    """What is on the table.

    Attributes:
        seed: decides every random pose.
        objects: labels of the objects.
        basket: whether there is one.
        object_poses: fixed poses by label instead of seeded ones; they need not be reachable.
        timestep: of the physics [s].
    """

    seed: int = 0
    objects: tuple[str, ...] = tuple(GROCERIES)
    basket: bool = True
    object_poses: Mapping[str, Pose2] = field(default_factory=dict)
    timestep: float = 0.002


@dataclass(frozen=True, eq=False)
class Scene:
    """A compiled scene and what its parts are called."""

    model: mujoco.MjModel
    groceries: dict[str, Grocery]
    poses: dict[str, Pose2]
    basket: Basket | None
    basket_pose: Pose2
    cameras: dict[str, CameraConfig]

    @property
    def basket_place(self) -> Pose | None:
        """x, y, z [m], qw, qx, qy, qz of the basket's foot; None without a basket."""
        if self.basket is None:
            return None
        x, y, yaw = self.basket_pose
        return (x, y, 0.0, math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))


def build_scene(options: SceneOptions, cameras: Mapping[str, CameraConfig]) -> Scene:
    """Build and compile.

    Raises:
        ConfigError: an unknown label, objects that do not fit, a camera on an unknown frame, or no
            robot model.
    """
    groceries = _choose(options)
    fixed_views = {n: c.model() for n, c in cameras.items() if c.parent == "world"}
    free = [g for g in groceries if g.label not in options.object_poses]
    poses = spawn(free, options.seed, SpawnArea(), fixed_views) if free else {}
    poses = {g.label: options.object_poses.get(g.label) or poses[g.label] for g in groceries}
    rng = np.random.default_rng([options.seed, 1])
    x, y, yaw = (
        centre + float(rng.uniform(-jitter, jitter))
        for centre, jitter in zip(BASKET_POSE, BASKET_JITTER, strict=True)
    )
    basket_pose = (x, y, yaw)

    spec = panda_spec()
    spec.modelname = "table"
    _options(spec, options.timestep)
    _surroundings(spec)
    for grocery in groceries:
        _add_grocery(spec, grocery, poses[grocery.label])
    basket = Basket() if options.basket else None
    if basket is not None:
        _add_basket(spec, basket, basket_pose)
    for name, camera in cameras.items():
        _add_camera(spec, name, camera)
    return Scene(
        model=spec.compile(),
        groceries={g.label: g for g in groceries},
        poses=poses,
        basket=basket,
        basket_pose=basket_pose,
        cameras=dict(cameras),
    )


def _choose(options: SceneOptions) -> list[Grocery]:
    for label in (*options.objects, *options.object_poses):
        if label not in GROCERIES:
            raise ConfigError(f"objects: unknown {label!r}; valid: {', '.join(GROCERIES)}")
    if len(set(options.objects)) != len(options.objects):
        raise ConfigError(f"objects: each label once, got {', '.join(options.objects)}")
    return [GROCERIES[label]() for label in options.objects]


def _options(spec: mujoco.MjSpec, timestep: float) -> None:
    spec.option.timestep = timestep
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 10.0
    visual = spec.visual
    visual.headlight.ambient = [0.42, 0.42, 0.42]
    visual.headlight.diffuse = [0.22, 0.22, 0.22]
    visual.headlight.specular = [0.0, 0.0, 0.0]
    visual.map.znear = 0.02
    visual.map.zfar = 20.0
    visual.quality.shadowsize = 0
    visual.quality.offsamples = 0
    # Near and far planes are given in units of the extent.
    spec.stat.extent = 1.0
    spec.stat.center = [0.45, 0.0, 0.2]
    for camera in ("offwidth", "offheight"):
        setattr(visual.global_, camera, 4096 if camera == "offwidth" else 2160)


def _surroundings(spec: mujoco.MjSpec) -> None:
    world = spec.worldbody
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=[0.78, 0.80, 0.82],
        rgb2=[0.52, 0.55, 0.58],
        width=64,
        height=64,
    )
    world.add_light(
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        pos=[0.9, -0.6, 2.0],
        dir=[-0.35, 0.35, -1.0],
        diffuse=[0.46, 0.45, 0.43],
        specular=[0.2, 0.2, 0.2],
        castshadow=False,
    )
    _add_skin(spec, "table", _board(_TABLE_SIZE), artwork.wood(512, 512), specular=0.1)
    table_at = [*_TABLE_CENTRE, -_TABLE_SIZE[2] / 2]
    world.add_geom(
        name="table",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=[s / 2 for s in _TABLE_SIZE],
        pos=table_at,
        rgba=[0, 0, 0, 0],
        friction=[0.8, 0.01, 0.001],
        solref=_SOLREF,
    )
    world.add_geom(
        type=mujoco.mjtGeom.mjGEOM_MESH,
        meshname="table",
        material="table",
        pos=table_at,
        **_SEEN,
    )
    world.add_geom(
        name="floor",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[6, 6, 0.1],
        pos=[0, 0, _FLOOR_Z],
        rgba=[0.40, 0.42, 0.44, 1.0],
    )


def _add_grocery(spec: mujoco.MjSpec, grocery: Grocery, pose: Pose2) -> None:
    x, y, yaw = pose
    body = spec.worldbody.add_body(
        name=grocery.name,
        pos=[x, y, grocery.size[2] / 2],
        quat=[math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2)],
    )
    body.add_freejoint(name=grocery.name)
    volumes = [_volume(c.shape, c.size) for c in grocery.colliders]
    shapes = {"box": mujoco.mjtGeom.mjGEOM_BOX, "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER}
    for collider, volume in zip(grocery.colliders, volumes, strict=True):
        body.add_geom(
            type=shapes[collider.shape],
            size=[*collider.size, 0.0, 0.0][:3],
            pos=[0.0, 0.0, collider.z],
            mass=grocery.mass * volume / sum(volumes),
            rgba=[0, 0, 0, 0],
            friction=[0.7, 0.01, 0.001],
            condim=4,
            solref=_SOLREF,
            group=3,
        )
    _add_skin(spec, grocery.name, grocery.mesh, grocery.texture, specular=0.25)
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_MESH,
        meshname=grocery.name,
        material=grocery.name,
        **_SEEN,
    )


def _add_basket(spec: mujoco.MjSpec, basket: Basket, pose: Pose2) -> None:
    x, y, yaw = pose
    body = spec.worldbody.add_body(
        name="basket",
        pos=[x, y, 0.0],
        quat=[math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2)],
    )
    for centre, size in basket.boards:
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX,
            size=[s / 2 for s in size],
            pos=list(centre),
            rgba=[0, 0, 0, 0],
            friction=[0.6, 0.01, 0.001],
            solref=_SOLREF,
            group=3,
        )
    _add_skin(spec, "basket", basket.mesh(), artwork.wicker(256, 256), specular=0.05)
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="basket", material="basket", **_SEEN)


def _add_skin(
    spec: mujoco.MjSpec, name: str, mesh: Mesh, texture: Image8, *, specular: float
) -> None:
    """Register a mesh and its material under one name."""
    height, width = texture.shape[:2]
    spec.add_mesh(
        name=name,
        uservert=mesh.vertices.ravel(),
        userface=mesh.faces.ravel(),
        usertexcoord=mesh.uv.ravel(),
        userfacetexcoord=mesh.faces.ravel(),
        inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
    )
    image = spec.add_texture(
        name=name,
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        width=width,
        height=height,
        nchannel=3,
    )
    image.data = np.ascontiguousarray(texture).tobytes()
    material = spec.add_material(name=name, specular=specular, shininess=0.4)
    material.textures[int(mujoco.mjtTextureRole.mjTEXROLE_RGB)] = name


def _add_camera(spec: mujoco.MjSpec, name: str, camera: CameraConfig) -> None:
    body = spec.worldbody if camera.parent == "world" else spec.body(camera.parent)
    if body is None:
        raise ConfigError(f"cameras.{name}.parent: no frame {camera.parent!r} in the scene")
    x, y, z, w = camera.orientation
    # MuJoCo's camera looks along -z with y up: the optical frame turned by pi about its x.
    body.add_camera(name=name, pos=list(camera.position), quat=[-x, w, z, -y], fovy=camera.fovy_deg)


def _board(size: tuple[float, float, float]) -> Mesh:
    whole, edge = (0.0, 0.0, 1.0, 1.0), (0.0, 0.0, 1.0, 0.02)
    return box(size, front=edge, back=edge, right=edge, left=edge, top=whole, bottom=whole)


def _volume(shape: str, size: tuple[float, ...]) -> float:
    if shape == "box":
        return 8.0 * size[0] * size[1] * size[2]
    return 2.0 * math.pi * size[0] ** 2 * size[1]

"""The Panda's bodies and its cell in the shipped configuration, against meshes and points."""

from __future__ import annotations

import subprocess
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import yaml
from processes import program

from skill_runner_node.kinematics.panda import Forward
from skill_runner_node.motion.limits import JointLimits, load_limits
from skill_runner_node.motion.retime import Pace, retime

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

ROOT = Path(__file__).parents[2]
ROBOT = ROOT / "config/robots/panda.yaml"
KERNEL = ROOT / "config/safety_kernel.yaml"
DT = 0.02
FLANGE = 0.107  # [m] from the frame of joint 7
HAND_TURN = -np.pi / 4  # of the hand about the flange's z
FINGER_TRAVEL = 0.04  # [m]
COVERED = 0.002  # [m] that a body may stand out of its capsules, a fifth of the margin


def _parameters(file: Path) -> dict[str, Any]:
    parameters: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    found: dict[str, Any] = parameters["/**"]["ros__parameters"]
    return found


def _probe(what: str, lines: list[str], *overrides: str) -> list[str]:
    command = [program("kernel_probe"), what, "--ros-args"]
    for file in (ROBOT, KERNEL):
        command += ["--params-file", str(file)]
    for override in overrides:
        command += ["-p", override]
    answer = subprocess.run(
        command, input="\n".join(lines), capture_output=True, text=True, timeout=120, check=True
    )
    return answer.stdout.splitlines()


def _text(*numbers: float) -> str:
    return " ".join(repr(float(number)) for number in numbers)


def _timeline(rows: Array) -> str:
    return _text(DT, len(rows), *rows.ravel())


@pytest.fixture(scope="module")
def limits() -> JointLimits:
    return load_limits(ROBOT)


@pytest.fixture(scope="module")
def robot() -> dict[str, Any]:
    found: dict[str, Any] = _parameters(ROBOT)["robot"]
    return found


# ---- the capsules hold the robot


def _surface(name: str) -> Array:
    """Corners of a mesh of the robot's model, and points between them. Shape (n, 3), [m]."""
    spec = find_spec("dm_robotics.panda")
    assert spec is not None
    assert spec.origin is not None
    text = (Path(spec.origin).parent / "assets/panda" / f"{name}.obj").read_text(encoding="utf-8")
    corners, triangles = [], []
    for words in map(str.split, text.splitlines()):
        if words[:1] == ["v"]:
            corners.append([float(word) for word in words[1:4]])
        elif words[:1] == ["f"]:
            index = [int(word.split("/")[0]) - 1 for word in words[1:]]
            triangles += [(index[0], a, b) for a, b in pairwise(index[1:])]
    points = np.array(corners)
    shape = points[np.array(triangles)]
    middles = [shape.mean(axis=1), *((shape[:, i] + shape[:, i - 1]) / 2 for i in range(3))]
    return np.concatenate([points, *middles])


def _turned(points: Array, angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return points @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def _outside(points: Array, body: dict[str, Any]) -> Array:
    """How far each point lies outside the body; negative within it. [m]"""
    if "radius" in body:
        start, end = np.array(body["from"]), np.array(body["to"])
        way = end - start
        part = np.clip((points - start) @ way / max(way @ way, 1e-12), 0, 1)
        distances: Array = np.linalg.norm(points - start - part[:, None] * way, axis=1)
        return distances - float(body["radius"])
    assert body["rpy"] == [0.0, 0.0, 0.0]
    away = np.abs(points - np.array(body["position"])) - np.array(body["size"]) / 2
    outside: Array = away.max(axis=1)
    return outside


def _in_flange(points: Array) -> Array:
    return _turned(points, HAND_TURN) + np.array([0, 0, FLANGE])


def _fingers() -> Array:
    """Both fingers, open and shut, in the hand's frame: 0.0584 m along z, the second turned."""
    finger = _surface("finger")
    places = []
    for travel in (0, FINGER_TRAVEL):
        one = finger + np.array([0, travel, 0.0584])
        places += [one, one * np.array([-1, -1, 1])]
    return np.concatenate(places)


def _parts() -> Iterator[tuple[str, Array, str]]:
    yield "base", _surface("link0"), "base"
    for i in range(1, 8):
        yield f"panda_joint{i}", _surface(f"link{i}"), f"link{i}"
    yield "panda_joint7", _in_flange(_surface("hand")), "hand"
    yield "panda_joint7", _in_flange(_fingers()), "fingers"


def test_capsules_hold_the_surface_of_every_link(robot: dict[str, Any]) -> None:
    collision = robot["collision"]
    for link, points, name in _parts():
        bodies = [collision["body"][body] for body in collision["bodies"] if body.startswith(name)]
        assert bodies, name
        assert all(body["link"] == link for body in bodies), name
        outside = np.min([_outside(points, body) for body in bodies], axis=0)
        assert outside.max() < COVERED, f"{name}: {1000 * outside.max():.1f} mm stand out"


# ---- distances, against points sampled on the bodies


def _frames(robot: dict[str, Any], q: Array) -> dict[str, tuple[Array, Array]]:
    """Rotation and origin of every joint's frame, by the formulas of URDF."""
    rotation, origin = np.eye(3), np.zeros(3)
    frames = {"base": (rotation, origin)}
    for name, angle in zip(robot["arm"]["joints"], q, strict=False):
        joint = robot["arm"]["chain"][name]
        assert joint["axis"] == [0.0, 0.0, 1.0]
        origin = origin + rotation @ np.array(joint["xyz"])
        c, s = np.cos(joint["rpy"][0]), np.sin(joint["rpy"][0])
        rotation = rotation @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
        c, s = np.cos(angle), np.sin(angle)
        rotation = rotation @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        frames[name] = (rotation, origin)
    return frames


def _least(robot: dict[str, Any], world: dict[str, Any], q: Array) -> float:
    """The least distance of two bodies that must stay apart, from points 2 mm apart at most. [m]"""
    frames = _frames(robot, q)
    order = ["base", *robot["arm"]["joints"]]
    collision = robot["collision"]
    allowed = {frozenset(pair.split(":")) for pair in collision["allowed"]}
    axes = {}
    for name in collision["bodies"]:
        body = collision["body"][name]
        if "radius" not in body:
            continue
        rotation, origin = frames[body["link"]]
        ends = [rotation @ np.array(body[end]) + origin for end in ("from", "to")]
        axes[name] = np.linspace(*ends, 100)
    least = np.inf
    for name, points in axes.items():
        body = collision["body"][name]
        for thing, box in [("base", collision["body"]["base"]), *world["body"].items()]:
            adjacent = thing == "base" and body["link"] == order[1]
            if adjacent or frozenset((name, thing)) in allowed:
                continue
            away = np.abs(points - np.array(box["position"])) - np.array(box["size"]) / 2
            distance = np.linalg.norm(np.maximum(away, 0), axis=1).min() - body["radius"]
            least = min(least, distance)
        for other, others in axes.items():
            second = collision["body"][other]
            apart = order.index(body["link"]) - order.index(second["link"])
            if apart < 2 or frozenset((name, other)) in allowed:
                continue
            ways = points[:, None] - others[None]
            distance = np.linalg.norm(ways, axis=2).min() - body["radius"] - second["radius"]
            least = min(least, distance)
    return float(least)


def test_distances_agree_with_points_on_the_bodies(
    robot: dict[str, Any], limits: JointLimits
) -> None:
    world = _parameters(KERNEL)["world"]
    random = np.random.default_rng(18)
    poses = random.uniform(limits.position_min, limits.position_max, (60, 8))
    for q, line in zip(poses, _probe("nearest", [_text(*q) for q in poses]), strict=True):
        found, seen = float(line.split()[0]), _least(robot, world, q)
        # Points of bodies that overlap show less of it than their axes.
        assert found <= seen
        if seen > 0:
            assert found > seen - 0.002


# ---- what is refused, and what is not


def _way(limits: JointLimits, *corners: Array) -> Array:
    """A joint path at the planner's pace. Shape (rows, 8)."""
    steps = [np.linspace(a, b, 60, endpoint=False) for a, b in pairwise(corners)]
    path = np.concatenate([*steps, corners[-1][None]])
    pace = Pace(0.9 * limits.velocity, 0.5 * limits.acceleration, 0.2, DT, 0.16)
    return retime(path, pace, Forward().positions)


def test_refuses_no_recorded_pick_and_place() -> None:
    with np.load(Path(__file__).with_name("pick_place_timelines.npz")) as timelines:
        rows = [timelines[name] for name in timelines.files]
    assert len(rows) >= 6
    assert _probe("play", [_timeline(row) for row in rows]) == ["rest"] * len(rows)


def test_recorded_pick_and_place_is_refused_where_the_basket_stood_in_the_way() -> None:
    # The check would see it: with a wall across the table the same motions are refused.
    with np.load(Path(__file__).with_name("pick_place_timelines.npz")) as timelines:
        rows = [timelines[name] for name in timelines.files if name.endswith("carry")]
    wall = (
        "world.bodies:=[table,wall]",
        "world.body.wall.position:=[0.4,0.1,0.3]",
        "world.body.wall.rpy:=[0.0,0.0,0.0]",
        "world.body.wall.size:=[1.0,0.02,0.6]",
    )
    for answer in _probe("play", [_timeline(row) for row in rows], *wall):
        assert "collision" in answer
        assert "wall" in answer


def test_refuses_a_chunk_into_the_table(limits: JointLimits) -> None:
    low = limits.home.copy()
    low[:7] = [0.0, 0.56, 0.0, -2.3, 0.0, 2.8, 0.785]
    rows = _way(limits, limits.home, low)
    tool = Forward().positions(rows)[:, 2].min()
    assert tool < 0.02
    # The workspace holds the tool's point; without its floor, the bodies above it are held.
    free = "robot.arm.workspace_min:=[-0.45,-0.85,-1.0]"
    answer = _probe("play", [_timeline(rows)], free)[0]
    assert "collision" in answer
    assert "'fingers' and 'table'" in answer or "'hand' and 'table'" in answer


def test_refuses_an_arm_that_folds_onto_itself(limits: JointLimits) -> None:
    random = np.random.default_rng(5)
    poses = np.tile(limits.home, (400, 1))
    low, high = limits.position_min[:7] + 0.1, limits.position_max[:7] - 0.1
    poses[:, :7] = random.uniform(low, high, (400, 7))
    answers = [line.split() for line in _probe("nearest", [_text(*q) for q in poses])]
    folded = [
        (q, names)
        for q, (distance, *names) in zip(poses, answers, strict=True)
        if float(distance) < -0.01 and "table" not in names
    ]
    assert len(folded) > 10
    wide = "robot.arm.workspace_min:=[-2.0,-2.0,-2.0]", "robot.arm.workspace_max:=[2.0,2.0,2.0]"
    ways = [_timeline(_way(limits, limits.home, q)) for q, _ in folded[:12]]
    for answer in _probe("play", ways, *wide):
        assert "collision" in answer

"""The kernel's arm in space, against the simulator's model and the skills' planner."""

from __future__ import annotations

import subprocess
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import yaml
from ament_index_python.packages import get_package_prefix

from skill_runner_node.kinematics.panda import Forward
from skill_runner_node.motion.limits import JointLimits, load_limits
from skill_runner_node.motion.retime import Pace, retime

if TYPE_CHECKING:
    import numpy.typing as npt

ROOT = Path(__file__).parents[2]
ROBOT = ROOT / "config/robots/panda.yaml"
DT = 0.02


def _probe(what: str, lines: list[str], *overrides: str) -> list[str]:
    prefix = Path(get_package_prefix("openral_safety_kernel"))
    command = [str(prefix / "lib/openral_safety_kernel/kernel_probe"), what, "--ros-args"]
    for file in (ROBOT, ROOT / "config/safety_kernel.yaml"):
        command += ["--params-file", str(file)]
    for override in overrides:
        command += ["-p", override]
    answer = subprocess.run(
        command, input="\n".join(lines), capture_output=True, text=True, timeout=60, check=True
    )
    return answer.stdout.splitlines()


def _text(*numbers: float) -> str:
    return " ".join(repr(float(number)) for number in numbers)


@pytest.fixture(scope="module")
def limits() -> JointLimits:
    return load_limits(ROBOT)


@pytest.fixture(scope="module")
def motions(limits: JointLimits) -> list[npt.NDArray[np.float64]]:
    """Random joint paths around the observing pose, at the planner's full pace."""
    runner = yaml.safe_load((ROOT / "config/skill_runner_node.yaml").read_text(encoding="utf-8"))
    values = next(iter(runner.values()))["ros__parameters"]
    speed, smoothing_s = values["tool_speed"], values["smoothing_s"]
    pace = Pace(0.95 * limits.velocity, 0.5 * limits.acceleration, speed, DT, smoothing_s)
    random = np.random.default_rng(4)
    forward = Forward()
    planned = []
    for _ in range(12):
        ends = limits.home + random.uniform(-0.5, 0.5, (3, 8)) * [*([1.0] * 7), 0.0]
        ends[:, :7] = np.clip(
            ends[:, :7], limits.position_min[:7] + 0.1, limits.position_max[:7] - 0.1
        )
        corners = np.vstack([limits.home, ends])
        path = np.concatenate(
            [np.linspace(a, b, 40, endpoint=False) for a, b in pairwise(corners)] + [corners[-1:]]
        )
        planned.append(retime(path, pace, forward.positions))
    return planned


def test_agrees_with_the_simulators_model(limits: JointLimits) -> None:
    random = np.random.default_rng(1)
    poses = random.uniform(limits.position_min, limits.position_max, (200, 8))
    answers = [
        np.fromstring(line, sep=" ") for line in _probe("forward", [_text(*q) for q in poses])
    ]
    forward = Forward()
    for q, answer in zip(poses, answers, strict=True):
        position, rotation = forward.tool(q)
        # The model's quaternions are rounded to six digits.
        assert answer[:3] == pytest.approx(position, abs=1e-5)
        # The hand is mounted turned, which moves no point on its axis: the axis is compared.
        assert answer[3:].reshape(3, 3)[:, 2] == pytest.approx(rotation[:, 2], abs=1e-5)


def test_refuses_no_motion_of_the_planner(motions: list[npt.NDArray[np.float64]]) -> None:
    lines = [_text(DT, len(rows), *rows.ravel()) for rows in motions]
    # Random joints fold the arm onto itself now and then, which test_collision.py is about.
    answers = _probe("play", lines, "robot.collision.enabled:=false")
    assert answers == ["rest"] * len(motions)


def test_refuses_the_same_motions_under_a_lower_tool_speed(
    motions: list[npt.NDArray[np.float64]],
) -> None:
    lines = [_text(DT, len(rows), *rows.ravel()) for rows in motions]
    for answer in _probe("play", lines, "robot.arm.tool_speed_max:=0.1"):
        assert "tool_speed" in answer


def test_refuses_a_tool_that_leaves_the_workspace(limits: JointLimits) -> None:
    # The arm stands in the plane y = 0 and turns to the left at 0.1 rad/s.
    rows = np.repeat(limits.home[None, :], 60, axis=0)
    rows[:, 0] += 0.002 * np.arange(60)
    assert Forward().positions(rows)[-1, 1] > 0.02
    line = _text(DT, len(rows), *rows.ravel())
    assert _probe("play", [line]) == ["rest"]
    answer = _probe("play", [line], "robot.arm.workspace_max:=[0.9,0.01,1.2]")
    assert "workspace" in answer[0]

"""The kernel dies beside the real simulator, whose own record says when the arm is at rest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from fault_scene import DEAD_KERNEL_S, TRIES, Scene
from openral_msgs.msg import KernelStatus
from processes import ROOT, in_motion

from sim_node.referee import read_record, rest_time


def _with_simulator(scene: Scene, deadly: signal.Signals) -> subprocess.Popen[str]:
    """The kernel dies in motion, beside the real simulator, whose record says when the arm rests.

    Returns the kernel.
    """
    scene.plant.robot = False
    record = simulator(scene)
    for _ in range(TRIES):
        kernel = scene.processes.kernel()
        runner = in_motion(scene.plant, scene.processes)
        at = scene.strike_steady(kernel, deadly)
        scene.plant.run(0.5)
        os.killpg(runner.pid, signal.SIGKILL)
        rest = rest_after(record, at)
        if rest is not None:
            scene.note("kernel dead, arm at rest", rest)
            return kernel
        os.killpg(kernel.pid, signal.SIGKILL)
        kernel.wait(timeout=10)
        scene.plant.log.states.clear()
    raise AssertionError("the arm never moved when its kernel died")


def simulator(scene: Scene) -> Path:
    """Starts the simulated robot; its record."""
    record = scene.folder / f"sim-{time.monotonic_ns()}.jsonl"
    scene.processes.start(
        [
            *(sys.executable, "-m", "sim_node.node"),
            *("--ros-args", "-r", "__ns:=/openral"),
            *("--params-file", str(ROOT / "config/sim_node.yaml")),
            *("-p", "objects:=[milk]", "-p", "basket:=false", "-p", "joint_state_rate:=250.0"),
            *("-p", f"record_path:={record}"),
        ]
    )
    return record


def rest_after(record: Path, at: float) -> float | None:
    """Seconds from a steady time until the arm was at rest under no command; None = it was before.

    Beside busy programs something else may have stopped the arm at that moment.
    """
    samples = read_record(record)
    before = [sample for sample in samples.samples if at - 0.02 <= sample.t_mono <= at]
    if max((abs(speed) for sample in before for speed in sample.qd), default=0.0) < 0.1:
        return None
    rest = rest_time(samples, at)
    assert rest is not None
    assert rest - at <= DEAD_KERNEL_S
    last = samples.samples[-1]
    assert last.lease == "lapsed"
    assert np.abs(last.qd).max() < 0.02
    return rest - at


def kernel_killed(scene: Scene) -> None:
    """The lease ends, the robot brakes by itself; the next kernel is disarmed and moves nothing."""
    _with_simulator(scene, signal.SIGKILL)
    epoch = scene.status.epoch
    scene.plant.log.states.clear()
    scene.processes.kernel()
    scene.plant.until(lambda: scene.plant.state == KernelStatus.DISARMED, 20, "DISARMED")
    before = len(scene.plant.log.commands)
    scene.plant.run(1.0)
    assert scene.plant.state == KernelStatus.DISARMED
    assert len(scene.plant.log.commands) == before
    assert scene.status.epoch > epoch


def kernel_stopped(scene: Scene) -> None:
    """The same; a kernel that wakes finds its ticks late and latches without another command."""
    kernel = _with_simulator(scene, signal.SIGSTOP)
    before = len(scene.plant.log.commands)
    os.killpg(kernel.pid, signal.SIGCONT)
    scene.plant.until(lambda: scene.plant.state == KernelStatus.LATCHED, 5, "LATCHED")
    assert scene.status.reason == "late_ticks"
    # What its publisher had in hand when it was stopped is past its lease.
    assert len(scene.plant.log.commands) <= before + 1
    assert not scene.moves(0.3)

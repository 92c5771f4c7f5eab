"""Faults of real processes, and the end that each of them must come to.

A fault is a function of a `Scene`: it brings the system to where it strikes, strikes, and asserts
the end. `FAULTS` names them all.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from dead_kernels import kernel_killed, kernel_stopped
from fault_scene import (
    DEAD_RUNNER_S,
    ESTOP_S,
    FLOOD_MIN_HZ,
    HEARTBEAT_S,
    SENT_S,
    STATE_AGE_S,
    TRIES,
    Scene,
)
from openral_msgs.msg import ActionChunk, KernelStatus
from plant import stamp
from processes import in_motion


def _stopped_for(scene: Scene, reasons: set[str], strike: Callable[[], float]) -> float:
    """Strikes until the arm was stopped for one of the reasons; the system time of the strike."""
    for _ in range(TRIES):
        at = strike()
        scene.plant.until(
            lambda: scene.plant.state in (KernelStatus.HOLDING, KernelStatus.LATCHED), 5, "a stop"
        )
        if scene.status.reason in reasons:
            return at
        scene.plant.run(0.5)
    raise AssertionError(f"expected a stop for {reasons}, got {scene.status.reason}")


def _dead_runner(scene: Scene, deadly: signal.Signals) -> subprocess.Popen[str]:
    runner: list[subprocess.Popen[str]] = []

    def strike() -> float:
        for old in runner:
            os.killpg(old.pid, signal.SIGKILL)
        runner[:] = [in_motion(scene.plant, scene.processes)]
        return scene.strike(runner[0], deadly)

    at = _stopped_for(scene, {"chunk_stale"}, strike)
    reaction = scene.stopped(at)
    scene.note("runner dead, braking begins", reaction)
    assert reaction <= DEAD_RUNNER_S
    assert not scene.moves(0.3)
    assert scene.plant.state == KernelStatus.HOLDING
    return runner[0]


def runner_killed(scene: Scene) -> None:
    """Braking begins in time; its replacement is no second publisher and moves again."""
    scene.processes.kernel()
    _dead_runner(scene, signal.SIGKILL)
    scene.processes.runner()
    scene.plant.until(lambda: scene.plant.state == KernelStatus.ACTIVE, 20, "in motion again")


def runner_stopped(scene: Scene) -> None:
    """As dead as a killed one; what it sends on waking belongs to an epoch that is over."""
    scene.processes.kernel()
    runner = _dead_runner(scene, signal.SIGSTOP)
    epoch, woken = scene.status.epoch, time.time()
    os.killpg(runner.pid, signal.SIGCONT)

    def moving() -> list[int]:
        return [
            command.epoch
            for command in scene.plant.log.commands
            if stamp(command.header) > woken and any(command.velocities)
        ]

    # It moves again, by plans of the new epoch only.
    scene.plant.until(lambda: bool(moving()), 20, "in motion again")
    assert min(moving()) >= epoch


def _with_states(scene: Scene, deadly: signal.Signals) -> subprocess.Popen[str]:
    """The robot's driver dies in motion."""
    scene.plant.robot = False
    states = scene.peer("states")
    scene.processes.kernel()
    at = 0.0
    for _ in range(TRIES):
        runner = in_motion(scene.plant, scene.processes)
        at = scene.strike(states, deadly)
        scene.plant.until(lambda: scene.plant.state == KernelStatus.HOLDING, 3, "HOLDING")
        os.killpg(runner.pid, signal.SIGKILL)
        if scene.status.reason == "joint_state_stale":
            break
        # The runner was late first. The robot stands where it was stopped: elsewhere, the hold
        # would be a tracking error.
        os.killpg(states.pid, signal.SIGKILL)
        states = scene.peer("states", *map(str, scene.status.commanded))
        scene.plant.until(lambda: not scene.status.unmet, 10, "a robot again")
    assert scene.status.reason == "joint_state_stale"
    reaction = scene.stopped(at)
    scene.note("joint states dead, braking begins", reaction)
    assert reaction <= STATE_AGE_S + 0.01 + SENT_S
    # Without a measurement nothing is emitted, not even the place that is held.
    scene.plant.run(0.3)
    before = len(scene.plant.log.commands)
    scene.plant.run(0.3)
    assert len(scene.plant.log.commands) == before
    assert "joint_state_stale" in scene.status.unmet
    return states


def states_killed(scene: Scene) -> None:
    """Braking on the last command, then silence; another robot pose is not pulled at."""
    _with_states(scene, signal.SIGKILL)
    scene.peer("states")  # at its start pose, not where the arm was held
    scene.plant.until(lambda: "joint_state_stale" not in scene.status.unmet, 20, "states again")
    assert not scene.moves(0.5)
    assert scene.plant.state in (KernelStatus.HOLDING, KernelStatus.LATCHED)


def states_stopped(scene: Scene) -> None:
    """The same; when the driver goes on the arm is held, and does not move by itself."""
    states = _with_states(scene, signal.SIGSTOP)
    os.killpg(states.pid, signal.SIGCONT)
    scene.plant.until(lambda: "joint_state_stale" not in scene.status.unmet, 20, "states again")
    assert not scene.moves(0.5)
    assert scene.plant.state == KernelStatus.HOLDING


def kernel_stalled(scene: Scene) -> None:
    """Fifty milliseconds are ten ticks too late: latched, and the epoch is over."""
    kernel = scene.processes.kernel()
    in_motion(scene.plant, scene.processes)
    epoch = scene.status.epoch
    scene.strike(kernel, signal.SIGSTOP)
    scene.plant.run(0.05)
    os.killpg(kernel.pid, signal.SIGCONT)
    scene.plant.until(lambda: scene.plant.state == KernelStatus.LATCHED, 5, "LATCHED")
    assert scene.status.reason == "late_ticks"
    assert scene.status.epoch > epoch
    assert scene.status.late_ticks >= 3
    assert not scene.moves(0.3)


def flood(scene: Scene) -> None:
    """Ten thousand messages a second do not move the tick, and are no reason to latch."""
    # A pause of the host moves ticks as well, but not each time.
    effects: list[str] = []
    for number in range(TRIES):
        effects.append(_effect_of_a_flood(scene, scene.folder / f"record.{number}"))
        if not effects[-1]:
            return
    raise AssertionError(f"expected an undisturbed flood in {TRIES}, got {effects}")


def _effect_of_a_flood(scene: Scene, record: Path) -> str:
    """What a flood of two seconds did to the kernel; empty = nothing."""
    kernel = scene.processes.kernel(f"record_path:={record}")
    scene.plant.log.states.clear()
    runner = in_motion(scene.plant, scene.processes)
    begin = time.monotonic_ns()
    scene.plant.run(2.0)
    quiet_end = time.monotonic_ns()
    peer = scene.peer("flood")
    assert peer.stdout is not None
    before = int(peer.stdout.readline())
    flooded_begin = time.monotonic_ns()
    scene.plant.run(2.0)
    rate = float(int(peer.stdout.readline()) - before)
    flooded_end = time.monotonic_ns()
    latched = scene.plant.state == KernelStatus.LATCHED
    reason = scene.status.reason
    os.killpg(runner.pid, signal.SIGKILL)
    scene.plant.until(
        lambda: scene.plant.state in (KernelStatus.HOLDING, KernelStatus.LATCHED), 5, "a stop"
    )
    os.killpg(peer.pid, signal.SIGKILL)
    os.killpg(kernel.pid, signal.SIGTERM)
    kernel.wait(timeout=10)
    lines = record.read_text(encoding="ascii").splitlines()
    ticks = np.array([int(line.split()[1]) for line in lines if line.startswith("tick ")])
    quiet = np.diff(ticks[(ticks > begin) & (ticks < quiet_end)]) * 1e-9
    flooded = np.diff(ticks[(ticks > flooded_begin) & (ticks < flooded_end)]) * 1e-9
    assert len(flooded) > 300
    quiet_p99, flooded_p99 = (float(np.quantile(one, 0.99)) for one in (quiet, flooded))
    scene.note("flood: messages a second", rate)
    scene.note("tick interval p99, quiet", quiet_p99)
    scene.note("tick interval p99, flooded", flooded_p99)
    if latched:
        return f"latched: {reason}"
    if rate < FLOOD_MIN_HZ:
        return f"no flood: {rate} messages a second"
    if flooded_p99 >= 1.1 * quiet_p99:
        return f"tick interval p99 {flooded_p99} s, {quiet_p99} s without"
    return ""


def estop(scene: Scene) -> None:
    """Braking, latched; what arrives meanwhile is not played after reset and arm."""
    scene.processes.kernel("estop.cooldown_s:=0.3")
    scene.plant.estop = False
    in_motion(scene.plant, scene.processes)
    scene.plant.run(scene.random.uniform(0.0, 0.5))
    if scene.plant.state != KernelStatus.ACTIVE:
        scene.plant.until(lambda: scene.plant.state == KernelStatus.ACTIVE, 10, "in motion")
    at = scene.plant.press()
    scene.plant.until(lambda: scene.plant.state == KernelStatus.LATCHED, 3, "LATCHED")
    reaction = scene.stopped(at)
    scene.note("e-stop published, braking begins", reaction)
    assert reaction <= ESTOP_S + SENT_S
    assert scene.status.reason == "estop"
    assert not scene.plant.call("kernel/reset").success
    assert not scene.moves(0.5)


def pendant_killed(scene: Scene) -> None:
    """Silence of a source that has spoken is asserted."""
    pendant = scene.peer("pendant")
    scene.processes.kernel("estop.required:=true")
    in_motion(scene.plant, scene.processes)
    at = scene.strike(pendant, signal.SIGKILL)
    scene.plant.until(lambda: scene.plant.state == KernelStatus.LATCHED, 5, "LATCHED")
    assert scene.status.reason == "estop_silent"
    reaction = scene.stopped(at)
    scene.note("pendant dead, latched", reaction)
    assert HEARTBEAT_S - 0.03 <= reaction <= HEARTBEAT_S + 0.01 + SENT_S
    assert not scene.moves(0.3)


def kernel_restarted_under_estop(scene: Scene) -> None:
    """Neither the latch nor the arming survives; the level that is still asserted does its work."""
    kernel = scene.processes.kernel()
    scene.plant.estop = False
    in_motion(scene.plant, scene.processes)
    scene.plant.estop = True
    scene.plant.until(lambda: scene.plant.state == KernelStatus.LATCHED, 3, "LATCHED")
    os.killpg(kernel.pid, signal.SIGKILL)
    scene.plant.run(0.2)
    scene.plant.log.states.clear()
    scene.processes.kernel()
    # An asserted level latches a disarmed kernel too.
    scene.plant.until(lambda: scene.plant.state == KernelStatus.LATCHED, 20, "LATCHED again")
    assert not scene.plant.call("kernel/arm").success
    assert not scene.moves(0.5)


def second_runner(scene: Scene) -> None:
    """Two that send: latched, whoever is right."""
    scene.processes.kernel()
    in_motion(scene.plant, scene.processes)
    scene.plant.run(scene.random.uniform(0.0, 0.5))
    rival = scene.plant.node.create_publisher(ActionChunk, "candidate_action", 1)
    scene.plant.until(lambda: scene.plant.state == KernelStatus.LATCHED, 5, "LATCHED")
    assert scene.status.reason == "second_publisher"
    scene.plant.node.destroy_publisher(rival)
    assert not scene.moves(0.3)


def paused_clock(scene: Scene) -> None:
    """A `/clock` that stands still shifts no timeout."""
    from rosgraph_msgs.msg import Clock

    clock = scene.plant.node.create_publisher(Clock, "/clock", 1)
    scene.plant.node.create_timer(0.01, lambda: clock.publish(Clock()))
    scene.processes.kernel("use_sim_time:=true")
    _dead_runner(scene, signal.SIGKILL)


FAULTS: dict[str, Callable[[Scene], None]] = {
    "kernel_killed": kernel_killed,
    "kernel_stopped": kernel_stopped,
    "kernel_stalled": kernel_stalled,
    "states_killed": states_killed,
    "states_stopped": states_stopped,
    "runner_stopped": runner_stopped,
    "runner_killed": runner_killed,
    "pendant_killed": pendant_killed,
    "flood": flood,
    "paused_clock": paused_clock,
    "estop": estop,
    "kernel_restarted_under_estop": kernel_restarted_under_estop,
    "second_runner": second_runner,
}

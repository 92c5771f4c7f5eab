"""The kernel as a process: real DDS, real signals, and a robot that only obeys."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import time
from pathlib import Path

import pytest
from openral_msgs.msg import ActionChunk, FailureTrigger, KernelStatus, MotorCommand
from plant import Plant, stamp
from processes import Processes, in_motion
from rclpy.node import Node
from rclpy.qos import QoSProfile

LEASE = 0.015  # [s]
SENT = 0.02  # [s] from a signal or message of the test to its arrival, on a busy machine


def _at_rest_after(plant: Plant, since: float) -> float:
    """Seconds until the last command that still moved."""
    moving = [c for c in plant.log.commands if any(abs(v) > 1e-6 for v in c.velocities)]
    return stamp(moving[-1].header) - since


@pytest.mark.parametrize("deadly", [signal.SIGKILL, signal.SIGSTOP])
def test_dead_runner_brings_the_arm_to_rest(
    plant: Plant, processes: Processes, deadly: signal.Signals
) -> None:
    processes.kernel()
    # On a busy machine the plant's joint state may be late too, and stop the arm first: again.
    for _ in range(5):
        runner = in_motion(plant, processes)
        at = time.time()
        os.killpg(runner.pid, deadly)
        plant.until(lambda: plant.state == KernelStatus.HOLDING, 3, "HOLDING")
        assert plant.status is not None
        if plant.status.reason == "chunk_stale":
            break
        os.killpg(runner.pid, signal.SIGKILL)
    assert plant.status is not None
    assert plant.status.reason == "chunk_stale"
    # 65 ms of age, one tick, 3 ticks for 0.2 rad/s at 15 rad/s^2.
    assert _at_rest_after(plant, at) <= 0.13 + SENT
    assert plant.first(at, KernelStatus.BRAKING) <= 0.1 + SENT
    plant.until(
        lambda: "chunk_stale" in [failure.kind for failure in plant.log.failures], 2, "failure"
    )


@pytest.mark.parametrize("deadly", [signal.SIGKILL, signal.SIGSTOP])
def test_dead_kernel_leaves_the_robot_its_lease_only(
    plant: Plant, processes: Processes, deadly: signal.Signals
) -> None:
    kernel = processes.kernel()
    in_motion(plant, processes)
    at = time.time()
    os.killpg(kernel.pid, deadly)
    plant.run(0.5)
    last = plant.log.commands[-1]
    assert stamp(last.header) - at <= SENT
    lease = last.lease
    assert lease.sec == 0
    assert lease.nanosec <= LEASE * 1e9


def test_restarted_kernel_is_disarmed_and_knows_no_old_epoch(
    plant: Plant, processes: Processes
) -> None:
    kernel = processes.kernel()
    in_motion(plant, processes)
    assert plant.status is not None
    epoch = plant.status.epoch
    os.killpg(kernel.pid, signal.SIGKILL)
    plant.run(0.2)
    plant.log.states.clear()
    before = len(plant.log.commands)
    processes.kernel()
    plant.until(lambda: plant.state == KernelStatus.DISARMED, 20, "DISARMED")
    plant.run(1.0)
    assert plant.state == KernelStatus.DISARMED
    assert len(plant.log.commands) == before
    assert plant.status.epoch > epoch


def test_estop_stops_latches_and_needs_release_cooldown_and_reset(
    plant: Plant, processes: Processes
) -> None:
    processes.kernel("estop.cooldown_s:=0.3")
    plant.estop = False
    runner = in_motion(plant, processes)
    at = time.time()
    plant.estop = True
    plant.until(lambda: plant.state == KernelStatus.LATCHED, 3, "LATCHED")
    assert plant.status is not None
    assert plant.first(at, KernelStatus.BRAKING) <= 0.03 + SENT  # 10 ms until it is sent
    os.killpg(runner.pid, signal.SIGKILL)
    assert not plant.call("kernel/reset").success
    plant.estop = False
    plant.run(0.6)
    assert not plant.call("kernel/arm").success
    assert plant.call("kernel/reset").success
    plant.arm()


def test_silent_estop_source_latches(plant: Plant, processes: Processes) -> None:
    processes.kernel()
    plant.estop = False
    plant.arm()
    plant.run(0.3)
    plant.estop = None
    plant.until(lambda: plant.state == KernelStatus.LATCHED, 3, "LATCHED")
    assert plant.status is not None
    assert plant.status.reason == "estop_silent"


@pytest.mark.parametrize(
    ("message", "topic"), [(ActionChunk, "candidate_action"), (MotorCommand, "motor_command")]
)
def test_second_publisher_latches(
    plant: Plant, processes: Processes, message: type, topic: str
) -> None:
    processes.kernel()
    in_motion(plant, processes)
    rival = Node("rival", namespace="/openral", context=plant.context)
    rival.create_publisher(message, topic, QoSProfile(depth=1))
    plant.until(lambda: plant.state == KernelStatus.LATCHED, 5, "LATCHED")
    rival.destroy_node()
    assert plant.status is not None
    assert plant.status.reason == "second_publisher"


def test_replacement_of_a_killed_runner_is_no_second_publisher(
    plant: Plant, processes: Processes
) -> None:
    processes.kernel()
    runner = in_motion(plant, processes)
    os.killpg(runner.pid, signal.SIGKILL)
    plant.until(lambda: plant.state == KernelStatus.HOLDING, 3, "HOLDING")
    processes.runner()
    plant.until(lambda: plant.state == KernelStatus.ACTIVE, 20, "in motion again")
    plant.run(1.0)
    assert plant.state != KernelStatus.LATCHED
    assert "second_publisher" not in [failure.kind for failure in plant.log.failures]


def test_evidence_of_a_stop_is_json(plant: Plant, processes: Processes) -> None:
    processes.kernel()
    runner = in_motion(plant, processes)
    os.killpg(runner.pid, signal.SIGKILL)
    plant.until(lambda: bool(plant.log.failures), 5, "failure")
    failure = next(f for f in plant.log.failures if f.severity == FailureTrigger.FAIL)
    evidence = json.loads(failure.evidence_json)
    assert evidence["reason"] == failure.kind
    assert evidence["limit"] == {"chunk_stale": 0.065, "joint_state_stale": 0.05}[failure.kind]
    assert evidence["value"] > evidence["limit"]
    assert failure.trace_id == "sweep-1"
    assert failure.skill_id == "sweep"


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("robot.limits.panda_joint4.velocity_max:=.nan", "robot.limits.panda_joint4.velocity_max"),
        ("robot.limits.panda_joint4.position_min:=3.0", "robot.limits.panda_joint4.position_min"),
        ("robot.limits.panda_joint9.velocity_max:=1.0", "robot.limits.panda_joint9.velocity_max"),
        ("robot.joints:=[panda_joint1, panda_joint1]", "robot.joints"),
        ("loop.rate_hz:=5000.0", "loop.rate_hz"),
        ("loop.priority:=2", "loop.priority"),
        ("lease_s:=0.02", "lease_s"),
        ("robot.modes:=[joint_jump]", "robot.modes"),
        ("robot.gripper.force_max_N:=.nan", "robot.gripper.force_max_N"),
        ("robot.modes:=[body_twist]", "robot.base.linear_speed_max"),
        ("robot.arm.tool_speed_max:=.inf", "robot.arm.tool_speed_max"),
        ("separation.enabled:=true", "separation.deceleration"),
        ("record_path:=/proc/none/record", "record_path"),
        ("record_size_max_mb:=0", "record_size_max_mb"),
    ],
)
def test_bad_configuration_stops_at_start(processes: Processes, override: str, named: str) -> None:
    kernel = processes.kernel(override)
    assert kernel.wait(timeout=30) == 2
    line = processes.errors(kernel)
    assert f"safety_kernel: {named} = " in line
    assert "valid: " in line
    assert "Traceback" not in line


def test_sigterm_ends_it_cleanly(plant: Plant, processes: Processes) -> None:
    kernel = processes.kernel()
    plant.until(lambda: plant.state == KernelStatus.DISARMED, 20, "DISARMED")
    os.killpg(kernel.pid, signal.SIGTERM)
    assert kernel.wait(timeout=5) == 0


@pytest.mark.parametrize(("realtime", "enabled"), [("true", "0"), ("false", "1")])
def test_a_realtime_kernel_has_no_huge_pages(
    plant: Plant, processes: Processes, realtime: str, enabled: str
) -> None:
    # Inherited, and the command line's tests ask for it in this process: prctl(2).
    assert ctypes.CDLL(None).prctl(41, 0, 0, 0, 0) == 0
    kernel = processes.kernel(f"loop.realtime:={realtime}")
    plant.until(lambda: plant.state == KernelStatus.DISARMED, 20, "DISARMED")
    said = Path(f"/proc/{kernel.pid}/status").read_text()
    # As proc(5) says it: 1 where nobody has asked otherwise.
    assert f"THP_enabled:\t{enabled}\n" in said

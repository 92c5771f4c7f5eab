"""The kernel as a process: real DDS, real signals, and a robot that only obeys."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import IO

import pytest
import yaml
from openral_msgs.msg import ActionChunk, EStop, FailureTrigger, KernelStatus, MotorCommand
from plant import Plant, stamp
from processes import PARAMETER_FILES, ROOT, Processes, in_motion, kernel_command, program
from rclpy.event_handler import PublisherEventCallbacks
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy

pytestmark = pytest.mark.timed

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
    # Each bears what the way to the middleware has left of it.
    assert all(command.lease.sec == 0 for command in plant.log.commands)
    assert all(0 < command.lease.nanosec < LEASE * 1e9 for command in plant.log.commands)


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


def test_a_latch_survives_no_restart_once_its_cause_is_gone(
    plant: Plant, processes: Processes
) -> None:
    kernel = processes.kernel()
    plant.estop = False
    in_motion(plant, processes)
    plant.estop = True
    plant.until(lambda: plant.state == KernelStatus.LATCHED, 3, "LATCHED")
    os.killpg(kernel.pid, signal.SIGKILL)
    plant.estop = False
    plant.run(0.2)
    plant.log.states.clear()
    before = len(plant.log.commands)
    processes.kernel()
    plant.until(lambda: plant.state == KernelStatus.DISARMED, 20, "DISARMED")
    plant.run(0.5)
    assert plant.state == KernelStatus.DISARMED
    assert len(plant.log.commands) == before, "arming survived as little"


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
        # Misspelt: whoever wrote it believes that a limit is in force.
        ("skills.alowed:=[reach]", "skills.alowed"),
        ("estop.heartbeat:=0.1", "estop.heartbeat"),
        ("lease:=0.01", "lease"),
        ("loop.late_tick_max:=1", "loop.late_tick_max"),
        ("seperation.enabled:=true", "seperation.enabled"),
        ("robot.colision.enabled:=false", "robot.colision.enabled"),
        # rcl would keep the file's decimal beside it, and give one of them.
        ("robot.limits.panda_joint4.velocity_max:=1", "robot.limits.panda_joint4.velocity_max"),
        ("loop.priority:=80.0", "loop.priority"),
        ("robot.name:=7", "robot.name"),
    ],
)
def test_bad_configuration_stops_at_start(processes: Processes, override: str, named: str) -> None:
    kernel = processes.kernel(override)
    assert kernel.wait(timeout=30) == 2
    line = processes.errors(kernel)
    assert f"safety_kernel: {named} = " in line
    assert "valid: " in line
    assert "Traceback" not in line


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("record_size_max_mb: 80.0", "record_size_max_mb = 80 (a decimal), valid: a whole number"),
        ("record_size_max_mb: many", "record_size_max_mb = 'many', valid: a whole number"),
        ("record_path: 7", "record_path = 7, valid: a path"),
        ("skills: {allowed: 7}", "skills.allowed = 7, valid: a list of names"),
        ("estop: {required: 1}", "estop.required = 1, valid: true, false"),
        ("robot: {name: [a]}", "robot.name = a list, valid: a name"),
        (
            "robot: {gripper_joints: null}",  # left out
            "robot.gripper.force_max_N = 70 without robot.gripper_joints, valid: neither or both",
        ),
        (
            "robot: {gripper_joints: []}",
            "robot.gripper_joints = an empty list, valid: at least one entry, or the name left out",
        ),
    ],
)
def test_a_parameter_of_another_type_is_quoted(
    processes: Processes, tmp_path: Path, given: str, said: str
) -> None:
    # A file of its own in the place of the project's: a second type beside it is refused before.
    path = tmp_path / "parameters.yaml"
    name = given.split(":")[0]
    whole = [yaml.safe_load((ROOT / file).read_text()) for file in PARAMETER_FILES]
    parameters = {k: v for f in whole for k, v in f["/**"]["ros__parameters"].items()}
    ours = yaml.safe_load(given)
    if isinstance(ours[name], dict):
        both = parameters.get(name, {}) | ours[name]
        parameters[name] = {key: value for key, value in both.items() if value is not None}
    else:
        parameters |= ours
    path.write_text(yaml.safe_dump({"/**": {"ros__parameters": parameters}}))
    kernel = processes.start(
        [program("safety_kernel"), "--ros-args", "--params-file", str(path)],
    )
    assert kernel.wait(timeout=30) == 2
    assert f"safety_kernel: {said}" in processes.errors(kernel)


def _full_pipe() -> tuple[IO[str], IO[str], int]:
    """Both ends of a pipe that holds a page, and the descriptor that fills it."""
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
    return os.fdopen(read), os.fdopen(write, "w"), os.dup(write)


def test_nobody_reads_standard_error_and_the_kernel_goes_on(
    plant: Plant, processes: Processes
) -> None:
    reader, writer, filler = _full_pipe()
    with reader:
        kernel = processes.kernel(errors=writer)
        plant.until(lambda: plant.state == KernelStatus.DISARMED, 20, "DISARMED")
        os.set_blocking(filler, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(filler, b"x")
        # A file description is shared with the kernel, which must find it as it was.
        os.set_blocking(filler, True)
        # Arming is told there, and so is a stop.
        plant.arm()
        plant.estop = True
        plant.until(lambda: plant.state == KernelStatus.LATCHED, 5, "LATCHED")
        plant.estop = False
        plant.until(lambda: plant.call("kernel/reset").success, 10, "reset")
        plant.arm()
        before = len(plant.log.commands)
        plant.run(1.0)
        # 64 letters would have been 0.3 s of them.
        assert len(plant.log.commands) > before + 100
        assert plant.state == KernelStatus.HOLDING
        os.killpg(kernel.pid, signal.SIGTERM)
        assert kernel.wait(timeout=5) == 0
    os.close(filler)


def test_who_reads_standard_error_goes_and_the_kernel_goes_on(
    plant: Plant, processes: Processes
) -> None:
    reader, writer, filler = _full_pipe()
    os.close(filler)
    kernel = processes.kernel(errors=writer)
    plant.until(lambda: plant.state == KernelStatus.DISARMED, 20, "DISARMED")
    reader.close()
    plant.arm()
    plant.run(0.5)
    assert kernel.poll() is None
    assert plant.state == KernelStatus.HOLDING
    os.killpg(kernel.pid, signal.SIGTERM)
    assert kernel.wait(timeout=5) == 0


def test_an_estop_that_the_reader_lost_latches(plant: Plant, processes: Processes) -> None:
    """Pressed and let go, while another 198 messages of the pendant overwrite it."""
    kernel = processes.kernel()
    pendant = plant.node.create_publisher(EStop, "estop", QoSProfile(depth=500))
    plant.until(lambda: pendant.get_subscription_count() > 0, 20, "a kernel that listens")
    plant.until(lambda: plant.state == KernelStatus.DISARMED, 20, "DISARMED")
    for _ in range(3):
        pendant.publish(EStop(source="hand"))
        plant.run(0.05)
    assert plant.state == KernelStatus.DISARMED
    os.killpg(kernel.pid, signal.SIGSTOP)
    for i in range(200):
        pendant.publish(EStop(source="hand", asserted=i == 1))
    os.killpg(kernel.pid, signal.SIGCONT)
    plant.until(lambda: plant.state == KernelStatus.LATCHED, 3, "LATCHED")
    assert plant.status is not None
    assert plant.status.reason == "estop"


def test_a_failing_middleware_latches_and_ends_nothing(
    plant: Plant, processes: Processes, tmp_path: Path
) -> None:
    fails = tmp_path / "fails"
    kernel = processes.start(
        [
            *("env", f"LD_PRELOAD={program('libfailing_rcl.so')}"),
            *(f"OPENRAL_FAILING_RCL={fails}", *kernel_command()),
        ]
    )
    runner = in_motion(plant, processes)
    fails.touch()
    plant.until(lambda: plant.state == KernelStatus.LATCHED, 3, "LATCHED")
    assert plant.status is not None
    assert plant.status.reason == "internal_fault"
    plant.until(
        lambda: "internal_fault" in [failure.kind for failure in plant.log.failures], 3, "a report"
    )
    plant.run(0.3)
    assert kernel.poll() is None
    plant.until(
        lambda: re.search("middleware: .*asked to fail", processes.errors(kernel)) is not None,
        *(3, "a line in the log"),
    )
    os.killpg(runner.pid, signal.SIGKILL)
    fails.unlink()
    plant.until(lambda: plant.call("kernel/reset").success, 10, "reset")
    plant.arm()


def test_a_pause_of_the_machine_on_the_way_into_motion_ends_no_test(
    plant: Plant, processes: Processes
) -> None:
    kernel = processes.kernel()
    paused: list[float] = []

    def pause() -> None:
        if plant.state == KernelStatus.ACTIVE and not paused:
            paused.append(time.monotonic())
            os.killpg(kernel.pid, signal.SIGSTOP)
            time.sleep(0.1)
            os.killpg(kernel.pid, signal.SIGCONT)

    plant.timers.append(plant.node.create_timer(0.001, pause))
    in_motion(plant, processes)
    assert paused
    assert KernelStatus.LATCHED in [status.state for status in plant.log.states]
    assert plant.state == KernelStatus.ACTIVE


def test_a_middleware_that_blocks_latches_and_no_row_is_caught_up_with(
    plant: Plant, processes: Processes, tmp_path: Path
) -> None:
    blocks = tmp_path / "blocks"
    kernel = processes.start(
        [
            *("env", f"LD_PRELOAD={program('libfailing_rcl.so')}"),
            f"OPENRAL_BLOCKING_RCL={blocks}",
            # A pause of the host before that is none of its.
            *kernel_command("loop.late_tolerance_s:=0.02"),
        ]
    )
    in_motion(plant, processes)
    plant.until(lambda: plant.state == KernelStatus.ACTIVE, 10, "in motion")
    blocks.touch()
    plant.run(0.1)
    before = len(plant.log.commands)
    blocks.unlink()
    plant.until(lambda: plant.state == KernelStatus.LATCHED, 3, "LATCHED")
    assert plant.status is not None
    assert plant.status.reason == "internal_fault"
    assert plant.status.commands_lapsed >= 1
    lapsed = "a row was not sent within its lease"
    plant.until(lambda: lapsed in processes.errors(kernel), 3, "a line in the log")
    plant.run(0.3)
    # The one that was being sent; the robot stands still by now.
    assert len(plant.log.commands) - before <= 1


def _processor_time(process: subprocess.Popen[str]) -> float:
    """Of all its threads until now [s]: fields 14 and 15 of proc_pid_stat(5)."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_publisher_whose_qos_does_not_fit_keeps_no_processor_busy(
    plant: Plant, processes: Processes
) -> None:
    kernel = processes.kernel("loop.realtime:=false")
    plant.until(lambda: plant.state == KernelStatus.DISARMED, 20, "DISARMED")
    best_effort = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
    misfits: list[object] = []
    misfit = plant.node.create_publisher(
        ActionChunk,
        "candidate_action",
        best_effort,
        event_callbacks=PublisherEventCallbacks(incompatible_qos=misfits.append),
    )
    # The publisher is told of it too.
    plant.until(lambda: bool(misfits), 10, "discovery")
    plant.run(0.5)
    before = _processor_time(kernel)
    plant.run(2.0)
    # A thread that does not wait takes its 2 s, or what a busy machine leaves it.
    assert _processor_time(kernel) - before < 0.5
    plant.node.destroy_publisher(misfit)


def test_nobody_is_offered_parameter_services_that_are_not_served(
    plant: Plant, processes: Processes
) -> None:
    processes.kernel()
    plant.until(lambda: plant.state == KernelStatus.DISARMED, 20, "DISARMED")

    def services() -> list[str]:
        return [name for name, _ in plant.node.get_service_names_and_types()]

    plant.until(lambda: "/openral/kernel/reset" in services(), 10, "discovery")
    assert "/openral/safety_kernel/list_parameters" not in services()


def test_locked_memory_is_not_needed_for_the_priority(plant: Plant, processes: Processes) -> None:
    command = kernel_command("loop.realtime:=true")
    without = ["setpriv", "--bounding-set=-ipc_lock", "prlimit", "--memlock=0"]
    if subprocess.run([*without, "chrt", "-f", "10", "true"], check=False).returncode != 0:
        pytest.skip("needs the right to SCHED_FIFO, and to give up that to lock memory")
    kernel = processes.start([*without, *command])
    plant.until(lambda: plant.state == KernelStatus.DISARMED, 20, "DISARMED")
    assert plant.status is not None
    assert not plant.status.realtime
    threads = [int(task.name) for task in Path(f"/proc/{kernel.pid}/task").iterdir()]
    priorities = [os.sched_getparam(thread).sched_priority for thread in threads]
    # As in config/safety_kernel.yaml: the loop, the thread that publishes, the one that takes.
    assert {80, 79, 78} <= set(priorities)


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

"""The real processes of a test: the kernel, and what sends to it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ament_index_python.packages import get_package_prefix
from openral_msgs.msg import KernelStatus

from openral.bringup import domain
from openral.ros.transport import use_udp_alone

if TYPE_CHECKING:
    from plant import Plant

ROOT = Path(__file__).parents[2]
# Below the domains that other tests and the bring-up choose from: who joins later is no rival. Of
# workers side by side each has its own, since two that choose at once would see the same one free.
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
DOMAINS = range(1, 11)[WORKER % 10 :: min(WORKERS, 10)]
PARAMETER_FILES = ("config/robots/panda.yaml", "config/safety_kernel.yaml")


def environment() -> dict[str, str]:
    """Of a domain that nobody else on this machine is in, with the transports of the bring-up."""
    order = random.SystemRandom().sample(DOMAINS, len(DOMAINS))
    environ = {"ROS_DOMAIN_ID": str(domain.choose(order))}
    domain.isolate(environ)
    use_udp_alone("rmw_fastrtps_cpp", ROOT / "config/fastdds_localhost.xml", environ)
    return environ


def program(name: str) -> str:
    """Path of an executable of the kernel's package."""
    return str(
        Path(get_package_prefix("openral_safety_kernel"), "lib", "openral_safety_kernel", name)
    )


def kernel_command(*overrides: str) -> list[str]:
    """The kernel under the project's own parameter files."""
    command = [
        program("safety_kernel"),
        "--ros-args",
        *("-r", "__ns:=/openral"),
        *(word for file in PARAMETER_FILES for word in ("--params-file", str(ROOT / file))),
    ]
    for override in overrides:
        command += ["-p", override]
    return command


PAUSES_MAX = 5  # of the machine, on the way into one motion

BASE = {
    "linear_speed_max": 0.5,
    "lateral_speed_max": 0.0,
    "angular_speed_max": 1.0,
    "linear_acceleration_max": 1.0,
    "lateral_acceleration_max": 1.0,
    "angular_acceleration_max": 2.0,
    "stopping_distance_max": 0.2,
    "stopping_time_max_s": 0.5,
    "radius": 0.4,
    "command_period_s": 0.05,
}
WITH_SEPARATION = (
    "separation.enabled:=true",
    "separation.deceleration:=2.0",
    "separation.reaction_s:=0.25",
    "separation.margin:=0.3",
    "separation.human_speed:=1.6",
    "separation.age_max_s:=0.2",
)


def with_base() -> tuple[str, ...]:
    """Overrides for an arm on a base that is driven by `cmd_vel`."""
    return (
        "robot.modes:=[joint_position, body_twist]",
        *(f"robot.base.{name}:={value}" for name, value in BASE.items()),
    )


class Processes:
    """Starts processes in groups of their own and ends exactly those."""

    def __init__(self) -> None:
        self._started: list[subprocess.Popen[str]] = []
        self._errors: dict[int, IO[str]] = {}

    def start(
        self, command: list[str], *, speaks: bool = False, errors: IO[str] | None = None
    ) -> subprocess.Popen[str]:
        """Starts a process; its output is read by the test where it `speaks`, else left out.

        `errors` is where its standard error goes, and is closed in the end; otherwise a file, since
        a pipe that nobody reads stops whoever writes once it is full.
        """
        if errors is None:
            errors = tempfile.TemporaryFile("w+")  # noqa: SIM115
        process = subprocess.Popen(
            command,
            start_new_session=True,
            text=True,
            stdout=subprocess.PIPE if speaks else subprocess.DEVNULL,
            stderr=errors,
        )
        self._started.append(process)
        self._errors[process.pid] = errors
        return process

    def errors(self, process: subprocess.Popen[str]) -> str:
        """What a process has written to its standard error."""
        errors = self._errors[process.pid]
        errors.seek(0)
        return errors.read()

    def kernel(self, *overrides: str, errors: IO[str] | None = None) -> subprocess.Popen[str]:
        return self.start(kernel_command(*overrides), errors=errors)

    def runner(self, *arguments: str) -> subprocess.Popen[str]:
        return self.start([sys.executable, str(Path(__file__).parent / "runner.py"), *arguments])

    def close(self) -> None:
        for process in self._started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=10)
            self._errors[process.pid].close()
            if process.stdout is not None:
                process.stdout.close()


def in_motion(plant: Plant, processes: Processes, *arguments: str) -> subprocess.Popen[str]:
    """An armed kernel that plays a runner's motion at its full speed."""
    for _ in range(PAUSES_MAX):
        if plant.state == KernelStatus.LATCHED:
            plant.until(lambda: plant.call("kernel/reset").success, 20, "reset")
        if plant.state != KernelStatus.HOLDING:
            plant.arm()
        runner = processes.runner(*arguments)
        plant.until(lambda: _at_full_speed(plant) or _latched_for_a_pause(plant), 30, "in motion")
        if not _latched_for_a_pause(plant):
            return runner
        os.killpg(runner.pid, signal.SIGKILL)
        runner.wait(timeout=10)
    raise AssertionError(f"latched for late ticks {PAUSES_MAX} times on the way into motion")


def _at_full_speed(plant: Plant) -> bool:
    status = plant.status
    return status is not None and status.state == KernelStatus.ACTIVE and status.consumed_row > 20


def _latched_for_a_pause(plant: Plant) -> bool:
    """Whether a virtual machine's host, say, let the kernel stand still before it moved."""
    status = plant.status
    return (
        status is not None
        and status.state == KernelStatus.LATCHED
        and status.reason == "late_ticks"
    )

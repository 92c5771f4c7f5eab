"""Where a fault of real processes strikes: a robot, a kernel, and what sends to it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from openral_msgs.msg import FailureTrigger, KernelStatus
from plant import Plant, stamp
from processes import Processes

SENT_S = 0.02
"""[s] from a signal or message of the test to its arrival, on a busy machine."""
DEAD_RUNNER_S = 0.12
DEAD_KERNEL_S = 0.05
ESTOP_S = 0.02
STATE_AGE_S = 0.05
HEARTBEAT_S = 0.5
FLOOD_MIN_HZ = 5000
"""Of the 10 kHz that are asked for, those that a busy machine must let through."""
TRIES = 5
"""Beside busy programs something else may be late first and stop the arm: the fault is tried again.
"""


@dataclass
class Scene:
    """What a fault needs.

    Attributes:
        random: Decides when a fault strikes.
        folder: For files.
        measured: [s] by name of a reaction, for the report.
    """

    plant: Plant
    processes: Processes
    random: random.Random
    folder: Path
    measured: dict[str, list[float]] = field(default_factory=dict)

    @property
    def status(self) -> KernelStatus:
        """The kernel's newest status."""
        assert self.plant.status is not None
        return self.plant.status

    def note(self, name: str, seconds: float) -> None:
        self.measured.setdefault(name, []).append(seconds)

    def peer(self, role: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(Path(__file__).parent / "peer.py"), role, *arguments]
        return self.processes.start(command, speaks=role == "flood")

    def strike(self, process: subprocess.Popen[str], deadly: signal.Signals) -> float:
        """Sends a signal at a random time of the motion; the system time of it [s]."""
        self.plant.run(self.random.uniform(0.0, 0.5))
        # Something else may have stopped the arm; its runner then begins anew.
        self.plant.until(
            lambda: self.plant.state == KernelStatus.ACTIVE and self.status.consumed_row > 10,
            20,
            "in motion",
        )
        at = time.time()
        os.killpg(process.pid, deadly)
        return at

    def strike_steady(self, process: subprocess.Popen[str], deadly: signal.Signals) -> float:
        """The same; the steady time of it [s]."""
        at = self.strike(process, deadly)
        return time.monotonic() - (time.time() - at)

    def moves(self, seconds: float) -> bool:
        """Whether the kernel commands a motion during the next seconds."""
        since = time.time()
        begin = len(self.plant.log.commands)
        self.plant.run(seconds)
        # What was sent before may be heard only now.
        commands = [c for c in self.plant.log.commands[begin:] if stamp(c.header) > since]
        return any(abs(speed) > 1e-6 for command in commands for speed in command.velocities)

    def stopped(self, since: float) -> float:
        """Seconds from a system time until the tick that stopped or latched, by its own report."""

        def stops() -> list[float]:
            return [
                stamp(failure.header)
                for failure in self.plant.log.failures
                if failure.severity >= FailureTrigger.FAIL and stamp(failure.header) >= since
            ]

        self.plant.until(lambda: bool(stops()), 5, "a report of the stop")
        return min(stops()) - since

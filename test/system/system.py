"""One running system, as a system test sees it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from openral.bringup import run_folder, supervisord
from openral.bringup.processes import Choices, sim_processes
from openral.cli.arm import arm, reset
from openral.cli.bring_up import losses, wait_ready
from openral.cli.mission_end import End, MissionWatch
from openral.cli.operator import Operator
from openral.cli.prompt import send
from sim_node.referee import Record, read_record

READY_S = 90.0
PAUSES_MAX = 3
"""of the machine, within one goal. The kernel latches for them, rightly."""

MOVING = 0.15
"""[rad/s] above which the arm is in mid-motion."""


class System:
    """Processes under the supervisor, and an operator who hears them."""

    def __init__(
        self, base: Path, environ: Mapping[str, str], overrides: Mapping[str, Mapping[str, object]]
    ) -> None:
        self.environ = environ
        self.folder = run_folder.create(base, datetime.now())
        self._choices = Choices(
            model="rules",
            record_path=str(self.folder.record),
            trace_path=str(self.folder.trace),
            overrides=overrides,
        )

    def start(self, *, arm: bool) -> None:
        self.stack = supervisord.start(sim_processes(self._choices), self.folder, self.environ)
        self.operator = Operator(domain=int(self.environ["ROS_DOMAIN_ID"]))
        wait_ready(self.operator, lambda: losses(self.stack), lambda name: None, READY_S)
        if arm:
            self.arm()

    def end(self) -> None:
        if hasattr(self, "operator"):
            self.operator.close()
        if hasattr(self, "stack"):
            self.stack.stop()

    def arm(self) -> None:
        """Arms. Where the machine stood still the kernel has latched, rightly: that is cleared."""
        self.operator.spin(0.2)
        if self.stood_still():
            print(f"the machine stood still: {self.observed.kernel.message}")
            done, words = reset(self.operator)
            assert done, words
        done, words = arm(self.operator)
        assert done, words

    def stood_still(self) -> bool:
        """True where the kernel has latched because its loop, and so the machine, was paused."""
        kernel = self.observed.kernel
        return kernel is not None and kernel.state == "LATCHED" and kernel.reason == "late_ticks"

    @property
    def observed(self):
        return self.operator.observed

    def until(self, condition: Callable[[], bool], timeout_s: float, what: str) -> None:
        """Hears messages until `condition` holds; fails with what was heard."""
        assert self.operator.spin_until(condition, timeout_s), (
            f"not within {timeout_s} s: {what}\n{self}"
        )

    def prompt(self, text: str, deadline_s: float) -> MissionWatch:
        return send(self.operator, text, deadline_s)

    def finish(self, watch: MissionWatch) -> End:
        """Hears the mission to its end."""
        while True:
            self.operator.spin(0.1)
            end = watch.end_by(self.observed, time.monotonic())
            if end is not None:
                return end

    def ask(self, text: str, deadline_s: float) -> End:
        """Prompts and hears the mission to its end; again where the machine stood still."""
        for _ in range(PAUSES_MAX):
            end = self.finish(self.prompt(text, deadline_s))
            if not self.stood_still():
                break
            self.arm()
        return end

    def sample(self) -> dict[str, object]:
        """The newest sample of the record."""
        with self.folder.record.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 8192))
            return json.loads(file.read().split(b"\n")[-2])

    def is_moving(self) -> bool:
        """True while the arm is in mid-motion."""
        return max(abs(speed) for speed in self.sample()["qd"][:7]) > MOVING

    def until_moving(self, timeout_s: float = 30.0) -> None:
        self.until(self.is_moving, timeout_s, "the arm moves")

    def begin(self, text: str, deadline_s: float) -> MissionWatch:
        """Prompts until the arm moves; again where the machine stood still before."""
        for _ in range(PAUSES_MAX):
            if self.stood_still():
                self.arm()
            watch = self.prompt(text, deadline_s)
            self.until(lambda: self.is_moving() or self.stood_still(), 30, "the arm moves")
            if not self.stood_still():
                break
        return watch

    def record(self) -> Record:
        return read_record(self.folder.record)

    def kill(self, name: str) -> float:
        """SIGKILLs one process; returns the steady time of it [s]."""
        pid = self.stack.process(name).pid
        at = time.monotonic()
        os.kill(pid, 9)
        return at

    def final_words(self) -> list[str]:
        return [said.text for said in self.observed.says if said.is_final]

    def __str__(self) -> str:
        heard = self.observed
        logs = [f"{p.name}: {p.state}" for p in self.stack.processes()]
        return "\n".join(
            [
                f"mission {heard.mission}",
                f"kernel {heard.kernel}",
                f"skill {heard.skill}",
                *(f"say {said.kind}: {said.text}" for said in heard.says),
                *(f"failure {one.layer} {one.kind}: {one.message}" for one in heard.failures),
                *logs,
                f"logs {self.folder.logs}",
            ]
        )


def survivors(mark: str) -> list[str]:
    """Processes that inherited `mark` in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            try:
                if mark.encode() in (entry / "environ").read_bytes():
                    line = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
                    found.append(os.fsdecode(line))
            except OSError:
                continue
    return found


def moved(record: Record, label: str) -> float:
    """Distance between an object's first and last place [m]."""
    import math

    first, last = record.samples[0], record.samples[-1]
    return math.dist(first.objects[label][:3], last.objects[label][:3])

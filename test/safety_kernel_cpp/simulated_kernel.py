"""The kernel's own core in simulated time: `kernel_replay --live` behind a pipe."""

from __future__ import annotations

import subprocess
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from processes import kernel_command, program

TICK_NS = 5_000_000


@dataclass(frozen=True)
class Finding:
    """A refusal, stop or latch; severities of `FailureTrigger`."""

    severity: int
    reason: str
    value: float
    limit: float


@dataclass(frozen=True)
class Decision:
    """What one tick gave, and the status after it.

    Attributes:
        command: (positions, velocities) that were emitted, or None.
        row: Measured position on `timeline` [rows].
        commanded: Last command.
    """

    command: tuple[tuple[float, ...], tuple[float, ...]] | None
    braking: bool
    findings: tuple[Finding, ...]
    armed: bool
    changed: bool
    state: str
    epoch: int
    timeline: int
    row: float
    commanded: tuple[float, ...]
    admitted: int
    refused: int
    stops: int


@dataclass(frozen=True)
class Measured:
    """A joint state as it arrives [ns, rad, rad/s, N m; fingers in m, N]."""

    received: int
    stamp: int
    position: Sequence[float]
    velocity: Sequence[float]
    effort: Sequence[float]


@dataclass(frozen=True)
class Proposal:
    """A chunk of joint positions as it arrives."""

    received: int
    observation_stamp: int
    epoch: int
    sequence: int
    timeline: int
    first_row: int
    last: bool
    dt: float
    rows: Sequence[Sequence[float]]


class SimulatedKernel:
    """A fresh kernel under the project's parameter files.

    Args:
        joints: Names of the robot's joints, in the order of every command.
    """

    def __init__(self, joints: Sequence[str]) -> None:
        self._joints = len(joints)
        self._names = " ".join(f"={name}" for name in joints)
        header = _header()
        hash_line = header.splitlines()[-1].split()
        assert hash_line[0] == "hash"
        self.configuration_hash = int(hash_line[1])
        self._process = subprocess.Popen(
            [program("kernel_replay"), "--live"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._ask(header) == "ready"

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=10)

    def tick(
        self,
        now: int,
        measured: Measured | None = None,
        proposal: Proposal | None = None,
        *,
        arm: bool = False,
        reset: bool = False,
    ) -> Decision:
        """One tick at `now` [ns]."""
        line = (
            f"tick {now} 0 joints {self._state(measured)} estops 0 separations 0"
            f" chunk {self._chunk(proposal)} twist 0 world 0 estop_lost 0 chunks_lost 0"
            f" arm {arm:d} arm_recovery 0 reset {reset:d} second_publisher 0 fault 0"
        )
        return _decision(self._ask(f"{line} *{zlib.crc32(line.encode()):08x}\n"))

    def _ask(self, text: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(text)
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"kernel_replay ended with {self._process.wait(timeout=10)}"
        return answer.rstrip("\n")

    def _state(self, measured: Measured | None) -> str:
        if measured is None:
            return "0"
        vectors = (measured.position, measured.velocity, measured.effort)
        numbers = " ".join(f"{self._joints} {_numbers(vector)}" for vector in vectors)
        return f"1 {measured.received} {measured.stamp} {numbers} 1"

    def _chunk(self, proposal: Proposal | None) -> str:
        if proposal is None:
            return "0"
        p = proposal
        values = " ".join(_numbers(row) for row in p.rows)
        return (
            f"1 {p.received} {p.observation_stamp} =simulated =panda =simulated"
            f" {self.configuration_hash} {p.epoch} {p.sequence} {p.timeline} {p.first_row} 1"
            f" {p.last:d} {p.dt!r} {len(p.rows)} {self._joints} {self._names}"
            f" {len(p.rows) * self._joints} {values}"
        )


@lru_cache(maxsize=1)
def _header() -> str:
    """Of a record under the project's parameter files."""
    return subprocess.run(
        [program("kernel_probe"), "header", *kernel_command()[1:]],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    ).stdout


def _numbers(values: Sequence[float]) -> str:
    return " ".join(map(repr, map(float, values)))


def _decision(line: str) -> Decision:
    words = iter(line.split(" "))

    def skip(name: str) -> None:
        word = next(words)
        assert word == name, f"expected {name}, got {word} in {line}"

    command = None
    braking = False
    skip("emit")
    if next(words) == "1":
        for _ in range(3):
            next(words)
        braking = next(words) == "1"
        command = (_values(words), _values(words))
    skip("reports")
    findings = tuple(_finding(words) for _ in range(int(next(words))))
    skip("armed")
    armed = next(words) == "1" and next(words) == "1"
    rest = list(words)
    named = {word: rest[i + 1 :] for i, word in enumerate(rest) if word.isidentifier()}
    counts = [int(word) for word in named["counts"][:5]]
    return Decision(
        command=command,
        braking=braking,
        findings=findings,
        armed=armed,
        changed=named["changed"][0] == "1",
        state=named["state"][0],
        epoch=int(named["epoch"][0]),
        timeline=int(named["timeline"][0]),
        row=float(named["row"][0]),
        commanded=_values(iter(named["commanded"])),
        admitted=counts[0],
        refused=counts[1],
        stops=counts[2],
    )


def _values(words: Iterator[str]) -> tuple[float, ...]:
    """Values up to the last that is not zero, brought back to the eight of the robot."""
    values = [float(next(words)) for _ in range(int(next(words)))]
    return tuple(values + [0.0] * (8 - len(values)))


def _finding(words: Iterator[str]) -> Finding:
    severity, reason = int(next(words)), next(words)
    next(words), next(words)
    value, limit = (_number(next(words)) for _ in range(2))
    # Bodies of a collision, what the chunk was, the bodies' names.
    for _ in range(10):
        next(words)
    return Finding(severity, reason, value, limit)


def _number(word: str) -> float:
    return float("nan") if word.startswith("nan:") else float(word)

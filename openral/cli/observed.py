"""What an operator has heard from the system: plain data, no ROS."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from openral.cli.rates import RateWindow
from openral.missions import FINAL_KINDS


@dataclass(frozen=True)
class Task:
    """One subtask (openral_msgs/TaskState), its state by name."""

    object_ref: str
    text: str
    state: str
    attempts: int
    progress: float
    verdict: str
    reason: str
    elapsed_s: float


@dataclass(frozen=True)
class Mission:
    """The mission queue (openral_msgs/MissionState), its state by name, heard at `heard_at` [s]."""

    heard_at: float
    mission_id: str
    goal: str
    state: str
    tasks: tuple[Task, ...]
    current: int
    model_calls: int
    brain: str
    message: str

    @property
    def has_ended(self) -> bool:
        """True once nothing more will be done for it."""
        return self.state in ("DONE", "INCOMPLETE", "STOPPED")


@dataclass(frozen=True)
class Kernel:
    """The safety kernel (openral_msgs/KernelStatus), its state by name; rates in Hz."""

    state: str
    epoch: int
    reason: str
    message: str
    unmet: tuple[str, ...]
    admitted: int
    refused: int
    stops: int
    commands: int
    late_ticks: int
    tick_rate: float


@dataclass(frozen=True)
class Skill:
    """The running rSkill (openral_msgs/SkillState), its state by name."""

    state: str
    skill_id: str
    task: str
    stage: str
    progress: float
    chunk_index: int
    reason: str


@dataclass(frozen=True)
class Score:
    """One reward (openral_msgs/CriticScore), heard at `heard_at` [s]."""

    heard_at: float
    score: float
    threshold: float
    floor: float
    stage: str
    task: str


@dataclass(frozen=True)
class Said:
    """One `say` line; `stamp` [s] is the speaker's clock, `heard_at` [s] the listener's."""

    heard_at: float
    stamp: float
    kind: str
    text: str
    trace_id: str

    @property
    def is_final(self) -> bool:
        """True if it ends a mission."""
        return self.kind in FINAL_KINDS


@dataclass(frozen=True)
class Failure:
    """One FailureTrigger, its severity by name."""

    heard_at: float
    layer: str
    severity: str
    kind: str
    message: str


@dataclass
class Observed:
    """Everything heard so far; the newest of each, and every say, score and failure."""

    mission: Mission | None = None
    kernel: Kernel | None = None
    skill: Skill | None = None
    says: list[Said] = field(default_factory=list)
    scores: list[Score] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    rates: dict[str, RateWindow] = field(default_factory=dict)
    servers: Mapping[str, bool] = field(default_factory=dict)
    reasoner_present: bool = False
    perception_present: bool = False

    def count(self, topic: str, now: float, arrivals: float = 1.0) -> None:
        """Notes messages of a topic for its rate."""
        self.rates.setdefault(topic, RateWindow()).count(now, arrivals)

    def hear_kernel(self, kernel: Kernel, now: float) -> None:
        """Keeps the kernel's status; its counter gives the rate of commands."""
        before = self.kernel.commands if self.kernel else kernel.commands
        self.count("motor_command", now, max(0, kernel.commands - before))
        self.kernel = kernel

    def hear_skill(self, skill: Skill, now: float) -> None:
        """Keeps the skill's state; its chunk index gives the rate of chunks."""
        before = self.skill.chunk_index if self.skill else skill.chunk_index
        self.count("candidate_action", now, max(0, skill.chunk_index - before))
        self.skill = skill

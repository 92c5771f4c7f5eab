"""All that the reasoner knows between two events: plain data, changed by the core alone."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from openral.camera_model import CameraConfig
from openral.missions import SayKind
from openral.names import OutcomeName
from reasoner_node.attempt import Attempt
from reasoner_node.effects import Effect, PublishMission, Say, TaskReport
from reasoner_node.event_log import EventLog
from reasoner_node.events import KernelState, NodeName
from reasoner_node.gate import TickGate
from reasoner_node.mission import MissionState
from reasoner_node.palette import Palette
from reasoner_node.place import Place
from reasoner_node.retry import RetryCap, TaskLocateBudget
from reasoner_node.scene import SceneMemory
from reasoner_node.settings import Settings


@dataclass(frozen=True)
class Question:
    """Something asked of another node and not answered yet.

    Attributes:
        camera: To be looked through; empty = the detector's primary one.
        regained: Whether it came back since: that it gives no images is then old news.
    """

    call_id: str
    kind: Literal["locate", "image", "service"]
    purpose: Literal["brain", "final_look", "adjudicate"]
    due_at: float
    nouns: tuple[str, ...] = ()
    camera: str = ""
    regained: bool = False


@dataclass(frozen=True)
class Look:
    """An answered locate.

    Attributes:
        looked: Whether a fresh image was looked at; False proves nothing about the objects.
        labels: What was found.
    """

    nouns: tuple[str, ...]
    camera: str
    found: bool
    looked: bool
    labels: tuple[str, ...]
    message: str
    at: float


@dataclass(frozen=True)
class Ended:
    """How the last skill run of a task ended."""

    outcome: OutcomeName
    reason: str
    at: float


@dataclass(frozen=True)
class Blind:
    """A camera that gives no images: why, and since when that is known [s]."""

    reason: str
    since: float


@dataclass
class InFlight:
    """A decision that a worker is making.

    Attributes:
        superseded: Why its answer is to be dropped when it comes; empty = it counts.
        drain_to: Last event that its context held.
    """

    tick_id: int
    mission_id: str
    asked_at: float
    drain_to: int
    superseded: str = ""
    corrections: int = 0


@dataclass
class ReasonerState:
    """The reasoner's memory of one run.

    Attributes:
        verify_calibration: Of the verify camera; None = not known.
        places: Where each task's last skill run was to put its object, by task id.
        blind: Cameras that give no images.
        run_id: Tells this life of the node from others: every mission's id begins with it.
    """

    settings: Settings
    palette: Palette
    run_id: str
    brain: str
    brain_is_model: bool
    robot: str
    can_ask_image: bool
    services: frozenset[str] = frozenset()
    verify_calibration: CameraConfig | None = None
    effects: list[Effect] = field(default_factory=list)
    mission: MissionState | None = None
    missions_started: int = 0
    model_calls: int = 0
    calls_made: int = 0
    ticks: int = 0
    mission_ticks: int = 0
    failed_ticks: int = 0
    attempt: Attempt | None = None
    in_flight: InFlight | None = None
    questions: dict[str, Question] = field(default_factory=dict)
    wait_until: float | None = None
    look_again_at: float | None = None
    final_looks: int = 0
    final_look_tries: int = 0
    places: dict[int, Place] = field(default_factory=dict)
    ended: dict[int, Ended] = field(default_factory=dict)
    kernel: KernelState | None = None
    lost: dict[NodeName, str] = field(default_factory=dict)
    blind: dict[str, Blind] = field(default_factory=dict)
    scene: SceneMemory = field(init=False)
    log: EventLog = field(init=False)
    looks: deque[Look] = field(init=False)
    execution: deque[str] = field(init=False)
    gate: TickGate = field(init=False)
    retry: RetryCap = field(init=False)
    locate_budget: TaskLocateBudget = field(init=False)

    def __post_init__(self) -> None:
        settings = self.settings
        self.scene = SceneMemory(settings.max_located, settings.max_cameras)
        self.log = EventLog(settings.max_event_lines, settings.event_repeat_s)
        self.looks = deque(maxlen=settings.max_looks)
        self.execution = deque(maxlen=settings.max_execution_lines)
        self.gate = TickGate(settings.min_interval_s)
        self.retry = RetryCap(settings.retry_cap_per_kind)
        self.locate_budget = TaskLocateBudget(settings.max_task_locate_attempts)

    @property
    def active_mission(self) -> MissionState | None:
        """The mission that goes on; None = there is none."""
        return self.mission if self.mission is not None and self.mission.active else None

    @property
    def waiting(self) -> bool:
        """Whether something is under way that will lead to an event by itself."""
        return bool(
            self.attempt is not None
            or self.questions
            or self.wait_until is not None
            or self.look_again_at is not None
            or self.in_flight is not None
        )

    def say(self, text: str, kind: SayKind = "info") -> None:
        """Words for the operator, about the mission."""
        trace_id = self.mission.mission_id if self.mission else ""
        self.effects.append(Say(text=text, kind=kind, trace_id=trace_id))

    def next_call_id(self) -> str:
        """A name for one question."""
        self.calls_made += 1
        return f"q{self.calls_made}"

    def take_question(
        self, call_id: str, kind: Literal["locate", "image", "service"]
    ) -> Question | None:
        """The open question that an answer is to, which closes it; None = none of this kind.

        An answer of another kind leaves it open: whoever waits for it would wait for ever.
        """
        question = self.questions.get(call_id)
        if question is None or question.kind != kind:
            return None
        return self.questions.pop(call_id)

    def publish(self, now: float) -> None:
        """Publishes the mission as it is."""
        self.effects.append(self.report(now))

    def report(self, now: float) -> PublishMission:
        """The mission as it is published."""
        mission = self.mission
        if mission is None:
            return PublishMission(mission_id="", goal="", phase="idle", brain=self.brain)
        current = mission.current
        return PublishMission(
            mission_id=mission.mission_id,
            goal=mission.goal,
            phase=mission.phase.value,
            tasks=tuple(
                TaskReport(
                    task_id=task.task_id,
                    object_ref=task.object_ref,
                    text=task.text,
                    phase=task.phase.value,
                    depth=task.depth,
                    attempts=task.attempts,
                    progress=task.progress,
                    verdict=task.verdict,
                    reason=task.reason,
                    elapsed_s=task.elapsed(now),
                )
                for task in mission.tasks
            ),
            current=-1 if current is None else current,
            model_calls=self.model_calls,
            brain=self.brain,
            message=mission.message,
        )

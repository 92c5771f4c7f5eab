"""A world in virtual time around the core: objects, a skill runner, a detector, a brain."""

from __future__ import annotations

import heapq
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from openral.camera_model import CameraConfig
from openral.missions import FINAL_KINDS
from openral.rskill import parse_manifest
from reasoner_node.brain import Brain, BrainReply, PreparedTick
from reasoner_node.brains.rules import RulesBrain
from reasoner_node.core import ReasonerCore, Suppressed
from reasoner_node.effects import (
    AskImage,
    CancelSkill,
    Effect,
    Locate,
    PublishMission,
    Say,
    StartSkill,
)
from reasoner_node.events import (
    CriticScore,
    DetectionsSeen,
    Event,
    Failure,
    ImageAnswered,
    KernelState,
    LocateAnswered,
    OperatorPrompt,
    Seen,
    SkillAccepted,
    SkillEnded,
)
from reasoner_node.palette import Palette
from reasoner_node.replay import header
from reasoner_node.settings import Settings
from reasoner_node.state import ReasonerState

CONFIG = Path(__file__).parents[2] / "config" / "rskills"
MANIFEST_TEXTS = {
    "pick_place": """
kind: scripted
id: pick_place
description: put one object into a container
policy: scripted_pick_place
params:
  fields:
    object: {type: string, required: true, description: label}
    container: {type: string, description: label}
    position: {type: numbers, length: 2, minimum: -0.9, maximum: 0.9, unit: m, description: place}
  exactly_one_of: [container, position]
deadline_s: 60.0
""",
    "reward_geometric": """
kind: reward
id: reward_geometric
description: scores
critic_id: geometric
runtime: geometric
cameras: [top]
contract: {success_threshold: 0.9, check_floor: 0.5, patience_s: 30.0, stall_window_s: 10.0,
  stall_epsilon: 0.02}
""",
}
X = {"milk": 60.0, "mustard": 160.0, "soup can": 260.0, "cereal": 360.0, "cup": 430.0}
BASKET = (500.0, 100.0, 630.0, 230.0)


def manifests() -> dict[str, Any]:
    return {name: parse_manifest(text, name) for name, text in MANIFEST_TEXTS.items()}


@dataclass
class World:
    """Drives the core as the node does, with all clocks replaced by `now`."""

    brain: Brain = field(default_factory=RulesBrain)
    settings: Settings = field(default_factory=Settings)
    can_ask_image: bool = False
    services: frozenset[str] = frozenset()
    objects: dict[str, str] = field(
        default_factory=lambda: dict.fromkeys(("milk", "mustard", "soup can", "cereal"), "table")
    )
    basket: bool = True
    runs: dict[str, list[str]] = field(default_factory=dict)
    camera: str = "alive"
    detector: str = "alive"
    runner: str = "alive"
    brain_latency_s: float = 0.01
    skill_s: float = 8.0
    image_answers: list[str] = field(default_factory=list)
    synonyms: dict[str, str] = field(default_factory=dict)
    traced: bool = True
    lied_to: bool = False
    manifests: dict[str, Any] | None = None
    run_id: str = "run"
    calibration: CameraConfig | None = None
    places: dict[str, tuple[float, float]] = field(default_factory=dict)
    now: float = 100.0

    def __post_init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        known = self.manifests if self.manifests is not None else manifests()
        state = ReasonerState(
            settings=self.settings,
            palette=Palette(known, "panda", self.settings.skill_failure_cap),
            run_id=self.run_id,
            brain=self.brain.name,
            brain_is_model=self.brain.is_model,
            robot="panda",
            can_ask_image=self.can_ask_image,
            services=self.services,
            verify_calibration=self.calibration,
        )
        self.records.append(json.loads(json.dumps(header(state, known))))
        self.core = ReasonerCore(
            state,
            (lambda record: self.records.append(json.loads(json.dumps(record))))
            if self.traced
            else None,
        )
        self.effects: list[tuple[float, Effect]] = []
        self.says: list[Say] = []
        self.missions: list[PublishMission] = []
        self.starts: list[StartSkill] = []
        self.brain_calls = 0
        self.thinking: set[int] = set()
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._running = ""
        self._told_lost: set[str] = set()
        self._next_heartbeat = self.now + 1.0 / self.settings.tick_hz

    @property
    def state(self) -> ReasonerState:
        return self.core.state

    @property
    def mission(self) -> PublishMission:
        return self.missions[-1]

    @property
    def finals(self) -> list[Say]:
        return [say for say in self.says if say.kind in FINAL_KINDS]

    @property
    def verdicts(self) -> dict[str, str]:
        return {task.object_ref: task.phase for task in self.mission.tasks}

    def ready(self) -> World:
        """The kernel is armed and the cameras show the scene."""
        self.event(KernelState(state="holding"))
        self._see()
        return self

    def prompt(self, text: str) -> World:
        self.event(OperatorPrompt(text=text))
        return self

    def event(self, event: Event) -> None:
        self._take(self.core.observe(event, self.now))
        self._turn()

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._queue, (self.now + seconds, next(self._order), action))

    def run(self, seconds: float, *, until: Callable[[], bool] | None = None) -> World:
        """Lets time pass, or until a condition holds."""
        end = self.now + seconds
        for _ in range(200_000):
            if until is not None and until():
                return self
            times = [self._next_heartbeat, end]
            if self._queue:
                times.append(self._queue[0][0])
            due = self.core.next_deadline(self.now)
            if due is not None:
                times.append(max(due, self.now))
            self.now = min(times)
            if self.now >= end:
                self.now = end
                return self
            self._step()
        raise AssertionError("the world does not come to rest")

    def run_mission(self, seconds: float = 1200.0) -> World:
        return self.run(seconds, until=lambda: self.missions[-1].phase != "active")

    def _step(self) -> None:
        if self._queue and self._queue[0][0] <= self.now:
            heapq.heappop(self._queue)[2]()
        self._take(self.core.advance(self.now))
        if self.now >= self._next_heartbeat:
            self._next_heartbeat += 1.0 / self.settings.tick_hz
            self._prepare(heartbeat=True)
        self._turn()

    def _turn(self) -> None:
        while self.core.tick_due(self.now):
            self._prepare(heartbeat=False)

    def _prepare(self, *, heartbeat: bool) -> None:
        outcome, effects = self.core.prepare_tick(self.now, heartbeat=heartbeat)
        self._take(effects)
        if not isinstance(outcome, Suppressed):
            self._think(outcome)

    def _think(self, tick: PreparedTick) -> None:
        self.brain_calls += 1
        assert not self.thinking, "one decision at a time"
        self.thinking.add(tick.tick_id)

        def answer() -> None:
            self.thinking.discard(tick.tick_id)
            reply: BrainReply = self.brain.choose(tick)
            finished = self.core.finish_tick(self.now, tick.tick_id, reply)
            self._take(finished.effects)
            if finished.again is not None:
                self._think(finished.again)
            self._turn()

        self.after(self.brain_latency_s, answer)

    def _take(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            self.effects.append((self.now, effect))
            if isinstance(effect, Say):
                self.says.append(effect)
            elif isinstance(effect, PublishMission):
                self.missions.append(effect)
            elif isinstance(effect, StartSkill):
                self._start(effect)
            elif isinstance(effect, CancelSkill):
                self._cancel(effect)
            elif isinstance(effect, Locate):
                self._locate(effect)
            elif isinstance(effect, AskImage):
                self._ask(effect)

    def _ask(self, effect: AskImage) -> None:
        if self.image_answers:
            answer: Any = self.image_answers.pop(0)
            reply = ImageAnswered(call_id=effect.call_id, answer=answer)
            self.after(1.0, lambda: self.event(reply))

    def _locate(self, effect: Locate) -> None:
        if self.detector == "dead":
            return

        def answer() -> None:
            seen = self.seen(effect.camera)
            nouns = [self.synonyms.get(n, n) for n in effect.query.split(", ")]
            found = [s for s in seen if s.label in nouns]
            dead = self.camera == "dead"
            why = f"camera_stale: camera {effect.camera}: no image for 31.0 s" if dead else ""
            if dead:
                self._told_lost.add(effect.camera)
            else:
                self._recover()
            self.event(
                LocateAnswered(
                    call_id=effect.call_id,
                    answered=self.detector != "error",
                    found=not dead and {s.label for s in found} >= set(nouns),
                    camera=effect.camera,
                    detections=() if dead else tuple(found),
                    image_age_s=None if dead else 0.1,
                    message=why,
                )
            )

        self.after(0.3, answer)

    def seen(self, camera: str) -> list[Seen]:
        """What a camera shows now."""
        boxes: list[Seen] = []
        for number, (label, place) in enumerate(self.objects.items()):
            if place == "gone" or (place == "basket" and camera != "top"):
                continue
            x, y = (560.0, 160.0) if place == "basket" else (X.get(label, 300.0), 300.0)
            x, y = self.places.get(label, (x, y)) if camera == "top" else (x, y)
            boxes.append(
                Seen(label=label, score=0.9, x_min=x - 20, y_min=y - 20, x_max=x + 20,
                     y_max=y + 20, det_id=number)
            )  # fmt: skip
        if self.basket:
            x0, y0, x1, y1 = BASKET
            boxes.append(
                Seen(label="basket", score=0.9, x_min=x0, y_min=y0, x_max=x1, y_max=y1, det_id=99)
            )
        return boxes

    def _see(self) -> None:
        if self.camera == "alive" and self.detector == "alive":
            self._recover()
            for camera in ("front", "top"):
                seen = DetectionsSeen(
                    detector="catalogue", camera=camera, detections=tuple(self.seen(camera))
                )
                self.event(seen)
        self.after(1.0, self._see)

    def _recover(self) -> None:
        """Perception tells the end of every loss."""
        while self._told_lost:
            camera = self._told_lost.pop()
            self.event(
                Failure(layer="sensor", severity=0, failure="camera_recovered", camera=camera)
            )

    def _start(self, effect: StartSkill) -> None:
        self.starts.append(effect)
        if self._running:
            assert self.lied_to, "one skill at a time"
            busy = SkillEnded(trace_id=effect.trace_id, outcome="refused", reason="busy")
            self.after(0.1, lambda: self.event(busy))
            return
        if self.runner == "dead":
            return
        label = json.loads(effect.params_json)["object"]
        scripted = self.runs.get(label, [])
        how = scripted.pop(0) if scripted else "ok"
        self._running = effect.trace_id
        trace = effect.trace_id
        if how in ("refused", "not_found", "unreachable"):
            self.after(0.1, lambda: self._end(trace, how))
            return
        self.after(0.05, lambda: self._event_of(trace, SkillAccepted(trace_id=trace)))
        if how == "silent":
            return
        self._play(trace, label, how)

    def _play(self, trace: str, label: str, how: str) -> None:
        scores = {"ok": 1.0, "low": 0.3, "middle": 0.7, "slips": 1.0}.get(how, 0.2)
        steps = 8
        for step in range(1, steps + 1):
            progress = 0.2 if how == "stall" else scores * step / steps
            self.after(self.skill_s * step / (steps + 1), self._scorer(trace, progress))
        if how == "ok":
            # Let go shortly before the monitor sees it.
            self.after(self.skill_s * 0.85, lambda: self._release(trace, label))
        if how == "stall":
            for step in range(40):
                self.after(self.skill_s + step * 0.5, self._scorer(trace, 0.2))
        else:
            final = 0.3 if how in ("low", *_OUTCOMES) else scores
            self.after(self.skill_s, lambda: self._finish(trace, label, how, final))

    def _finish(self, trace: str, label: str, how: str, final: float) -> None:
        if self._running != trace:
            return
        if how == "middle":
            self.objects[label] = "basket"
        self._end(trace, how if how in _OUTCOMES else "completed")
        self.after(0.6, lambda: self.event(score_of(trace, final, self.now)))

    def _release(self, trace: str, label: str) -> None:
        if self._running == trace:
            self.objects[label] = "basket"

    def _scorer(self, trace: str, progress: float) -> Callable[[], None]:
        return lambda: self._event_of(trace, score_of(trace, progress, self.now))

    def _event_of(self, trace: str, event: Event) -> None:
        if self._running == trace:
            self.event(event)

    def _cancel(self, effect: CancelSkill) -> None:
        if self.runner == "alive" and self._running == effect.trace_id:
            self.after(0.1, lambda: self._end(effect.trace_id, "canceled"))

    def _end(self, trace: str, outcome: Any) -> None:
        if self._running != trace:
            return
        self._running = ""
        self.event(
            SkillEnded(
                trace_id=trace, outcome=outcome, reason=f"{outcome} as scripted", stamp_s=self.now
            )
        )


_OUTCOMES = ("grasp_failed", "observation", "policy_error", "safety_stop", "deadline")


def score_of(trace: str, progress: float | None, stamp_s: float | None = None) -> CriticScore:
    return CriticScore(
        critic_id="geometric", trace_id=trace, score=progress, progress=progress,
        success=progress, threshold=0.9, floor=0.5, stage="scripted",
        stamp_s=stamp_s,
    )  # fmt: skip


@dataclass
class ScriptedBrain:
    """Gives prepared replies, then waits; stands where a language model stands."""

    replies: list[BrainReply]
    is_model: bool = True
    name: str = "scripted-model"
    seen: list[PreparedTick] = field(default_factory=list)

    def choose(self, tick: PreparedTick) -> BrainReply:
        self.seen.append(tick)
        if self.replies:
            return self.replies.pop(0)
        return BrainReply(tool="wait", arguments={"seconds": 1.0})


@pytest.fixture(scope="session")
def world_class() -> type[World]:
    return World


@pytest.fixture(scope="session")
def scripted_brain() -> type[ScriptedBrain]:
    return ScriptedBrain


@pytest.fixture
def world() -> World:
    return World().ready()

"""The reasoner without ROS: events in, effects out, `now` handed in, no clock, no thread.

A decision has three phases, so that nothing waits for the brain: `prepare_tick` renders the
context, a worker outside of the core asks the brain, `finish_tick` books the answer. The driver
calls, after every input, `prepare_tick` while `tick_due`, and `advance` at `next_deadline`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from reasoner_node.attempt import AttemptPhase
from reasoner_node.brain import BrainReply, PreparedTick
from reasoner_node.context import render, view
from reasoner_node.deadlines import handle_due, next_deadline
from reasoner_node.decision import book
from reasoner_node.effects import Effect
from reasoner_node.ending import end_mission
from reasoner_node.events import (
    CriticScore,
    DetectionsSeen,
    Event,
    Failure,
    ImageAnswered,
    KernelState,
    LocateAnswered,
    NodePresence,
    OperatorPrompt,
    PerceptionChange,
    ServiceAnswered,
    SkillAccepted,
    SkillEnded,
)
from reasoner_node.gate import Suppression
from reasoner_node.looks import handle_located
from reasoner_node.mission import MissionPhase
from reasoner_node.operator_prompt import handle_prompt
from reasoner_node.skill_runs import (
    handle_accepted,
    handle_ended,
    handle_image_answer,
    handle_score,
    watch_reward,
)
from reasoner_node.state import InFlight, ReasonerState
from reasoner_node.stops import handle_failure, handle_kernel, handle_presence

Record: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Suppressed:
    """No tick, and why."""

    reason: Suppression


@dataclass(frozen=True)
class Finished:
    """What a decision led to.

    Attributes:
        verdict: `dispatched`, `superseded`, `unknown_tick`, `corrected`, `failed` or `retry_cap`.
        again: The same decision once more, with a correction; None = no.
    """

    effects: tuple[Effect, ...]
    verdict: str
    again: PreparedTick | None = None


class ReasonerCore:
    """One reasoner's state and its three entrances: `observe`, `advance`, the tick."""

    def __init__(
        self, state: ReasonerState, record: Callable[[Record], None] | None = None
    ) -> None:
        self._state = state
        self._record = record
        self._prepared: PreparedTick | None = None

    @property
    def state(self) -> ReasonerState:
        """For tests and views; only the core changes it."""
        return self._state

    def observe(self, event: Event, now: float) -> tuple[Effect, ...]:
        """Takes one event; what has to happen at once comes back, without waiting for a brain."""
        state = self._state
        _HANDLERS[type(event)](state, event, now)
        self._stay_alive(now)
        effects = self._taken()
        self._trace(now, {"in": "event", "event": event.model_dump(mode="json")}, effects)
        return effects

    def advance(self, now: float) -> tuple[Effect, ...]:
        """Does what is due by `now`: patience, deadlines, answers that did not come."""
        if not handle_due(self._state, now):
            return ()
        self._stay_alive(now)
        effects = self._taken()
        self._trace(now, {"in": "advance"}, effects)
        return effects

    def next_deadline(self, now: float) -> float | None:
        """When `advance` or `prepare_tick` has something to do without a further event [s]."""
        due = next_deadline(self._state, now)
        if self._state.gate.requested and not self._held(now) and self._state.in_flight is None:
            opens_at = self._state.gate.opens_at()
            times = [at for at in (due, now if opens_at is None else opens_at) if at is not None]
            return min(times)
        return due

    def tick_due(self, now: float) -> bool:
        """Whether `prepare_tick` would give a decision to make."""
        state = self._state
        return (
            state.gate.requested
            and state.active_mission is not None
            and not self._held(now)
            and state.gate.blocked(now, in_flight=state.in_flight is not None) is None
        )

    def prepare_tick(
        self, now: float, *, heartbeat: bool = False
    ) -> tuple[PreparedTick | Suppressed, tuple[Effect, ...]]:
        """Gates and renders one decision; a heartbeat without news ends here, without any call."""
        outcome = self._prepare(now, heartbeat)
        effects = self._taken()
        if isinstance(outcome, Suppressed) and not effects:
            return outcome, effects
        source: dict[str, Any] = {"in": "prepare", "heartbeat": heartbeat}
        out: dict[str, Any] = (
            {"suppressed": outcome.reason}
            if isinstance(outcome, Suppressed)
            else {"tick": outcome.tick_id, "tools": outcome.view.tools, "context": outcome.text}
        )
        self._trace(now, source, effects, out)
        return outcome, effects

    def finish_tick(self, now: float, tick_id: int, reply: BrainReply) -> Finished:
        """Books a brain's answer and dispatches it; drains only what its context held."""
        flight = self._state.in_flight
        if flight is None or flight.tick_id != tick_id:
            verdict, again = "unknown_tick", None
        else:
            self._state.in_flight = None
            decision = book(self._state, flight, reply, now)
            verdict, again = decision.verdict, self._corrected(flight, decision.correction)
        self._stay_alive(now)
        effects = self._taken()
        source = {"in": "reply", "tick": tick_id, "reply": reply.model_dump(mode="json")}
        out = {"verdict": verdict, "correction": again.correction if again else ""}
        self._trace(now, source, effects, out)
        return Finished(effects, verdict, again)

    def _prepare(self, now: float, heartbeat: bool) -> PreparedTick | Suppressed:
        state = self._state
        if state.active_mission is None:
            return Suppressed("heartbeat_idle" if heartbeat else "no_mission")
        if not state.gate.requested:
            if not heartbeat:
                return Suppressed("not_requested")
            # The heartbeat is the insurance against a mission that nothing moves on any more.
            if state.waiting and not state.log.has_news():
                return Suppressed("heartbeat_idle")
        if self._held(now):
            return Suppressed("runner_busy")
        blocked = state.gate.blocked(now, in_flight=state.in_flight is not None)
        if blocked is not None:
            return Suppressed(blocked)
        if state.mission_ticks >= state.settings.max_ticks_per_mission:
            words = f"I hand over: {state.mission_ticks} decisions did not reach the goal."
            end_mission(state, MissionPhase.INCOMPLETE, "handoff", words, now)
            return Suppressed("no_mission")
        state.gate.passed(now)
        state.ticks += 1
        state.mission_ticks += 1
        state.wait_until = None
        context = view(state, now)
        self._count_call()
        state.in_flight = InFlight(state.ticks, context.mission.mission_id, now, state.log.last)
        text = render(context, state.settings.context_max_chars)
        self._prepared = PreparedTick(state.ticks, context, text)
        return self._prepared

    def _corrected(self, flight: InFlight, correction: str) -> PreparedTick | None:
        """The same decision to be made again, knowing what was wrong."""
        if not correction or self._prepared is None:
            return None
        flight.corrections += 1
        self._state.in_flight = flight
        self._count_call()
        return replace(self._prepared, correction=correction)

    def _count_call(self) -> None:
        if self._state.brain_is_model:
            self._state.model_calls += 1

    def _held(self, now: float) -> bool:
        """Whether the runner or a verdict has to come first; a decision now would be of no use."""
        attempt = self._state.attempt
        running = (AttemptPhase.STARTING, AttemptPhase.RUNNING)
        return attempt is not None and attempt.phase not in running

    def _stay_alive(self, now: float) -> None:
        """A mission that waits for nothing gets a decision; that is how every mission goes on."""
        state = self._state
        if state.active_mission is not None and not state.waiting:
            state.gate.request()

    def _taken(self) -> tuple[Effect, ...]:
        effects = tuple(self._state.effects)
        self._state.effects.clear()
        return effects

    def _trace(
        self,
        now: float,
        source: Mapping[str, Any],
        effects: tuple[Effect, ...],
        out: Mapping[str, Any] | None = None,
    ) -> None:
        if self._record is None:
            return
        decided = {
            **(out or {}),
            "effects": [effect.model_dump(mode="json") for effect in effects],
        }
        self._record({"t": now, **source, "out": decided})


def _note_detections(state: ReasonerState, event: DetectionsSeen, now: float) -> None:
    if event.camera in state.blind:
        # Seen before it was lost, or on its way while its return is told.
        return
    dropped = state.scene.note_view(event.camera, event.detections, now)
    if dropped:
        kept = state.settings.max_cameras
        text = f"more than {kept} cameras report: the view of the one heard longest ago is dropped"
        state.log.add(now, text, informs_only=True)


def _note_change(state: ReasonerState, event: PerceptionChange, now: float) -> None:
    what = event.summary or f"{event.label} in {event.camera}"
    state.log.add(now, f"perception: {event.change}, {what}", informs_only=True)


def _score(state: ReasonerState, event: CriticScore, now: float) -> None:
    handle_score(state, event, now)
    watch_reward(state, now)


def _service_answer(state: ReasonerState, event: ServiceAnswered, now: float) -> None:
    if state.take_question(event.call_id, "service") is None:
        return
    said = json.dumps(event.message[:500])
    state.log.add(now, f"answer {event.call_id} {'ok' if event.ok else 'failed'}: {said}")
    state.gate.request()


def _image_answer(state: ReasonerState, event: ImageAnswered, now: float) -> None:
    if state.take_question(event.call_id, "image") is not None:
        handle_image_answer(state, event, now)


_HANDLERS: dict[type[Any], Callable[[ReasonerState, Any, float], None]] = {
    OperatorPrompt: handle_prompt,
    Failure: handle_failure,
    CriticScore: _score,
    DetectionsSeen: _note_detections,
    PerceptionChange: _note_change,
    KernelState: handle_kernel,
    NodePresence: handle_presence,
    SkillAccepted: handle_accepted,
    SkillEnded: handle_ended,
    LocateAnswered: handle_located,
    ImageAnswered: _image_answer,
    ServiceAnswered: _service_answer,
}

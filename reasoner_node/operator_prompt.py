"""What the operator's words do: start a goal, stop everything, ask how it goes, or nothing."""

from __future__ import annotations

import re
from typing import Literal

from openral.missions import NOT_TAKEN
from reasoner_node.cameras import no_images
from reasoner_node.effects import Say
from reasoner_node.ending import end_mission
from reasoner_node.events import OperatorPrompt
from reasoner_node.mission import MissionPhase, MissionState, TaskPhase
from reasoner_node.scene import known_names
from reasoner_node.state import ReasonerState
from reasoner_node.stops import refuse_to_start

PromptKind = Literal["empty", "too_long", "stop", "status", "goal"]

_STOP = re.compile(
    r"(please )?(stop|halt|cancel|abort|freeze|quit|enough|emergency stop|e-?stop)"
    r"( (it|that|this|now|everything|all|moving|please|immediately|at once|the mission|the robot"
    r"|the task|what you are doing|right now|right there))*"
)
_STATUS = re.compile(
    r"(status|state|progress|report|how (is it|are you|far|does it|is the mission)\b.*"
    r"|what('s| is) (up|going on|happening|the (status|state|progress))\b.*"
    r"|what (are you doing|do you see|can you see|is in view|is on the table|did you do)\b.*"
    r"|what objects .*|which objects .*|are you (done|finished|ready|there)\b.*)"
)


def classify(text: str, max_chars: int) -> PromptKind:
    """Kind of a prompt. A stop has to work without any model, so it is told by plain words."""
    words = " ".join(text.split())
    if not words:
        return "empty"
    if len(words) > max_chars:
        return "too_long"
    plain = re.sub(r"[.!?,;]+", " ", words.lower())
    plain = " ".join(plain.split())
    if not plain:
        return "empty"
    if _STOP.fullmatch(plain):
        return "stop"
    if _STATUS.fullmatch(plain):
        return "status"
    return "goal"


def handle_prompt(state: ReasonerState, event: OperatorPrompt, now: float) -> None:
    """Acts on the operator's words at once; only a goal leads to decisions of the brain."""
    kind = classify(event.text, state.settings.max_prompt_chars)
    if kind == "empty":
        _not_taken(
            state,
            event,
            "The prompt is empty. Say what to do, e.g. 'put the milk into the basket'.",
        )
    elif kind == "too_long":
        _not_taken(
            state,
            event,
            f"The prompt has {len(event.text) + event.cut_chars} characters, at most "
            f"{state.settings.max_prompt_chars} are taken. Say it shorter.",
        )
    elif kind == "stop":
        _stop(state, event, now)
    elif kind == "status":
        _answer(state, event, status_line(state, now))
    else:
        _start(state, " ".join(event.text.split()), now)


def _answer(state: ReasonerState, event: OperatorPrompt, words: str) -> None:
    """Answers a prompt by words alone, with its sender's mark: others may prompt too."""
    state.effects.append(Say(text=words, trace_id=event.trace_id))


def _not_taken(state: ReasonerState, event: OperatorPrompt, words: str) -> None:
    """Refuses a prompt; it is of no mission, and a mission that is under way goes on."""
    mission = state.active_mission
    if mission is None:
        state.effects.append(Say(text=words, kind="refused", trace_id=event.trace_id))
    else:
        words = f"{words} I go on with '{mission.goal}'."
        state.effects.append(Say(text=words, kind=NOT_TAKEN, trace_id=event.trace_id))


def status_line(state: ReasonerState, now: float) -> str:
    """How it goes and what is in view, in two or three sentences."""
    mission = state.mission
    if mission is None:
        head = "I have no goal."
    elif not mission.active:
        head = f"The last goal '{mission.goal}' ended as {mission.phase.value}."
    else:
        done = len(mission.in_phase(TaskPhase.DONE))
        current = mission.current_task
        doing = f", now: {current.text}" if current else ""
        head = f"Working on '{mission.goal}': {done} of {len(mission.tasks)} done{doing}."
    seen = known_names(state.scene.in_view(now), state.settings.in_view_max_age_s)
    parts = [head, f"In view: {', '.join(seen)}." if seen else "Nothing is in view."]
    if state.kernel is not None:
        parts.append(f"Safety kernel: {state.kernel.state}.")
    parts += [f"{_sentence(no_images(c, blind.reason))}." for c, blind in state.blind.items()]
    if state.lost:
        parts.append(f"Not answering: {', '.join(state.lost)}.")
    return " ".join(parts)


def _stop(state: ReasonerState, event: OperatorPrompt, now: float) -> None:
    if state.active_mission is None:
        words = _still_moving(state) or "Nothing is running, so there is nothing to stop."
        _answer(state, event, words)
        return
    end_mission(state, MissionPhase.STOPPED, "could_not_complete", "Stopped by the operator.", now)


def _still_moving(state: ReasonerState) -> str:
    """What may still move without a mission; empty = nothing."""
    attempt, kernel = state.attempt, state.kernel
    at_kernel = f" The safety kernel is {kernel.state}." if kernel is not None else ""
    if attempt is not None and attempt.holds_runner:
        return (
            f"I am stopping already: {attempt.rskill_id} was cancelled and has not ended "
            f"yet.{at_kernel}"
        )
    if kernel is None:
        return (
            "No goal of mine is running. The safety kernel does not answer, so I cannot tell "
            "whether the robot moves."
        )
    if kernel.state == "braking":
        return "No goal is running any more, and the robot still brakes: the kernel is braking."
    if kernel.state == "active":
        return (
            "No goal of mine is running, but the robot moves: the safety kernel is active. Stop "
            "whoever moves it, or use the emergency stop."
        )
    return ""


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _start(state: ReasonerState, goal: str, now: float) -> None:
    if state.active_mission is not None:
        end_mission(
            state,
            MissionPhase.STOPPED,
            "could_not_complete",
            f"Stopped for the new goal '{goal}'.",
            now,
        )
    state.missions_started += 1
    state.mission = MissionState.from_prompt(f"{state.run_id}.m{state.missions_started}", goal, now)
    state.palette.restore()
    state.retry.context_shifted()
    state.locate_budget.reset()
    state.scene.forget_located()
    state.looks.clear()
    state.ended.clear()
    state.places.clear()
    state.mission_ticks = state.failed_ticks = state.model_calls = 0
    state.final_looks = state.final_look_tries = 0
    state.log.add(now, f"operator: {goal}")
    state.publish(now)
    if not refuse_to_start(state, now):
        state.gate.request()

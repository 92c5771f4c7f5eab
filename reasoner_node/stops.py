"""What ends a mission from outside: the safety kernel, a dead node, a robot that may not move."""

from __future__ import annotations

from openral.names import CAMERA_RECOVERED, CAMERA_STALE
from reasoner_node.cameras import blindness, forget_losses, lose_camera, regain_camera
from reasoner_node.ending import cancel_attempt, end_mission
from reasoner_node.events import FAIL, Failure, KernelState, NodeName, NodePresence
from reasoner_node.mission import MissionPhase
from reasoner_node.preemption import Tier, severity_name, urgency
from reasoner_node.state import ReasonerState

_ARM = "Call the service kernel/arm to arm it, then give the goal again."
_RESET = (
    "Find and remove the cause, call the services kernel/reset and kernel/arm, then give the goal "
    "again."
)
_NAMES: dict[NodeName, str] = {
    "safety_kernel": "the safety kernel",
    "skill_runner": "the skill runner",
    "robot": "the robot",
    "perception": "perception",
}
NEEDED_TO_MOVE: tuple[NodeName, ...] = ("safety_kernel", "robot", "skill_runner")


def refuse_to_start(state: ReasonerState, now: float) -> bool:
    """Ends a new mission at once where the robot cannot or may not move; True = it did."""
    for node in NEEDED_TO_MOVE:
        if node in state.lost:
            words = (
                f"I cannot move: {_silence(node, state.lost[node])}. I will say when it is back."
            )
            end_mission(state, MissionPhase.STOPPED, "refused", words, now)
            return True
    if state.kernel is not None and state.kernel.state in ("disarmed", "latched"):
        end_mission(state, MissionPhase.STOPPED, "refused", kernel_words(state.kernel), now)
        return True
    blind = blindness(state, now)
    if blind or "perception" in state.lost:
        words = f"I cannot see: {blind or _silence('perception', state.lost['perception'])}."
        end_mission(state, MissionPhase.INCOMPLETE, "could_not_complete", words, now)
        return True
    return False


def kernel_words(kernel: KernelState) -> str:
    """What keeps the kernel from letting the robot move, and what the operator can do."""
    why = f" ({_with_message(kernel.reason, kernel.message)})" if kernel.reason else ""
    if kernel.state == "latched":
        return f"The safety kernel is latched{why}. {_RESET}"
    unmet = f" First it needs: {', '.join(kernel.unmet)}." if kernel.unmet else ""
    return f"The safety kernel is not armed{why}.{unmet} {_ARM}"


def _with_message(name: str, message: str) -> str:
    """A typed name with its line for a person, which often begins with the name."""
    if not message:
        return name
    return message if message.startswith(name) else f"{name}, {message}"


def handle_kernel(state: ReasonerState, event: KernelState, now: float) -> None:
    """A kernel that no longer lets the robot move stops the mission."""
    previous = state.kernel.state if state.kernel else None
    state.kernel = event
    if event.state == previous or event.state not in ("disarmed", "latched"):
        return
    state.log.add(now, f"safety kernel: {event.state} {event.reason}".rstrip())
    end_mission(state, MissionPhase.STOPPED, "handoff", kernel_words(event), now)


def handle_presence(state: ReasonerState, event: NodePresence, now: float) -> None:
    """A node fell silent or came back."""
    if event.alive:
        if event.node == "perception" and event.new_life:
            forget_losses(state, now)
        if state.lost.pop(event.node, None) is not None:
            state.log.add(now, f"{event.node} is back")
            state.retry.context_shifted()
            name = _NAMES[event.node]
            state.say(f"{name[0].upper()}{name[1:]} answers again.")
        return
    if event.node in state.lost:
        return
    if event.node == "perception" and blindness(state, now):
        # A detector without images has nothing to say; that was said already.
        return
    silence = _silence(event.node, event.detail)
    state.lost[event.node] = event.detail
    state.log.add(now, f"{event.node} does not answer: {event.detail}")
    if event.node == "skill_runner" and state.attempt is not None:
        # Whoever would tell its end is gone; what moves is the kernel's to stop.
        cancel_attempt(state, "the skill runner does not answer", now)
        state.attempt = None
    if event.node == "safety_kernel":
        state.kernel = None
    if state.active_mission is None:
        state.say(f"Warning: {silence}.")
    elif event.node in NEEDED_TO_MOVE:
        words = f"Stopped: {silence}."
        end_mission(state, MissionPhase.STOPPED, "handoff", words, now)
    else:
        state.say(f"Warning: {silence}.")
        state.gate.request()


def _silence(node: NodeName, detail: str) -> str:
    what = " (no joint states)" if node == "robot" else ""
    return f"{_NAMES[node]}{what} does not answer ({detail})"


def handle_failure(state: ReasonerState, event: Failure, now: float) -> None:
    """A safety stop ends the mission; a safety warning supersedes a decision in flight."""
    if event.layer == "sensor" and event.failure == CAMERA_RECOVERED:
        regain_camera(state, event.camera, now)
        return
    if event.layer == "sensor" and event.failure == CAMERA_STALE:
        lose_camera(state, event.camera, event.message, now)
    force = urgency(event)
    text = (
        f"{event.layer} {severity_name(event.severity)}: {event.failure}"
        f"{' from ' + event.source if event.source else ''}"
        f"{', ' + event.message if event.message else ''}"
    )
    news = state.log.add(now, text, informs_only=not force.preempts)
    if not force.preempts or state.active_mission is None:
        return
    if force.tier is Tier.SAFETY and event.severity >= FAIL:
        end_mission(state, MissionPhase.STOPPED, "handoff", stop_words(event), now)
        return
    if force.tier is Tier.SAFETY and state.in_flight is not None:
        # The decision under way rests on a world in which nothing was wrong.
        state.in_flight.superseded = state.in_flight.superseded or f"safety event {event.failure}"
        cancel_attempt(state, f"safety event {event.failure}", now)
    if news:
        state.gate.request()


def stop_words(event: Failure) -> str:
    """What a safety stop was, in one or two sentences."""
    words = f"Stopped by the safety kernel: {_with_message(event.failure, event.message)}"
    if event.failure in ("chunk_stale", "observation_stale"):
        words += "; commands stopped coming, so the skill runner may have died"
    elif event.failure == "joint_state_stale":
        words += "; the robot's joint states stopped coming"
    return words + ". Nothing moves until a new goal."

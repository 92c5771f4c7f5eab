"""Which cameras give no images: said once when it begins and once when it is over."""

from __future__ import annotations

from dataclasses import replace

from openral.names import CAMERA_STALE
from reasoner_node.events import LocateAnswered
from reasoner_node.state import Blind, ReasonerState


def lose_camera(state: ReasonerState, camera: str, reason: str, now: float) -> None:
    """A camera gives no images, or always the same; without a name it is said, but not kept."""
    if camera in state.blind:
        return
    words = no_images(camera, reason)
    if camera:
        state.blind[camera] = Blind(reason, now)
        state.scene.blank_view(camera)
        if len(state.blind) > state.settings.max_cameras:
            del state.blind[next(iter(state.blind))]
    if state.log.add(now, words):
        state.say(f"Warning: {words}.")


def regain_camera(state: ReasonerState, camera: str, now: float) -> None:
    """Its watcher says that a camera gives images; of news only where it gave none.

    An image alone is no proof: a frozen or late camera gives images too.
    """
    _outdate_answers(state, camera)
    if state.blind.pop(camera, None) is None:
        return
    state.log.add(now, f"camera {camera} gives images again")
    state.retry.context_shifted()
    state.say(f"Camera {camera} gives images again.")


def forget_losses(state: ReasonerState, now: float) -> None:
    """Perception has started anew: it does not know which cameras its earlier life gave up."""
    _outdate_answers(state, "")
    if not state.blind:
        return
    names = ", ".join(state.blind)
    state.blind.clear()
    state.log.add(now, f"perception has started anew and judges again: camera {names}")
    state.retry.context_shifted()
    state.say(f"Perception has started anew and looks again whether camera {names} gives images.")


def _outdate_answers(state: ReasonerState, camera: str) -> None:
    """Answers to what was asked so far tell nothing of a camera's loss; empty = of any camera's.

    An answer may be older than the return and yet come after it: nobody would tell the return
    again. One that is younger costs nothing either: its loss is told by the watcher, too.
    """
    for call_id, question in state.questions.items():
        if not camera or question.camera.strip() in ("", camera):
            state.questions[call_id] = replace(question, regained=True)


def no_images(camera: str, reason: str) -> str:
    """What is so, and why."""
    name = f"camera {camera}" if camera else "a camera"
    why = reason.removeprefix(CAMERA_STALE).removeprefix(":").strip()
    why = why.removeprefix(f"{name}:").strip()
    return f"{name} gives no images" + (f" ({why})" if why else "")


def answer_of_blind_camera(answer: LocateAnswered) -> bool:
    """Whether a detector says that it cannot look because its camera gives no images.

    An image that was refused or is only late to come is none of that: nobody would tell its end.
    """
    if not answer.answered or answer.found or answer.image_age_s is not None:
        return False
    return answer.message.split(":", 1)[0] == CAMERA_STALE


def blindness(state: ReasonerState, now: float) -> str:
    """Why nothing can be seen at all; empty = some camera may give images."""
    known = set(state.scene.view_ages(now)) or {state.settings.primary_camera}
    if not known <= set(state.blind):
        return ""
    return ", ".join(no_images(camera, blind.reason) for camera, blind in state.blind.items())

"""Which cameras give no images: said once when it begins and once when it is over."""

from __future__ import annotations

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
        if len(state.blind) > state.settings.max_cameras:
            del state.blind[next(iter(state.blind))]
    if state.log.add(now, words):
        state.say(f"Warning: {words}.")


def note_image(state: ReasonerState, camera: str, age_s: float | None, now: float) -> None:
    """An image was looked at; one from before the loss, or of unknown age, proves nothing."""
    blind = state.blind.get(camera)
    if blind is not None and age_s is not None and age_s < now - blind.since:
        regain_camera(state, camera, now)


def regain_camera(state: ReasonerState, camera: str, now: float) -> None:
    """A camera gives images; of news only where it gave none."""
    if state.blind.pop(camera, None) is None:
        return
    state.log.add(now, f"camera {camera} gives images again")
    state.retry.context_shifted()
    state.say(f"Camera {camera} gives images again.")


def no_images(camera: str, reason: str) -> str:
    """What is so, and why."""
    name = f"camera {camera}" if camera else "a camera"
    why = reason.removeprefix(f"{name}:").strip()
    return f"{name} gives no images" + (f" ({why})" if why and why != CAMERA_STALE else "")


def answer_of_blind_camera(answer: LocateAnswered) -> bool:
    """Whether a detector says that it cannot look because its camera gives no images."""
    if not answer.answered or answer.found or answer.image_age_s is not None:
        return False
    about_it = bool(answer.camera) and answer.message.startswith(f"camera {answer.camera}:")
    return about_it or CAMERA_STALE in answer.message


def blindness(state: ReasonerState, now: float) -> str:
    """Why nothing can be seen at all; empty = some camera may give images."""
    known = set(state.scene.view_ages(now)) or {state.settings.primary_camera}
    if not known <= set(state.blind):
        return ""
    return ", ".join(no_images(camera, blind.reason) for camera, blind in state.blind.items())

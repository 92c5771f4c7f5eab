"""A camera that gives no images is called that, and perception is not blamed for it."""

from __future__ import annotations

import pytest

from openral.names import CAMERA_RECOVERED
from reasoner_node.brain import BrainReply
from reasoner_node.cameras import answer_of_blind_camera, blindness, no_images
from reasoner_node.events import DetectionsSeen, Failure, LocateAnswered, NodePresence

FRONT = "camera front: expected an image every 1.0 s, none for 3.2 s"


def stale(camera: str, message: str = "") -> Failure:
    return Failure(
        layer="sensor", severity=2, failure="camera_stale", camera=camera,
        message=message or f"camera {camera}: expected an image every 1.0 s, none for 3.2 s",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("camera", "reason", "words"),
    [
        ("front", FRONT, "camera front gives no images (expected an image every 1.0 s, none for "
         "3.2 s)"),
        ("front", f"camera_stale: {FRONT}", "camera front gives no images (expected an image every "
         "1.0 s, none for 3.2 s)"),
        ("front", "camera_stale", "camera front gives no images"),
        ("", "camera front: dead", "a camera gives no images (camera front: dead)"),
    ],
)  # fmt: skip
def test_the_words(camera, reason, words):
    assert no_images(camera, reason) == words


@pytest.mark.parametrize(
    ("given", "blind"),
    [
        ({"message": f"camera_stale: {FRONT}"}, True),
        ({"message": "camera_stale"}, True),
        ({"message": f"camera_stale: {FRONT}", "image_age_s": 0.1}, False),
        ({"message": f"camera_stale: {FRONT}", "answered": False}, False),
        ({"message": "camera front: live; image refused: expected rgb8, got 'yuv422'"}, False),
        ({"message": "camera front: no image yet"}, False),
        ({"message": "nobody knows 'camera_stale'"}, False),
        ({"message": "unknown camera 'front'; valid names are top"}, False),
        ({"message": "refused: 'all' names no concrete object"}, False),
    ],
)
def test_which_answer_is_one_of_a_blind_camera(given, blind):
    answer = LocateAnswered(**{"call_id": "q", "answered": True, "camera": "front", **given})
    assert answer_of_blind_camera(answer) is blind


def test_a_stale_camera_is_said_once_and_its_return_once(world):
    world.event(stale("front"))
    world.event(stale("front"))
    recovered = Failure(layer="sensor", severity=0, failure="camera_recovered", camera="front")
    world.event(recovered)
    world.event(recovered)
    assert [say.text for say in world.says] == [
        "Warning: camera front gives no images (expected an image every 1.0 s, none for 3.2 s).",
        "Camera front gives images again.",
    ]


def test_no_image_but_only_its_watcher_brings_a_camera_back(world):
    world.event(stale("front", "camera front: identical pixels for 3.1 s, expected a change"))
    # A frozen camera goes on sending, and its images are as new as any.
    for age in (None, 5.0, 0.0):
        world.now += 1.0
        world.event(DetectionsSeen(detector="d", camera="front", detections=(), image_age_s=age))
        assert "front" in world.state.blind
    world.event(Failure(layer="sensor", severity=0, failure=CAMERA_RECOVERED, camera="front"))
    assert not world.state.blind


RECOVERED = Failure(layer="sensor", severity=0, failure=CAMERA_RECOVERED, camera="front")
NEW_LIFE = NodePresence(node="perception", alive=True, new_life=True)


@pytest.fixture
def ask(world_class, scripted_brain):
    """A world in which a look was asked for, and the detector's answer: the camera is blind."""

    def begin(camera: str):
        look = BrainReply(tool="locate_in_view", arguments={"query": "milk", "camera": camera})
        world = world_class(brain=scripted_brain([look]), detector="dead").ready()
        world.prompt("find the milk").run(1.0, until=lambda: world.state.questions)
        (call_id,) = world.state.questions
        return world, LocateAnswered(
            call_id=call_id, answered=True, camera="front", message=f"camera_stale: {FRONT}"
        )

    return begin


@pytest.mark.parametrize("lost_before", [True, False])
@pytest.mark.parametrize("camera", ["", "front", " front"])
@pytest.mark.parametrize("regained", [RECOVERED, NEW_LIFE])
def test_an_answer_from_before_a_cameras_return_does_not_blind_it_again(
    ask, lost_before, camera, regained
):
    world, answer = ask(camera)
    if lost_before:
        world.event(stale("front"))
    world.event(regained)
    world.now += 0.1
    world.says.clear()
    world.event(answer)
    assert not world.state.blind
    assert not world.says
    # The look itself was in vain.
    (look,) = world.state.looks
    assert (look.looked, look.message.split(" (")[0]) == (False, "camera front gives no images")
    seen = DetectionsSeen(
        detector="d", camera="front", detections=tuple(world.seen("front")), image_age_s=0.0
    )
    world.event(seen)
    assert "front" in {s.camera for s in world.state.scene.in_view(world.now)}


def test_a_loss_after_the_return_is_believed_whoever_tells_it_first(ask):
    world, answer = ask("front")
    world.event(stale("front"))
    world.event(RECOVERED)
    world.event(stale("front"))
    world.event(answer)
    assert "front" in world.state.blind


def test_an_answer_to_what_was_asked_after_the_return_is_believed(ask):
    world, answer = ask("front")
    world.event(answer.model_copy(update={"message": "", "image_age_s": 0.1}))
    world.event(RECOVERED)
    world.brain.replies.append(
        BrainReply(tool="locate_in_view", arguments={"query": "milk", "camera": "front"})
    )
    world.run(5.0, until=lambda: world.state.questions)
    (call_id,) = world.state.questions
    world.event(answer.model_copy(update={"call_id": call_id}))
    assert "front" in world.state.blind


def test_the_return_of_one_camera_says_nothing_of_another(ask):
    world, answer = ask("front")
    world.event(Failure(layer="sensor", severity=0, failure=CAMERA_RECOVERED, camera="top"))
    world.event(answer)
    assert "front" in world.state.blind


def test_what_a_blind_camera_shows_is_not_in_view_until_it_is_back(world):
    assert "front" in {s.camera for s in world.state.scene.in_view(world.now)}
    seen = DetectionsSeen(
        detector="d", camera="front", detections=tuple(world.seen("front")), image_age_s=0.0
    )
    world.event(stale("front"))
    world.event(seen)
    assert {s.camera for s in world.state.scene.in_view(world.now)} == {"top"}
    # It is still one of the robot's cameras, e.g. to have its pipeline reloaded.
    assert "front" in world.state.scene.view_ages(world.now)
    world.event(Failure(layer="sensor", severity=0, failure=CAMERA_RECOVERED, camera="front"))
    world.event(seen)
    assert {s.camera for s in world.state.scene.in_view(world.now)} == {"front", "top"}


def test_a_new_life_of_perception_judges_the_cameras_anew_and_a_silence_alone_does_not(world):
    world.event(stale("front"))
    world.event(NodePresence(node="perception", alive=False, detail="silent for 5.2 s"))
    world.event(NodePresence(node="perception", alive=True))
    assert "front" in world.state.blind
    world.event(NodePresence(node="perception", alive=True, new_life=True))
    assert not world.state.blind
    assert world.says[-1].text == (
        "Perception has started anew and looks again whether camera front gives images."
    )


def test_when_all_cameras_are_dead_a_goal_is_told_so_and_not_that_perception_is_silent(world):
    world.camera = "dead"
    world.run(1.5)
    world.event(stale("front"))
    world.event(stale("top"))
    # Without images the detector has nothing to say.
    world.event(NodePresence(node="perception", alive=False, detail="silent for 5.2 s"))
    world.says.clear()
    world.prompt("put the milk into the basket")
    (say,) = world.finals
    assert say.kind == "could_not_complete"
    assert "camera front gives no images" in say.text
    assert "camera top gives no images" in say.text
    assert "perception does not answer" not in say.text
    world.prompt("status")
    assert "Camera top gives no images" in world.says[-1].text
    assert "Not answering" not in world.says[-1].text


def test_a_silent_detector_with_a_living_camera_is_called_silent(world):
    world.event(stale("front"))
    assert blindness(world.state, world.now) == ""
    world.event(NodePresence(node="perception", alive=False, detail="silent for 5.2 s"))
    world.prompt("put the milk into the basket")
    assert "perception does not answer" in world.finals[0].text


def test_a_look_in_vain_through_a_dead_camera_is_said_as_that(world):
    world.camera = "dead"
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == "incomplete"
    (say,) = world.finals
    assert say.text.startswith("I cannot see: camera front gives no images (no image for 31.0 s).")


def test_a_failure_with_unusable_evidence_is_said_without_a_name_and_kept_nowhere(world):
    world.event(stale("", "the lens is gone"))
    assert world.says[-1].text == "Warning: a camera gives no images (the lens is gone)."
    assert not world.state.blind


def test_made_up_cameras_are_kept_up_to_the_cap(world):
    for number in range(1000):
        world.now += 0.001
        world.event(stale(f"camera{number}"))
    assert len(world.state.blind) == world.settings.max_cameras
    assert "camera999" in world.state.blind

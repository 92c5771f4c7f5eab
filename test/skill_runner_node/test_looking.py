"""A look that cannot be answered says what is missing, in the detector's own words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import ClassVar

import pytest
from openral_msgs.srv import LocateInView
from rclpy.task import Future
from sensor_msgs.msg import CameraInfo, Image

from openral.camera_model import CameraConfig
from openral.ros.stamp import from_seconds
from skill_runner_node.looking import AskWait, Looker
from skill_runner_node.policy import Blind, Look

BLIND = CameraConfig(
    parent="world", position=(0.0, 0.0, 1.0), orientation=(1.0, 0.0, 0.0, 0.0),
    width=64, height=48, fovy_deg=60.0, rate_hz=4.0, depth=False,
)  # fmt: skip
WAIT = AskWait(first_s=0.1, longest_s=1.0)
LOOK = Look("milk", ("top",), "look", 0.05)


class Detector:
    """A client whose every call is answered at once."""

    srv_name = "perception/catalogue/locate_in_view"

    def __init__(self, stamp_s: float, message: str) -> None:
        self._reply = LocateInView.Response(message=message)
        self._reply.image_stamp = from_seconds(stamp_s)
        self.answers = True
        self.asked = 0
        self.removed: list[Future] = []

    def service_is_ready(self) -> bool:
        return True

    def call_async(self, request: LocateInView.Request) -> Future:
        self.asked += 1
        future = Future()
        if self.answers:
            future.set_result(self._reply)
        return future

    def remove_pending_request(self, future: Future) -> None:
        self.removed.append(future)


class Node:
    def __init__(self, client: Detector) -> None:
        self._client = client

    def create_subscription(self, *_: object) -> object:
        return object()

    def destroy_subscription(self, _: object) -> None:
        pass

    def get_logger(self) -> SimpleNamespace:
        return SimpleNamespace(warning=lambda *_, **__: None)

    def create_client(self, kind: type, name: str) -> Detector:
        return self._client


def info(**changes: object) -> CameraInfo:
    """What the camera says of itself."""
    return CameraInfo(**{"width": 64, "height": 48, "k": BLIND.model().k.ravel(), **changes})


def looker_of(node: Node, *, informed: bool = True, kind: type[Looker] = Looker) -> Looker:
    looker = kind(
        node, node, "catalogue", {"top": BLIND}, WAIT,  # type: ignore[arg-type]
        tolerance=0.02, file="cameras.yaml",
    )  # fmt: skip
    if informed:
        looker._on_info("top", info())
    return looker


def reason(seen: object, *, final: bool = False) -> str:
    assert isinstance(seen, Blind)
    assert seen.final is final
    return seen.reason


def looked(stamp_s: float, message: str) -> object:
    node = Node(Detector(stamp_s, message))
    looker = looker_of(node)
    looker.begin(LOOK, 100.0)
    return [looker.poll(0.0) for _ in range(3)][-1]


def test_an_answer_from_before_the_look_is_none_and_its_reason_is_kept() -> None:
    assert reason(looked(0.0, "camera top: no image for 9.0 s")) == (
        "expected a fresh answer about camera 'top' (the detector says: camera top: no image for"
        " 9.0 s), got none"
    )


def test_endless_words_are_cut() -> None:
    assert len(reason(looked(99.9, "x" * 10_000))) < 300


def test_a_fresh_answer_is_a_view() -> None:
    node = Node(Detector(100.1, "in view"))
    looker = looker_of(node)
    looker.begin(LOOK, 100.0)
    assert isinstance(looker.poll(0.0), Blind)
    views = looker.poll(0.0)
    assert isinstance(views, dict)
    assert views["top"].stamp == 100.1


def test_a_dead_camera_is_asked_about_ever_more_slowly() -> None:
    detector = Detector(0.0, "camera top: no image for 9.0 s")
    node = Node(detector)
    looker = looker_of(node)
    looker.begin(LOOK, 100.0)
    asked_at = []
    for tick in range(400):  # 4 s at 100 Hz
        before = detector.asked
        looker.poll(0.01 * tick)
        asked_at += [tick] * (detector.asked - before)
    # An answer is seen one poll later, and the next question waits 10, 20, 40, 80, 100 polls more.
    assert asked_at == [0, 11, 32, 73, 154, 255, 356]
    looker.begin(LOOK, 110.0)
    looker.poll(4.0)
    assert detector.asked == 8, "a new look asks at once"


def test_questions_that_are_given_up_are_removed_from_the_client() -> None:
    detector = Detector(0.0, "")
    detector.answers = False
    node = Node(detector)
    looker = looker_of(node)
    for number in range(1, 4):
        looker.begin(LOOK, 100.0)
        looker.poll(float(number))
        assert len(detector.removed) == number - 1
    looker.close()
    assert len(detector.removed) == 3


def raw(**changes: object) -> Image:
    """A grey picture as the camera sends it."""
    fields = {
        "encoding": "rgb8", "width": 64, "height": 48, "step": 192, "data": bytes(192 * 48),
        **changes,
    }  # fmt: skip
    message = Image(**fields)
    message.header.stamp = from_seconds(100.2)
    return message


def looking() -> Looker:
    node = Node(Detector(100.1, "in view"))
    looker = looker_of(node)
    looker.open(("top",))
    looker._on_info("top", info())
    looker.begin(LOOK, 100.0)
    looker.poll(0.0)
    return looker


def test_a_fresh_picture_completes_the_look() -> None:
    looker = looking()
    looker._on_colour("top", raw())
    views = looker.poll(0.0)
    assert isinstance(views, dict)
    assert views["top"].image is not None
    assert views["top"].image.shape == (48, 64, 3)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"width": 32, "step": 96, "data": bytes(96 * 48)}, "64x48 px from 'top', got 32x48"),
        ({"encoding": "yuv9"}, "yuv9"),
        ({"data": bytes(10)}, "10"),
        ({"step": 3}, "3"),
        ({"height": 0, "data": b""}, "got"),
    ],
)
def test_an_unusable_picture_is_refused_and_its_reason_is_the_looks(
    changes: dict[str, object], words: str
) -> None:
    looker = looking()
    looker._on_colour("top", raw(**changes))
    why = reason(looker.poll(0.0))
    assert "a picture of camera 'top' (an image was refused: expected " in why
    assert words in why
    # The next good one is taken.
    looker._on_colour("top", raw())
    assert isinstance(looker.poll(0.0), dict)


def test_a_look_that_ends_while_an_image_arrives_harms_nobody() -> None:
    class EndingSoon(Looker):
        """As if the node's thread ended the look right after the images' thread asked for it."""

        answers: ClassVar = [LOOK, None]

        @property
        def _look(self) -> Look | None:
            return self.answers.pop(0) if self.answers else None

        @_look.setter
        def _look(self, look: Look | None) -> None:
            pass

    node = Node(Detector(100.1, "in view"))
    looker = looker_of(node, kind=EndingSoon)
    looker._on_colour("top", raw())
    assert "top" in looker._colour


def test_a_camera_that_contradicts_its_configuration_is_looked_through_once_it_agrees_again() -> (
    None
):
    looker = looking()
    looker._on_colour("top", raw())
    looker._on_info("top", info(width=32))
    why = reason(looker.poll(0.0), final=True)
    assert why.startswith("camera_info disagrees with config/cameras.yaml for camera top: expected")
    looker._on_info("top", info())
    assert isinstance(looker.poll(0.0), dict)


def test_a_contradiction_of_a_camera_that_is_not_looked_through_blocks_no_look() -> None:
    looker = looking()
    looker._cameras = {**looker._cameras, "front": BLIND}
    looker._on_info("front", info(width=32))
    looker._on_colour("top", raw())
    assert isinstance(looker.poll(0.0), dict)


def test_a_look_waits_for_what_the_camera_says_of_itself() -> None:
    node = Node(Detector(100.1, "in view"))
    looker = looker_of(node, informed=False)
    looker.begin(LOOK, 100.0)
    looker.poll(0.0)
    assert reason(looker.poll(0.0)) == "expected camera_info of camera 'top', got none"
    looker._on_info("top", info())
    assert isinstance(looker.poll(0.0), dict)


def test_what_a_camera_said_in_an_earlier_goal_does_not_hold_in_the_next() -> None:
    looker = looking()
    looker._on_info("top", info(width=32))
    looker.open(("top",))
    looker.begin(LOOK, 100.0)
    assert "camera_info of camera 'top'" in reason(looker.poll(0.0))

"""A look that cannot be answered says what is missing, in the detector's own words."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from openral_msgs.srv import LocateInView
from rclpy.task import Future
from sensor_msgs.msg import CameraInfo, Image

from openral.camera_model import CameraConfig
from openral.ros.stamp import from_seconds
from skill_runner_node.looking import AskWait, Looker
from skill_runner_node.policy import Look

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


def looked(stamp_s: float, message: str) -> tuple[object, str]:
    node = Node(Detector(stamp_s, message))
    looker = Looker(node, node, "catalogue", {"top": BLIND}, 2.0, WAIT)  # type: ignore[arg-type]
    looker.begin(LOOK, 100.0)
    views = [looker.poll(0.0) for _ in range(3)][-1]
    return views, looker.problem


def test_an_answer_from_before_the_look_is_none_and_its_reason_is_kept() -> None:
    views, problem = looked(0.0, "camera top: no image for 9.0 s")
    assert views is None
    assert problem == (
        "expected a fresh answer about camera 'top' (the detector says: camera top: no image for"
        " 9.0 s), got none"
    )


def test_endless_words_are_cut() -> None:
    assert len(looked(99.9, "x" * 10_000)[1]) < 300


def test_a_fresh_answer_is_a_view() -> None:
    node = Node(Detector(100.1, "in view"))
    looker = Looker(node, node, "catalogue", {"top": BLIND}, 2.0, WAIT)  # type: ignore[arg-type]
    looker.begin(LOOK, 100.0)
    assert looker.poll(0.0) is None
    views = looker.poll(0.0)
    assert views is not None
    assert views["top"].stamp == 100.1


def test_a_dead_camera_is_asked_about_ever_more_slowly() -> None:
    detector = Detector(0.0, "camera top: no image for 9.0 s")
    node = Node(detector)
    looker = Looker(node, node, "catalogue", {"top": BLIND}, 2.0, WAIT)  # type: ignore[arg-type]
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
    looker = Looker(node, node, "catalogue", {"top": BLIND}, 2.0, WAIT)  # type: ignore[arg-type]
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
    looker = Looker(node, node, "catalogue", {"top": BLIND}, 2.0, WAIT)  # type: ignore[arg-type]
    looker.open(("top",))
    looker.begin(LOOK, 100.0)
    looker.poll(0.0)
    return looker


def test_a_fresh_picture_completes_the_look() -> None:
    looker = looking()
    looker._on_colour("top", raw())
    views = looker.poll(0.0)
    assert views is not None
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
    assert looker.poll(0.0) is None
    assert "a picture of camera 'top' (an image was refused: expected " in looker.problem
    assert words in looker.problem
    # The next good one is taken.
    looker._on_colour("top", raw())
    assert looker.poll(0.0) is not None


def test_a_calibration_that_contradicts_the_configuration_is_told_with_both() -> None:
    looker = looking()
    k = BLIND.model().k.ravel()
    looker._on_info("top", CameraInfo(width=64, height=48, k=k))
    assert looker.contradiction == ""
    k[0] += 10.0
    looker._on_info("top", CameraInfo(width=64, height=48, k=k))
    assert "as configured, got" in looker.contradiction
    looker.open(("top",))
    assert looker.contradiction == ""

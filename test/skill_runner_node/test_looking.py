"""A look that cannot be answered says what is missing, in the detector's own words."""

from __future__ import annotations

from openral_msgs.srv import LocateInView
from rclpy.task import Future

from openral.camera_model import CameraConfig
from openral.ros.stamp import from_seconds
from skill_runner_node.looking import Looker
from skill_runner_node.policy import Look

BLIND = CameraConfig(
    parent="world", position=(0.0, 0.0, 1.0), orientation=(1.0, 0.0, 0.0, 0.0),
    width=64, height=48, fovy_deg=60.0, rate_hz=4.0, depth=False,
)  # fmt: skip
LOOK = Look("milk", ("top",), "look", 0.05)


class Detector:
    """A client whose every call is answered at once."""

    srv_name = "perception/catalogue/locate_in_view"

    def __init__(self, stamp_s: float, message: str) -> None:
        self._reply = LocateInView.Response(message=message)
        self._reply.image_stamp = from_seconds(stamp_s)

    def service_is_ready(self) -> bool:
        return True

    def call_async(self, request: LocateInView.Request) -> Future:
        future = Future()
        future.set_result(self._reply)
        return future


class Node:
    def __init__(self, client: Detector) -> None:
        self._client = client

    def create_client(self, kind: type, name: str) -> Detector:
        return self._client


def looked(stamp_s: float, message: str) -> tuple[object, str]:
    node = Node(Detector(stamp_s, message))
    looker = Looker(node, node, "catalogue", {"top": BLIND}, 2.0)  # type: ignore[arg-type]
    looker.begin(LOOK, 100.0)
    views = [looker.poll() for _ in range(3)][-1]
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
    looker = Looker(node, node, "catalogue", {"top": BLIND}, 2.0)  # type: ignore[arg-type]
    looker.begin(LOOK, 100.0)
    assert looker.poll() is None
    views = looker.poll()
    assert views is not None
    assert views["top"].stamp == 100.1

"""The node over real DDS: images in; detections, events, answers, failures and diagnostics out."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import painted_table as paint
import pytest
import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from openral_msgs.msg import DetectionArray, FailureTrigger, PerceptionEvent
from openral_msgs.srv import LocateInView
from rclpy.context import Context
from rclpy.executors import MultiThreadedExecutor, SingleThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import CameraInfo, CompressedImage, Image

from openral.bringup import domain
from openral.image import encode_image
from openral.ros import qos
from openral.ros.spinning import SpinningThread
from perception_node.catalogue import load_crop
from perception_node.freshness import CameraHealth, CameraState
from perception_node.node import PerceptionNode

pytestmark = pytest.mark.timed

MILK = load_crop(Path(__file__).resolve().parents[2] / "config" / "catalogue" / "milk" / "00.png")
DEADLINE = 20.0


class Bench:
    """The node under test, a publisher of pictures at 5 Hz, and what the node says."""

    def __init__(self, arguments: list[str], domain: int, camera: str = "table") -> None:
        self.context = Context()
        base = ["--ros-args", "-r", "__ns:=/perception_test"]
        own = [f"primary_camera:={camera}", f"cameras:=[{camera}]", "max_rate:=5.0"]
        for argument in [*own, *arguments]:
            base += ["-p", argument]
        rclpy.init(args=base, context=self.context, domain_id=domain)
        rclpy.init(args=base, domain_id=domain)
        self.node = PerceptionNode()
        self.probe = Node(
            "probe", namespace="/perception_test", context=self.context, use_global_arguments=False
        )
        self.detections: list[DetectionArray] = []
        self.events: list[PerceptionEvent] = []
        self.failures: list[FailureTrigger] = []
        self.pictures: list[CompressedImage] = []
        self.diagnostics: list[DiagnosticArray] = []
        listen = self.probe.create_subscription
        name = "perception/catalogue"
        listen(DetectionArray, f"{name}/detections", self.detections.append, qos.DETECTIONS)
        listen(CompressedImage, f"{name}/annotated", self.pictures.append, qos.ANNOTATED)
        listen(PerceptionEvent, "perception/objects", self.events.append, qos.PERCEPTION_EVENT)
        listen(FailureTrigger, "failure/sensor", self.failures.append, qos.FAILURE)
        listen(DiagnosticArray, "diagnostics", self.diagnostics.append, qos.DIAGNOSTICS)
        self.locate = self.probe.create_client(LocateInView, f"{name}/locate_in_view")
        self.images = self.probe.create_publisher(Image, f"camera/{camera}/image_raw", qos.SENSOR)
        self.infos = self.probe.create_publisher(
            CameraInfo, f"camera/{camera}/camera_info", qos.SENSOR
        )
        self.info: CameraInfo | None = None
        self.change: Callable[[Image], None] = lambda image: None
        self.picture = paint.table()
        mask = MILK.mask
        window = self.picture[80 : 80 + mask.shape[0], 120 : 120 + mask.shape[1]]
        window[mask] = MILK.rgb[mask]
        self.timer = self.probe.create_timer(0.2, self.publish)
        self.threads = [
            SpinningThread(MultiThreadedExecutor(num_threads=3), self.node, "node"),
            SpinningThread(SingleThreadedExecutor(context=self.context), self.probe, "probe"),
        ]

    def publish(self) -> None:
        fields = encode_image(self.picture, "rgb8")
        message = Image(
            encoding=fields.encoding,
            width=fields.width,
            height=fields.height,
            step=fields.step,
            data=fields.data,
        )
        message.header.frame_id = "table_optical"
        message.header.stamp = self.probe.get_clock().now().to_msg()
        self.change(message)
        self.images.publish(message)
        if self.info is not None:
            self.infos.publish(self.info)

    def refusals(self) -> list[str]:
        """What the diagnostics last said of each refused image."""
        return [
            value.value
            for array in list(self.diagnostics)
            for status in array.status
            for value in status.values
            if value.key == "last_refusal"
        ]

    def ask(self, query: str, camera: str = "") -> LocateInView.Response:
        assert self.locate.wait_for_service(timeout_sec=DEADLINE)
        future = self.locate.call_async(LocateInView.Request(query=query, camera=camera))
        wait_for(future.done, f"an answer to {query!r}")
        return future.result()

    def close(self) -> None:
        for thread in self.threads:
            thread.close()
        self.node.destroy_node()
        self.probe.destroy_node()
        rclpy.try_shutdown()
        rclpy.shutdown(context=self.context)


def wait_for(condition: Callable[[], bool], what: str) -> None:
    """Polls for something that another thread brings about."""
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end, f"no {what} within {DEADLINE} s"
        time.sleep(0.01)


@pytest.fixture
def bench(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    free = domain.choose(random.sample(range(60, 100), 40))
    camera = getattr(request, "param", "table")
    made = Bench(["stale_after:=2.0", "locate_wait:=1.5"], domain=free, camera=camera)
    yield made
    made.close()


def test_the_node_says_what_it_sees_and_when_the_camera_dies(bench: Bench) -> None:
    wait_for(lambda: bool(bench.detections and bench.events and bench.pictures), "detections")
    seen = bench.detections[-1]
    assert (seen.detector, seen.camera, seen.header.frame_id) == (
        "catalogue",
        "table",
        "table_optical",
    )
    assert (seen.image_width, seen.image_height) == (320, 240)
    (milk,) = seen.detections
    assert milk.label == "milk"
    assert milk.x_min == pytest.approx(120, abs=4)
    assert milk.y_max == pytest.approx(80 + MILK.mask.shape[0], abs=4)
    assert bench.events[0].kind == "object_appeared"
    assert bench.events[0].det_id == milk.det_id
    data = np.frombuffer(bytes(bench.pictures[-1].data), np.uint8)
    assert cv2.imdecode(data, cv2.IMREAD_COLOR).shape == (240, 320, 3)

    before = bench.node.get_clock().now().nanoseconds
    found = bench.ask("the milk")
    assert found.found
    assert found.camera == "table"
    assert [hit.det_id for hit in found.detections] == [milk.det_id]
    stamp = found.image_stamp.sec * 10**9 + found.image_stamp.nanosec
    assert stamp >= before - 2_000_000_000
    missing = bench.ask("milk, teapot, basket")
    assert not missing.found
    assert "teapot" in missing.message
    assert "not in view: basket" in missing.message
    assert "collective" in bench.ask("all the groceries").message
    assert "valid names are table" in bench.ask("milk", "wrist").message

    bench.timer.cancel()
    wait_for(lambda: any(f.kind == "camera_stale" for f in bench.failures), "failure")
    failure = next(f for f in bench.failures if f.kind == "camera_stale")
    assert failure.severity == FailureTrigger.FAIL
    assert json.loads(failure.evidence_json)["camera"] == "table"
    dead = bench.ask("milk")
    assert not dead.found
    assert not dead.detections
    assert dead.message.startswith("camera_stale: camera table: ")
    bench.timer.reset()
    wait_for(lambda: bench.failures[-1].kind == "camera_recovered", "recovery")


def test_a_change_of_health_is_told_before_another_thread_can_find_the_next_one(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    node, told = bench.node, []
    lost = CameraHealth(CameraState.SILENT, 3.0, "camera table: silent")

    def another_may_look() -> bool:
        """Whether another thread can take the lock while this one tells."""
        got: list[bool] = []

        def look() -> None:
            got.append(node._looked.acquire(blocking=False))
            if got[0]:
                node._looked.release()

        other = threading.Thread(target=look)
        other.start()
        other.join()
        return got[0]

    def publish(failure: FailureTrigger) -> None:
        told.append((threading.current_thread(), another_may_look()))

    monkeypatch.setattr(node, "_failures", SimpleNamespace(publish=publish))
    monkeypatch.setattr(node._views["table"], "health_change", lambda now: lost)
    # The two that look: a query, here in this thread, and the timer, in the node's.
    node._on_locate(LocateInView.Request(query="milk"), LocateInView.Response())
    own = threading.current_thread()
    wait_for(lambda: any(thread is not own for thread, _ in list(told)), "a look by the timer")
    assert any(thread is own for thread, _ in told)
    assert not any(may_look for _, may_look in list(told))


def test_an_image_that_cannot_be_read_is_counted_and_the_next_one_is_seen(bench: Bench) -> None:
    bad: dict[str, Callable[[Image], None]] = {
        "'yuv422'": lambda image: setattr(image, "encoding", "yuv422"),
        "step of at least 960 bytes": lambda image: setattr(image, "step", 100),
        "got 0x240": lambda image: setattr(image, "width", 0),
        "bytes of data": lambda image: setattr(image, "data", image.data[:-7]),
        "at most 4096 px a side": lambda image: setattr(image, "width", 10**9),
    }
    for reason, change in bad.items():
        bench.change = change
        wait_for(lambda reason=reason: any(reason in told for told in bench.refusals()), reason)
    bench.detections.clear()
    bench.change = lambda image: None
    wait_for(lambda: bool(bench.detections), "detections after bad images")


@pytest.mark.parametrize("bench", ["top"], indirect=True)
def test_a_camera_that_contradicts_its_calibration_is_told_and_not_looked_through(
    bench: Bench,
) -> None:
    # Its pictures are of 320x240, config/cameras.yaml has it at 640x480.
    wait_for(lambda: any("640x480 px as in" in told for told in bench.refusals()), "refusal")
    assert not bench.detections
    bench.picture = np.repeat(np.repeat(bench.picture, 2, axis=0), 2, axis=1)
    wait_for(lambda: bool(bench.detections), "detections in a picture of the right size")
    k = [500.0, 0.0, 320.0, 0.0, 500.0, 240.0, 0.0, 0.0, 1.0]
    bench.info = CameraInfo(width=640, height=480, k=k)
    wait_for(lambda: bool(bench.failures), "a failure")
    failure = bench.failures[0]
    assert (failure.kind, failure.severity) == ("camera_info_mismatch", FailureTrigger.FAIL)
    assert (
        "camera_info disagrees with config/cameras.yaml for camera top: expected" in failure.message
    )
    assert "got 640x480 px and fx 500.0, fy 500.0" in failure.message
    asked = bench.ask("milk")
    assert not asked.found
    assert asked.message == failure.message


def test_the_end_of_the_process_is_no_failure_of_the_detector(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    detect, detector = bench.node._detector.detect, bench.node._detector
    ended = threading.Event()

    def detect_at_the_end(rgb):
        found = detect(rgb)
        rclpy.try_shutdown()
        ended.set()
        return found

    refused: list[str] = []
    monkeypatch.setattr(bench.node, "_refuse", lambda view, reason: refused.append(reason))
    monkeypatch.setattr(detector, "detect", detect_at_the_end)
    assert ended.wait(DEADLINE)
    bench.node._worker.stop()
    assert refused == []

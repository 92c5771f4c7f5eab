"""The perception node: images in; detections, events and answers to `locate_in_view` out."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from openral_msgs.msg import DetectionArray, FailureTrigger, PerceptionEvent
from openral_msgs.srv import LocateInView
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.node import Node
from sensor_msgs.msg import CameraInfo, CompressedImage, Image
from std_msgs.msg import Header

from openral.errors import InputError
from openral.image import RgbImage, decode_rgb
from openral.names import DIAGNOSED_LIFE, PERCEPTION_NODE
from openral.ros import qos
from openral.ros.parameters import declare
from openral.ros.run import run
from openral.ros.stamp import from_nanoseconds, nanoseconds
from openral.units import NANOSECONDS
from perception_node.annotate import annotate, jpeg
from perception_node.assembly import camera_views, detector_settings
from perception_node.camera_view import CameraView, choose_view, sight_for_query
from perception_node.detectors.factory import make_detector
from perception_node.freshness import CameraHealth, fingerprint
from perception_node.locate import QueryError, answer, parse_query
from perception_node.messages import (
    APPEARED,
    GONE,
    calibration_message,
    camera_status,
    detection_message,
    event_message,
    failure_message,
)
from perception_node.parameters import PerceptionParameters
from perception_node.tracker import TrackUpdate
from perception_node.validation import Checked, check_detections
from perception_node.vision_messages import to_vision_array, vision_types
from perception_node.worker import LatestWorker

NAME = PERCEPTION_NODE
# One for a waiting query, one for everything else, one to spare.
_THREADS = 3


class PerceptionNode(Node):
    """Holds one detector, its worker thread, and one `CameraView` a camera."""

    def __init__(self) -> None:
        super().__init__(NAME)
        self._settings = parameters = declare(self, PerceptionParameters)
        self._detector = make_detector(parameters.detector, detector_settings(parameters))
        # Guards the views; notified whenever an image was looked at.
        self._looked = threading.Condition()
        self._views = camera_views(parameters, self._now_ns() / NANOSECONDS)
        self._milliseconds: dict[str, float] = {}
        self._life = str(self._now_ns())
        self._qos_mismatches = dict.fromkeys(parameters.cameras, 0)
        self._worker: LatestWorker[Image] = LatestWorker(self._look, "detector")
        self._open_topics(f"perception/{parameters.detector}")
        self._worker.start()
        self.get_logger().info(
            f"detector {parameters.detector} on {', '.join(parameters.cameras)}; it knows"
            f" {', '.join(self._detector.vocabulary.labels)}"
        )

    def _open_topics(self, base: str) -> None:
        self._detections = self.create_publisher(
            DetectionArray, f"{base}/detections", qos.DETECTIONS
        )
        self._annotated = self.create_publisher(CompressedImage, f"{base}/annotated", qos.ANNOTATED)
        self._events = self.create_publisher(
            PerceptionEvent, "perception/objects", qos.PERCEPTION_EVENT
        )
        self._failures = self.create_publisher(FailureTrigger, "failure/sensor", qos.FAILURE)
        self._diagnostics = self.create_publisher(DiagnosticArray, "diagnostics", qos.DIAGNOSTICS)
        self._vision_types = vision_types()
        self._vision: Any = None
        if self._vision_types is not None:
            self._vision = self.create_publisher(
                self._vision_types.array, f"{base}/detections_2d", qos.DETECTIONS
            )
        for camera in self._settings.cameras:
            self._subscribe(camera)
        # A query waits for an image: in a group of its own it holds up nothing but other queries.
        self.create_service(
            LocateInView,
            f"{base}/locate_in_view",
            self._on_locate,
            callback_group=MutuallyExclusiveCallbackGroup(),
        )
        self.create_timer(self._settings.health_period, self._check_health)
        self.create_timer(self._settings.report_period, self._report)

    def _subscribe(self, camera: str) -> None:
        def on_image(message: Image) -> None:
            self._on_image(camera, message)

        def on_mismatch(event: Any) -> None:
            self._qos_mismatches[camera] = int(event.total_count)
            self.get_logger().warning(
                f"camera {camera}: a publisher offers incompatible QoS, its images do not arrive"
            )

        self.create_subscription(
            CameraInfo,
            f"camera/{camera}/camera_info",
            lambda message: self._on_info(camera, message),
            qos.SENSOR,
        )
        self.create_subscription(
            Image,
            f"camera/{camera}/image_raw",
            on_image,
            qos.SENSOR,
            event_callbacks=SubscriptionEventCallbacks(incompatible_qos=on_mismatch),
        )

    def destroy_node(self) -> None:
        """Ends the worker first: it publishes."""
        self._worker.stop()
        super().destroy_node()

    def _now_ns(self) -> int:
        return int(self.get_clock().now().nanoseconds)

    def _on_info(self, camera: str, message: CameraInfo) -> None:
        calibration = self._views[camera].calibration
        with self._looked:
            now = self._now_ns() / NANOSECONDS
            changed = calibration.on_info(now, message.k, message.width, message.height)
            problem = calibration.problem
        if not changed:
            return
        stamp = self.get_clock().now().to_msg()
        self._failures.publish(calibration_message(stamp, NAME, camera, problem))
        if problem:
            self.get_logger().error(problem)

    def _on_image(self, camera: str, message: Image) -> None:
        stamp_ns = nanoseconds(message.header.stamp)
        with self._looked:
            due = self._views[camera].on_image(
                self._now_ns() / NANOSECONDS, stamp_ns, fingerprint(message.data)
            )
        if due:
            self._worker.submit(camera, message)

    def _look(self, camera: str, message: Image) -> None:
        """In the worker's thread."""
        view = self._views[camera]
        began = time.perf_counter()
        try:
            view.calibration.check_image(message.width, message.height)
            rgb = decode_rgb(message)
            raw = self._detector.detect(rgb)
            checked = check_detections(raw, message.width, message.height, self._detector.box_space)
            with self._looked:
                size = (message.width, message.height)
                update = view.on_detections(nanoseconds(message.header.stamp), checked, size)
                self._milliseconds[camera] = 1e3 * (time.perf_counter() - began)
                self._looked.notify_all()
                # It may have become stale while the detector was at work.
                stale = view.health(self._now_ns() / NANOSECONDS).stale
            if not stale:
                self._publish(camera, message.header, rgb, update, checked)
        except InputError as error:
            self._refuse(view, f"image refused: {error}")
        except Exception as error:
            if not self.context.ok():
                return  # the process ends: what was seen cannot be published any more
            # A detector may fail on one odd image; the next one is worth a try.
            self._refuse(view, f"detector failed: {type(error).__name__}: {error}")

    def _refuse(self, view: CameraView, reason: str) -> None:
        with self._looked:
            view.on_refused(reason)
        self.get_logger().warning(f"camera {view.name}: {reason}", throttle_duration_sec=5.0)

    def _publish(
        self, camera: str, header: Header, rgb: RgbImage, update: TrackUpdate, checked: Checked
    ) -> None:
        array = DetectionArray(
            header=header,
            detector=self._settings.detector,
            camera=camera,
            image_width=rgb.shape[1],
            image_height=rgb.shape[0],
            detections=[detection_message(found) for found in update.seen],
            dropped=checked.dropped_total,
        )
        self._detections.publish(array)
        if self._vision is not None and self._vision_types is not None:
            self._vision.publish(to_vision_array(self._vision_types, array))
        for kind, objects in ((APPEARED, update.appeared), (GONE, update.gone)):
            for found in objects:
                event = event_message(header, self._settings.detector, camera, kind, found)
                self._events.publish(event)
        if self._annotated.get_subscription_count() > 0:
            stamp = nanoseconds(header.stamp) / NANOSECONDS
            picture = annotate(rgb, update.seen, camera, stamp)
            data = jpeg(picture, self._settings.jpeg_quality)
            self._annotated.publish(CompressedImage(header=header, format="jpeg", data=data))

    def _on_locate(
        self, request: LocateInView.Request, response: LocateInView.Response
    ) -> LocateInView.Response:
        since_ns = self._now_ns()
        views = list(self._views.values())
        view, problem = choose_view(views, request.camera, self._settings.primary_camera)
        if view is None:
            response.camera, response.message = request.camera, problem
            return response
        response.camera = view.name
        vocabulary = self._detector.vocabulary
        try:
            query = parse_query(request.query, vocabulary)
        except QueryError as error:
            response.message = f"refused: {error}"
            return response
        with self._looked:
            view.want(since_ns)
            self._looked.wait_for(
                lambda: view.sight is not None and view.sight.stamp_ns >= since_ns,
                timeout=self._settings.locate_wait,
            )
            now = self._now_ns() / NANOSECONDS
            sight, note = sight_for_query(view, now, since_ns, self._settings.stale_after)
            # Told to all before it is told to one: its end is told to all alone.
            self._tell_health(view, now)
        if sight is None:
            response.message = note
            return response
        found = answer(query, sight.seen, vocabulary)
        response.found = found.found
        response.detections = [detection_message(hit) for hit in found.detections]
        response.image_stamp = from_nanoseconds(sight.stamp_ns)
        response.message = "; ".join(part for part in (found.message, note) if part)
        return response

    def _check_health(self) -> None:
        for view in self._views.values():
            with self._looked:
                self._tell_health(view, self._now_ns() / NANOSECONDS)

    def _tell_health(self, view: CameraView, now: float) -> None:
        """Tells a change, if there is one; the caller holds the lock.

        It is told under the lock, in which `now` is taken too: of two threads that find a change,
        the first one tells it first, and a camera that came back is not called stale after that.
        """
        change = view.health_change(now)
        if change is not None:
            self._publish_failure(view.name, change)

    def _publish_failure(self, camera: str, health: CameraHealth) -> None:
        stamp = self.get_clock().now().to_msg()
        self._failures.publish(
            failure_message(stamp, NAME, camera, health, self._settings.stale_after)
        )
        # Each from its own line: rclpy ties a line of code to one severity.
        if health.stale:
            self.get_logger().warning(health.reason)
        else:
            self.get_logger().info(health.reason)

    def _report(self) -> None:
        now = self._now_ns() / NANOSECONDS
        waits = self._worker.stalled_s()
        limit = self._settings.stall_after
        stalled = (
            f"detector stalled for {waits:.1f} s, expected {limit:.1f} s" if waits > limit else ""
        )
        array = DiagnosticArray(header=Header(stamp=self.get_clock().now().to_msg()))
        for camera, view in self._views.items():
            extra = {
                DIAGNOSED_LIFE: self._life,
                "detection_ms": f"{self._milliseconds.get(camera, 0.0):.1f}",
                "publishers": str(self.count_publishers(f"camera/{camera}/image_raw")),
                "qos_mismatches": str(self._qos_mismatches[camera]),
                "frames_skipped": str(self._worker.skipped),
            }
            with self._looked:
                array.status.append(camera_status(NAME, view, now, extra, stalled))
        self._diagnostics.publish(array)


def main() -> int:
    """Runs the node until it is told to end; returns the process's exit code."""
    return run(PerceptionNode, NAME, threads=_THREADS)


if __name__ == "__main__":
    sys.exit(main())

"""Carries out a look: asks the detector about every camera and waits for fresh depth images."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from openral_msgs.srv import LocateInView
from rclpy.node import Node
from rclpy.subscription import Subscription
from sensor_msgs.msg import CameraInfo, Image

from openral.camera_agreement import camera_info_problem
from openral.camera_model import CameraConfig
from openral.errors import InputError
from openral.image import decode, decode_rgb, depth_in_metres
from openral.ros import qos
from openral.ros.stamp import seconds
from skill_runner_node.locating import named
from skill_runner_node.policy import Blind, Box, Look, View

Array = Any
SAID_CHARS = 200
"""Of the detector's words that go into the reason of a failed look."""


@dataclass(frozen=True)
class AskWait:
    """[s] from an answer of no use to the next question, doubled each time up to `longest_s`."""

    first_s: float
    longest_s: float


class Looker:
    """One look at a time. Images are subscribed to only while a goal runs: rendering costs time.

    Args:
        node: Asks the detector.
        images: Subscribes to images; its callbacks may run on another thread.
        detector: Id of the detector that is asked.
        cameras: By name.
        ask_wait: How long to wait before a camera is asked about again.
        tolerance: Share of the configured calibration that a camera's own may be off it.
        file: That configures the cameras.
    """

    def __init__(
        self,
        node: Node,
        images: Node,
        detector: str,
        cameras: Mapping[str, CameraConfig],
        ask_wait: AskWait,
        *,
        tolerance: float,
        file: str,
    ) -> None:
        self._node = node
        self._images = images
        self._cameras = cameras
        self._tolerance = tolerance
        self._file = file
        self._ask_wait = ask_wait
        self._client = node.create_client(LocateInView, f"perception/{detector}/locate_in_view")
        self._subscriptions: list[Subscription] = []
        self._look: Look | None = None
        self._begun = 0.0
        self._asked: dict[str, Any] = {}
        self._again: dict[str, tuple[float, float]] = {}
        self._answers: dict[str, tuple[float, tuple[Box, ...], str]] = {}
        self._too_old: dict[str, str] = {}
        self._depth: dict[str, tuple[float, Array]] = {}
        self._colour: dict[str, tuple[float, Array]] = {}
        self._refused: dict[str, str] = {}
        self._pictures: tuple[str, ...] = ()
        self._contradictions: dict[str, str] = {}

    def open(self, cameras: tuple[str, ...]) -> None:
        """Subscribes to the images that looks through these cameras need."""
        self.close()
        deep = any(self._cameras[name].depth for name in cameras)
        self._pictures = () if deep else cameras
        for name in cameras:
            self._subscriptions.append(
                self._images.create_subscription(
                    CameraInfo,
                    f"camera/{name}/camera_info",
                    partial(self._on_info, name),
                    qos.SENSOR,
                )
            )
            # Pictures are only worth their transport where nothing measures depth.
            if self._cameras[name].depth:
                topic, store = f"camera/{name}/depth/image_raw", self._on_depth
            elif name in self._pictures:
                topic, store = f"camera/{name}/image_raw", self._on_colour
            else:
                continue
            self._subscriptions.append(
                self._images.create_subscription(Image, topic, partial(store, name), qos.SENSOR)
            )

    def close(self) -> None:
        """Ends the subscriptions, and a look that is under way."""
        self._look = None
        self._give_up()
        for subscription in self._subscriptions:
            self._images.destroy_subscription(subscription)
        self._subscriptions = []
        self._depth.clear()
        self._colour.clear()
        self._contradictions.clear()

    def begin(self, look: Look, now: float) -> None:
        """Starts a look; `now` is ROS time [s]."""
        self._look = look
        self._begun = now
        self._give_up()
        self._again.clear()
        self._answers.clear()
        self._too_old.clear()
        self._refused.clear()

    def _give_up(self) -> None:
        """Forgets the questions that are still open; the client would keep each for ever."""
        for future in self._asked.values():
            self._client.remove_pending_request(future)
        self._asked.clear()

    def poll(self, now: float) -> dict[str, View] | Blind | None:
        """The views once every camera has answered, or what is missing; None = no look goes on.

        A camera is not looked through before its first camera_info has agreed with the
        configuration, nor while its newest contradicts it. `now`: steady clock [s].
        """
        look = self._look
        if look is None:
            return None
        contradictions = [self._contradictions.get(camera, "") for camera in look.cameras]
        if any(contradictions):
            return Blind("; ".join(filter(None, contradictions)), final=True)
        missing = []
        for camera in look.cameras:
            self._ask(look, camera, now)
            if camera not in self._contradictions:
                missing.append(f"camera_info of camera '{camera}'")
            if camera not in self._answers:
                said = self._too_old.get(camera)
                why = f" (the detector says: {said})" if said else ""
                missing.append(f"a fresh answer about camera '{camera}'{why}")
            if self._cameras[camera].depth and self._fresh(self._depth, camera) is None:
                missing.append(f"depth of camera '{camera}'{self._why_refused(camera)}")
            if camera in self._pictures and self._fresh(self._colour, camera) is None:
                missing.append(f"a picture of camera '{camera}'{self._why_refused(camera)}")
        if missing:
            service = self._client.srv_name
            gone = "" if self._client.service_is_ready() else f"; {service} is not there"
            return Blind("expected " + " and ".join(missing) + ", got none" + gone)
        self._look = None
        return {camera: self._view(camera) for camera in look.cameras}

    def _why_refused(self, camera: str) -> str:
        refused = self._refused.get(camera)
        return f" (an image was refused: {refused[:SAID_CHARS]})" if refused else ""

    def _view(self, camera: str) -> View:
        stamp, boxes, message = self._answers[camera]
        return View(
            camera,
            stamp,
            self._cameras[camera].model(),
            boxes,
            self._fresh(self._depth, camera),
            self._fresh(self._colour, camera),
            message,
        )

    def _ask(self, look: Look, camera: str, now: float) -> None:
        """Asks, and asks again, ever more slowly, while answers rest on images from before."""
        future = self._asked.get(camera)
        wait_s, at = self._again.get(camera, (self._ask_wait.first_s, now))
        if future is None and camera not in self._answers and self._client.service_is_ready():
            if now < at:
                return
            request = LocateInView.Request(query=look.query, camera=camera)
            self._asked[camera] = self._client.call_async(request)
        elif future is not None and future.done():
            del self._asked[camera]
            self._again[camera] = (min(2.0 * wait_s, self._ask_wait.longest_s), now + wait_s)
            reply = future.result()
            if reply is None:
                return
            if seconds(reply.image_stamp) < self._begun:
                self._too_old[camera] = reply.message[:SAID_CHARS]
            else:
                boxes = tuple(
                    Box(d.label, d.score, d.x_min, d.y_min, d.x_max, d.y_max)
                    for d in reply.detections
                )
                stamp = seconds(reply.image_stamp)
                self._answers[camera] = (stamp, named(look.query, boxes), reply.message)

    def _fresh(self, images: Mapping[str, tuple[float, Array]], camera: str) -> Array | None:
        stamp, image = images.get(camera, (-1.0, None))
        return image if stamp >= self._begun else None

    def _on_info(self, camera: str, message: CameraInfo) -> None:
        self._contradictions[camera] = camera_info_problem(
            camera,
            self._cameras[camera],
            message.k,
            message.width,
            message.height,
            tolerance=self._tolerance,
            file=self._file,
        )

    def _on_depth(self, camera: str, message: Image) -> None:
        self._store(self._depth, camera, message, lambda: depth_in_metres(decode(message)))

    def _on_colour(self, camera: str, message: Image) -> None:
        self._store(self._colour, camera, message, lambda: decode_rgb(message))

    def _store(
        self, images: dict[str, tuple[float, Array]], camera: str, message: Image, read: Any
    ) -> None:
        # Read once: the node's thread may end the look between two readings.
        look = self._look
        if look is None or camera not in look.cameras:
            return
        expected = (self._cameras[camera].height, self._cameras[camera].width)
        try:
            image: Array = read()
            if np.shape(image)[:2] != expected:
                raise InputError(
                    f"images of {expected[1]}x{expected[0]} px from '{camera}'",
                    f"{message.width}x{message.height}",
                )
        except InputError as error:
            self._refused[camera] = str(error)
            self._node.get_logger().warning(
                f"camera '{camera}': {error}", throttle_duration_sec=5.0
            )
            return
        images[camera] = (seconds(message.header.stamp), image)

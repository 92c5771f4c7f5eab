"""The cameras as a ROS node in a process of its own: the simulator starts it, nobody else."""

from __future__ import annotations

import os
import sys
from array import array
from typing import Any

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node
from sensor_msgs.msg import CameraInfo, Image

from openral.bringup.installed import config_file
from openral.camera_model import CameraConfig, load_cameras
from openral.errors import ConfigError
from openral.image import encode_image
from openral.ros import qos
from openral.ros.run import EXIT_CONFIGURATION, run
from openral.ros.stamp import from_nanoseconds
from openral.ros.transport import use_image_transport
from sim_node.cameras.process import READY, Orders
from sim_node.cameras.thread import CameraThread, Picture, Wanted
from sim_node.diagnostics import status
from sim_node.parameters import scene_options, with_rates
from sim_node.scene import build_scene
from sim_node.state_memory import StateReader

NAME = "sim_cameras"
_FAILED = 1


class CameraNode(Node):
    """Publishes what the cameras see of the state in a shared memory."""

    def __init__(self, orders: Orders) -> None:
        # The simulator's own name may be among the arguments that both were given.
        super().__init__(NAME, cli_args=["--ros-args", "-r", f"__node:={NAME}"])
        parameters = orders.parameters
        self._cameras = with_rates(load_cameras(config_file(parameters.cameras_file)), parameters)
        scene = build_scene(scene_options(parameters), self._cameras)
        self._states = StateReader(orders.memory, scene.model.nq)
        self._failed: Exception | None = None
        self._render_time: dict[str, float] = {}
        self._pictures = dict.fromkeys(self._cameras, 0)
        self._images: dict[str, Any] = {}
        self._depths: dict[str, Any] = {}
        self._infos: dict[str, Any] = {}
        for name, camera in self._cameras.items():
            base = f"camera/{name}"
            self._images[name] = self.create_publisher(Image, f"{base}/image_raw", qos.SENSOR)
            self._infos[name] = self.create_publisher(CameraInfo, f"{base}/camera_info", qos.SENSOR)
            if camera.depth:
                self._depths[name] = self.create_publisher(
                    Image, f"{base}/depth/image_raw", qos.SENSOR
                )
        self._diagnostics = self.create_publisher(DiagnosticArray, "diagnostics", qos.DIAGNOSTICS)
        self._thread = CameraThread(
            scene,
            state=self._states.read,
            wanted=self._wanted,
            on_picture=self._on_picture,
            on_failure=self._on_failure,
        )
        self._thread.start()
        self.create_timer(parameters.report_period, self._report)

    @property
    def failed(self) -> Exception | None:
        """The error that ended the rendering, if any."""
        return self._failed

    def destroy_node(self) -> None:
        """End the thread first: it publishes."""
        self._thread.stop()
        self._states.close()
        super().destroy_node()

    def _wanted(self, camera: str) -> Wanted:
        depth = self._depths.get(camera)
        return Wanted(
            colour=self._images[camera].get_subscription_count() > 0,
            depth=depth is not None and depth.get_subscription_count() > 0,
        )

    def _on_picture(self, picture: Picture) -> None:
        stamp = from_nanoseconds(picture.stamp)
        name = picture.camera
        if picture.colour is not None:
            self._images[name].publish(image(picture.colour, "rgb8", name, stamp))
        if picture.depth is not None:
            self._depths[name].publish(image(picture.depth, "16UC1", name, stamp))
        self._infos[name].publish(camera_info(self._cameras[name], name, stamp))
        self._render_time[name] = picture.duration
        self._pictures[name] += 1

    def _on_failure(self, error: Exception) -> None:
        if not self.context.ok():
            return  # the process is ending: the thread was publishing at that moment
        self._failed = error
        self.get_logger().fatal(f"the cameras end: {type(error).__name__}: {error}")
        self.context.try_shutdown()

    def _report(self) -> None:
        values = {
            **{f"{name}_images": str(count) for name, count in self._pictures.items()},
            **{f"{name}_render_ms": f"{t * 1e3:.1f}" for name, t in self._render_time.items()},
        }
        message = DiagnosticArray(status=[status("sim_node: cameras", "", values)])
        message.header.stamp = self.get_clock().now().to_msg()
        self._diagnostics.publish(message)


def image(pixels: Any, encoding: str, camera: str, stamp: Time) -> Image:
    """Pixels (height, width[, channels]) as a message in the camera's optical frame."""
    fields = encode_image(pixels, encoding)
    message = Image(
        height=fields.height,
        width=fields.width,
        encoding=fields.encoding,
        is_bigendian=fields.is_bigendian,
        step=fields.step,
    )
    # An array, because rclpy checks the elements of anything else one by one.
    message.data = array("B", fields.data)
    message.header.stamp = stamp
    message.header.frame_id = f"{camera}_optical"
    return message


def camera_info(camera: CameraConfig, name: str, stamp: Time) -> CameraInfo:
    """The calibration of a camera without distortion."""
    k = camera.model().k
    message = CameraInfo(
        width=camera.width,
        height=camera.height,
        distortion_model="plumb_bob",
        d=[0.0] * 5,
        k=k.ravel().tolist(),
        r=[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        p=[*k[0].tolist(), 0.0, *k[1].tolist(), 0.0, *k[2].tolist(), 0.0],
    )
    message.header.stamp = stamp
    message.header.frame_id = f"{name}_optical"
    return message


def main() -> int:
    """Run the node; exit code 1 if the rendering failed, 2 if there is nothing to render with."""
    orders = Orders.model_validate_json(sys.argv[1])
    use_image_transport(config_file("fastdds.xml"))
    built: list[CameraNode] = []

    def build() -> CameraNode:
        try:
            built.append(CameraNode(orders))
        except ConfigError as error:
            # The simulator says it: one line for one mistake.
            os.write(orders.answer, str(error).encode())
            raise SystemExit(EXIT_CONFIGURATION) from None
        os.write(orders.answer, READY)
        os.close(orders.answer)
        return built[0]

    code = run(build, NAME)
    return _FAILED if built and built[0].failed is not None else code


if __name__ == "__main__":
    sys.exit(main())

"""The simulated robot as a ROS node: motor commands in, joints and images out."""

from __future__ import annotations

import sys
from array import array
from pathlib import Path
from typing import Any

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from openral_msgs.msg import MotorCommand as MotorCommandMsg
from rclpy.node import Node
from sensor_msgs.msg import CameraInfo, Image, JointState

from openral.bringup.installed import config_file
from openral.camera_model import load_cameras
from openral.errors import ConfigError
from openral.realtime import schedule_realtime
from openral.ros import qos
from openral.ros.parameters import declare
from openral.ros.run import run
from openral.ros.stamp import NANOSECONDS, from_nanoseconds, seconds
from openral.ros.transport import use_image_transport
from sim_node.camera_thread import CameraThread, Picture, State, Wanted
from sim_node.lease import Lease, MotorCommand
from sim_node.parameters import SimParameters, scene_options, with_rates
from sim_node.physics_thread import Measurement, PhysicsThread
from sim_node.record import BasketGeometry, CommandInForce, Recorder, RecordHeader, Sample
from sim_node.robot import HOME, JOINTS
from sim_node.scene import build_scene
from sim_node.world import World

_FAILED = 1
# Threads that compute hold Python's lock this long at most while another waits [s]; the default
# of 5 ms is a third of a motor command's lease.
_SWITCH_INTERVAL = 0.0005


class SimNode(Node):
    """Owns the world, its two threads, and their topics."""

    def __init__(self) -> None:
        super().__init__("sim_node")
        parameters = declare(self, SimParameters)
        home = self._home()
        cameras = with_rates(load_cameras(config_file(parameters.cameras_file)), parameters)
        self._scene = build_scene(scene_options(parameters), cameras)
        world = World(self._scene, home)
        self._recorder = self._open_record(parameters)
        self._state = State(world.qpos(), self._now())
        self._failed: Exception | None = None
        self._render_time: dict[str, float] = {}
        self._pictures = dict.fromkeys(cameras, 0)
        self._dropped = 0.0

        self._joint_states = self.create_publisher(JointState, "joint_states", qos.SENSOR)
        self._diagnostics = self.create_publisher(DiagnosticArray, "diagnostics", qos.DIAGNOSTICS)
        self._images: dict[str, Any] = {}
        self._depths: dict[str, Any] = {}
        self._infos: dict[str, Any] = {}
        for name, camera in cameras.items():
            base = f"camera/{name}"
            self._images[name] = self.create_publisher(Image, f"{base}/image_raw", qos.SENSOR)
            self._infos[name] = self.create_publisher(CameraInfo, f"{base}/camera_info", qos.SENSOR)
            if camera.depth:
                self._depths[name] = self.create_publisher(
                    Image, f"{base}/depth/image_raw", qos.SENSOR
                )
        self._physics = PhysicsThread(
            world,
            Lease(parameters.max_lease),
            catch_up=parameters.catch_up,
            measurement_rate=parameters.joint_state_rate,
            on_measurement=self._on_measurement,
            on_fine_step=self._on_fine_step,
            on_failure=self._on_failure,
        )
        self._cameras = CameraThread(
            self._scene,
            state=lambda: self._state,
            wanted=self._wanted,
            on_picture=self._on_picture,
            on_failure=self._on_failure,
        )
        # Not before: building the scene is no real-time work, the threads that start now are.
        priority = parameters.realtime_priority
        if priority > 0 and not schedule_realtime(priority):
            self.get_logger().info("no right to real-time scheduling: the usual priority")
        self._cameras.start()
        self._physics.start()
        self.create_subscription(
            MotorCommandMsg, "motor_command", self._on_command, qos.MOTOR_COMMAND
        )
        self.create_timer(1.0, self._report)
        self.get_logger().info(
            f"simulated panda, seed {parameters.seed}: {', '.join(parameters.objects) or 'nothing'}"
            f" on the table, {'a' if parameters.basket else 'no'} basket"
        )

    @property
    def failed(self) -> Exception | None:
        """The error that ended a thread, if any."""
        return self._failed

    def destroy_node(self) -> None:
        """End both threads first: they publish."""
        self._cameras.stop()
        self._physics.stop()
        if self._recorder is not None:
            self._recorder.close()
        super().destroy_node()

    def _home(self) -> tuple[float, ...]:
        values = tuple(self.declare_parameter("robot.home", list(HOME)).value)
        if len(values) != len(JOINTS):
            raise ConfigError(
                f"parameter 'robot.home': expected {len(JOINTS)} values, got {len(values)}"
            )
        return values

    def _now(self) -> int:
        return int(self.get_clock().now().nanoseconds)

    def _open_record(self, parameters: SimParameters) -> Recorder | None:
        if not parameters.record_path:
            return None
        basket = self._scene.basket
        header = RecordHeader(
            seed=parameters.seed,
            joints=JOINTS,
            objects=tuple(self._scene.groceries),
            basket=BasketGeometry(inner=basket.inner, rim=basket.rim) if basket else None,
        )
        return Recorder(Path(parameters.record_path), header)

    def _on_command(self, message: MotorCommandMsg) -> None:
        command = MotorCommand(
            valid_until=seconds(message.valid_until),
            lease=message.lease.sec + message.lease.nanosec / NANOSECONDS,
            epoch=message.epoch,
            sequence=message.sequence,
            control_mode=message.control_mode,
            joint_names=tuple(message.joint_names),
            values=tuple(message.values),
            velocities=tuple(message.velocities),
        )
        refusal = self._physics.receive(command, self._now() / NANOSECONDS)
        if refusal is not None:
            self.get_logger().warning(
                f"motor command {command.sequence} refused: {refusal.value}",
                throttle_duration_sec=1.0,
            )

    def _on_measurement(self, measured: Measurement) -> None:
        now = self._now()
        self._state = State(measured.qpos, now)
        message = JointState(
            name=list(JOINTS),
            position=measured.joints.position.tolist(),
            velocity=measured.joints.velocity.tolist(),
            effort=measured.joints.effort.tolist(),
        )
        message.header.stamp = from_nanoseconds(now)
        message.header.frame_id = "world"
        self._joint_states.publish(message)
        if self._recorder is not None:
            self._recorder.write(self._sample(measured, now / NANOSECONDS))

    def _on_fine_step(self, measured: Measurement) -> None:
        if self._recorder is not None:
            self._recorder.write(self._sample(measured, self._now() / NANOSECONDS))

    def _sample(self, measured: Measurement, t_ros: float) -> Sample:
        in_force = measured.in_force
        return Sample.model_construct(
            t_mono=measured.t_mono,
            t_ros=t_ros,
            q=tuple(measured.joints.position.tolist()),
            qd=tuple(measured.joints.velocity.tolist()),
            cmd=CommandInForce.model_construct(sequence=in_force.sequence, epoch=in_force.epoch)
            if in_force
            else None,
            lease="ok" if in_force else "lapsed",
            objects=measured.objects,
            basket=self._scene.basket_place,
        )

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
            self._images[name].publish(_image(picture.colour, "rgb8", 3, name, stamp))
        if picture.depth is not None:
            self._depths[name].publish(_image(picture.depth, "16UC1", 2, name, stamp))
        self._infos[name].publish(self._info(name, stamp))
        self._render_time[name] = picture.duration
        self._pictures[name] += 1

    def _info(self, name: str, stamp: Time) -> CameraInfo:
        camera = self._scene.cameras[name]
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

    def _on_failure(self, error: Exception) -> None:
        if not self.context.ok():
            return  # the process is ending: a thread was publishing at that moment
        self._failed = error
        self.get_logger().fatal(f"the simulator ends: {type(error).__name__}: {error}")
        self.context.try_shutdown()

    def _report(self) -> None:
        health = self._physics.health()
        dropped, self._dropped = health.dropped - self._dropped, health.dropped
        if dropped > 0.0:
            self.get_logger().warning(f"the machine stalled: dropped {dropped * 1e3:.0f} ms")
        physics = _status(
            "sim_node: physics",
            "dropped simulated time" if dropped > 0.0 else "",
            {
                "worst_lag_ms": f"{health.worst_lag * 1e3:.1f}",
                "dropped_s": f"{health.dropped:.3f}",
                "busy": f"{health.busy:.2f}",
                "commands_obeyed": str(health.obeyed),
                "lease_lapses": str(health.lapses),
                **{f"refused_{reason.value}": str(n) for reason, n in health.refusals.items()},
            },
        )
        cameras = _status(
            "sim_node: cameras",
            "",
            {
                **{f"{n}_images": str(count) for n, count in self._pictures.items()},
                **{f"{n}_render_ms": f"{t * 1e3:.1f}" for n, t in self._render_time.items()},
            },
        )
        message = DiagnosticArray(status=[physics, cameras])
        message.header.stamp = from_nanoseconds(self._now())
        self._diagnostics.publish(message)


def _status(name: str, problem: str, values: dict[str, str]) -> DiagnosticStatus:
    return DiagnosticStatus(
        level=DiagnosticStatus.WARN if problem else DiagnosticStatus.OK,
        name=name,
        message=problem or "ok",
        hardware_id="sim",
        values=[KeyValue(key=key, value=value) for key, value in values.items()],
    )


def _image(pixels: Any, encoding: str, pixel_bytes: int, camera: str, stamp: Time) -> Image:
    height, width = pixels.shape[:2]
    message = Image(
        height=height,
        width=width,
        encoding=encoding,
        is_bigendian=int(sys.byteorder == "big"),
        step=width * pixel_bytes,
    )
    # An array, because rclpy checks the elements of anything else one by one.
    message.data = array("B", pixels.tobytes())
    message.header.stamp = stamp
    message.header.frame_id = f"{camera}_optical"
    return message


def main() -> int:
    """Run the node; exit code 1 if a thread failed, 2 for a bad configuration."""
    sys.setswitchinterval(_SWITCH_INTERVAL)
    use_image_transport(config_file("fastdds.xml"))
    built: list[SimNode] = []

    def build() -> SimNode:
        built.append(SimNode())
        return built[0]

    code = run(build, "sim_node")
    return _FAILED if built and built[0].failed is not None else code


if __name__ == "__main__":
    sys.exit(main())

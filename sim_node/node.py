"""The simulated robot as a ROS node: motor commands in, joints out; its cameras run beside it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from openral_msgs.msg import MotorCommand as MotorCommandMsg
from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node
from rclpy.utilities import get_rmw_implementation_identifier
from sensor_msgs.msg import JointState

from openral.bringup.installed import config_file
from openral.camera_model import load_cameras
from openral.errors import ConfigError
from openral.realtime import schedule_realtime
from openral.ros import qos
from openral.ros.parameters import declare
from openral.ros.run import EXIT_CONFIGURATION, run
from openral.ros.stamp import from_nanoseconds, seconds
from openral.ros.transport import use_udp_alone
from openral.units import MEGABYTE, NANOSECONDS
from sim_node.cameras.process import CameraProcess, Restarts, ros_arguments
from sim_node.diagnostics import status
from sim_node.lease import Lease, MotorCommand
from sim_node.parameters import SimParameters, scene_options, start_pose, with_rates
from sim_node.physics_thread import Measurement, PhysicsThread
from sim_node.record import (
    BasketGeometry,
    CommandInForce,
    Recorder,
    RecordHeader,
    Sample,
)
from sim_node.robot import HOME, JOINTS
from sim_node.scene import build_scene
from sim_node.state_memory import State, StateWriter
from sim_node.world import World

_FAILED = 1


class SimNode(Node):
    """Owns the world, its thread and topics, and the process of its cameras.

    `camera_environ` is that process's environment.
    """

    def __init__(self, camera_environ: Mapping[str, str]) -> None:
        super().__init__("sim_node")
        parameters = declare(self, SimParameters)
        sys.setswitchinterval(parameters.switch_interval)
        home = self._home()
        cameras = with_rates(load_cameras(config_file(parameters.cameras_file)), parameters)
        self._scene = build_scene(scene_options(parameters), cameras)
        world = World(self._scene, home)
        self._states = StateWriter(State(world.qpos(), self._now()))
        self._cameras = CameraProcess(
            parameters, self._states.fileno(), ros_arguments(sys.argv), camera_environ
        )
        self._camera_restarts = Restarts(parameters.camera_restarts, parameters.camera_window)
        self._recorder = self._open_record(parameters)
        self._failed: Exception | None = None
        self._dropped = 0.0
        self._restarted = 0
        self._gap_told = False

        self._joint_states = self.create_publisher(JointState, "joint_states", qos.SENSOR)
        self._diagnostics = self.create_publisher(DiagnosticArray, "diagnostics", qos.DIAGNOSTICS)
        self._physics = PhysicsThread(
            world,
            Lease(parameters.max_lease),
            catch_up=parameters.catch_up,
            measurement_rate=parameters.joint_state_rate,
            on_measurement=self._on_measurement,
            on_fine_step=self._on_fine_step,
            on_failure=self._on_failure,
        )
        self._start_cameras()
        # Not before: building the scene is no real-time work, the threads that start now are.
        priority = parameters.realtime_priority
        if priority > 0 and not schedule_realtime(priority):
            self.get_logger().info("no right to real-time scheduling: the usual priority")
        self._physics.start()
        self.create_subscription(
            MotorCommandMsg, "motor_command", self._on_command, qos.MOTOR_COMMAND
        )
        self.create_timer(parameters.report_period, self._report)
        self.create_timer(parameters.camera_watch, self._watch_cameras)
        self.get_logger().info(
            f"simulated panda, seed {parameters.seed}: {', '.join(parameters.objects) or 'nothing'}"
            f" on the table, {'a' if parameters.basket else 'no'} basket"
        )

    @property
    def failed(self) -> Exception | None:
        """The error that ended the physics or the cameras, if any."""
        return self._failed

    def destroy_node(self) -> None:
        """End the thread first: it publishes."""
        self._physics.stop()
        self._cameras.stop()
        self._states.close()
        if self._recorder is not None:
            self._recorder.close()
        super().destroy_node()

    def _start_cameras(self) -> None:
        self._cameras.start()
        try:
            self._cameras.wait_ready(self.context.ok)
        except ConfigError:
            self._cameras.stop()
            raise

    def _watch_cameras(self) -> None:
        how = self._cameras.ended()
        if how is None or not self.context.ok():
            return
        if not self._camera_restarts.allow(time.monotonic()):
            # A robot without eyes must not look like a whole one.
            self._on_failure(RuntimeError(f"the cameras' process ends again and again: {how}"))
            return
        self._restarted += 1
        self.get_logger().error(f"the cameras' process ended ({how}); it is started again")
        self._cameras.start()

    def _home(self) -> tuple[float, ...]:
        # Of the robot's file, and not of this node's model; whole numbers there are numbers too.
        whatever = ParameterDescriptor(read_only=True, dynamic_typing=True)
        return start_pose(self.declare_parameter("robot.home", list(HOME), whatever).value)

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
        return Recorder(
            Path(parameters.record_path),
            header,
            retry_s=parameters.record_retry,
            size_max=int(parameters.record_size_max_mb * MEGABYTE),
        )

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
        self._states.write(State(measured.qpos, now))
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
        record = [] if self._recorder is None else [self._record_status()]
        physics = status(
            "sim_node: physics",
            "dropped simulated time" if dropped > 0.0 else "",
            {
                "worst_lag_ms": f"{health.worst_lag * 1e3:.1f}",
                "dropped_s": f"{health.dropped:.3f}",
                "busy": f"{health.busy:.2f}",
                "commands_obeyed": str(health.obeyed),
                "lease_lapses": str(health.lapses),
                "camera_restarts": str(self._restarted),
                **{f"refused_{reason.value}": str(n) for reason, n in health.refusals.items()},
            },
        )
        message = DiagnosticArray(status=[physics, *record])
        message.header.stamp = from_nanoseconds(self._now())
        self._diagnostics.publish(message)

    def _record_status(self) -> DiagnosticStatus:
        assert self._recorder is not None
        lost, problem = self._recorder.lost, self._recorder.problem
        if lost and not self._gap_told:
            self._gap_told = True
            self.get_logger().error(
                f"the record has a gap ({problem or 'writing works again'}): the referee will not"
                " judge this run, and the robot goes on"
            )
        problem = problem or ("the record has a gap" if lost else "")
        return status("sim_node: record", problem, {"lost_samples": str(lost)})


def main() -> int:
    """Run the node; exit code 1 if it failed on its way, 2 for a bad configuration."""
    # The cameras share memory with whoever looks; what moves the arm waits for nobody.
    environ = dict(os.environ)
    try:
        profile = config_file("fastdds_localhost.xml")
    except ConfigError as error:
        print(f"sim_node: {error}", file=sys.stderr)
        return EXIT_CONFIGURATION
    use_udp_alone(get_rmw_implementation_identifier(), profile)
    built: list[SimNode] = []

    def build() -> SimNode:
        built.append(SimNode(environ))
        return built[0]

    code = run(build, "sim_node")
    return _FAILED if built and built[0].failed is not None else code


if __name__ == "__main__":
    sys.exit(main())

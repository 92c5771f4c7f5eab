"""A robot that follows every motor command at once and rests without one, an operator, and a log
of the kernel.
"""

from __future__ import annotations

import contextlib
import math
import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import rclpy
from builtin_interfaces.msg import Time
from openral_msgs.msg import ActionChunk, EStop, FailureTrigger, KernelStatus, MotorCommand
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_sensor_data
from rclpy.timer import Timer
from sensor_msgs.msg import JointState, Range
from std_msgs.msg import Header
from std_srvs.srv import Trigger

if TYPE_CHECKING:
    from collections.abc import Callable

JOINTS = [*(f"panda_joint{i}" for i in range(1, 8)), "panda_finger_joint1"]
START = [0.0, -0.9, 0.0, -2.4, 0.0, 1.6, 0.785, 0.04]
REST_S = 0.1
"""[s] from a lease's end until the robot rests: long beside any pause of this process."""


def stamp(header: Header) -> float:
    """System time of a message [s]: tells what the kernel did when, not when it was heard."""
    return float(header.stamp.sec) + header.stamp.nanosec * 1e-9


@dataclass
class Log:
    """What was heard from the kernel, oldest first."""

    commands: list[MotorCommand] = field(default_factory=list)
    states: list[KernelStatus] = field(default_factory=list)
    failures: list[FailureTrigger] = field(default_factory=list)


class Plant:
    """Owns one ROS context; everything happens while `until` or `run` spins.

    Args:
        robot: False where another process is the robot: this one then only listens.
    """

    def __init__(self, robot: bool = True) -> None:
        # A robot's driver has its own processor; here it shares two with everything else.
        self._niceness = os.getpriority(os.PRIO_PROCESS, 0)
        with contextlib.suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, 0, -15)
        self.context = Context()
        rclpy.init(context=self.context)
        self.node = Node("plant", namespace="/openral", context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.log = Log()
        self.position = list(START)
        self.velocity = [0.0] * len(JOINTS)
        self._rests_at = math.inf  # monotonic [s], unless another command comes
        self.estop: bool | None = None
        self.stamp = Time()  # of the newest joint state
        self.distance: float | None = None  # [m] to the nearest person; None = no sensor
        self.distance_frozen = False  # the sensor repeats its last stamp
        self.distances_beside: list[float] = []  # [m] of further sensors, sent right behind it
        self._distance_stamp = Time()
        self._states = self.node.create_publisher(
            JointState, "joint_states", qos_profile_sensor_data
        )
        self._distances = self.node.create_publisher(Range, "separation", qos_profile_sensor_data)
        self._estops = self.node.create_publisher(EStop, "estop", QoSProfile(depth=10))
        self.node.create_subscription(
            MotorCommand, "motor_command", self._obey, QoSProfile(depth=10)
        )
        # Deep enough that a busy machine hides no state between two others.
        latched = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.node.create_subscription(KernelStatus, "kernel_status", self._note_status, latched)
        self.node.create_subscription(
            FailureTrigger, "failure/safety", self.log.failures.append, QoSProfile(depth=50)
        )
        self.robot = robot
        self.timers: list[Timer] = []  # of the test
        self._clients: dict[str, Any] = {}
        self.node.create_timer(0.01, self._publish)

    def close(self) -> None:
        """Leaves the graph, and gives the priority back."""
        with contextlib.suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, 0, self._niceness)
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)

    def until(self, condition: Callable[[], bool], within: float, what: str) -> None:
        """Spins until the condition holds; an AssertionError names what did not come in time."""
        end = time.monotonic() + within
        while not condition():
            assert time.monotonic() < end, f"not within {within} s: {what}; {self.status}"
            self.executor.spin_once(timeout_sec=0.02)

    def run(self, seconds: float) -> None:
        """Spins for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.executor.spin_once(timeout_sec=0.01)

    @property
    def status(self) -> KernelStatus | None:
        """The kernel's newest status."""
        return self.log.states[-1] if self.log.states else None

    @property
    def state(self) -> int:
        """The kernel's newest state, -1 before the first."""
        return -1 if self.status is None else int(self.status.state)

    def call(self, name: str) -> Trigger.Response:
        """Calls `kernel/arm` or `kernel/reset` and waits for the answer."""
        client = self._clients.get(name)
        if client is None:
            client = self._clients[name] = self.node.create_client(Trigger, name)
        self.until(client.service_is_ready, 20, f"service {name}")
        future = client.call_async(Trigger.Request())
        self.until(future.done, 10, f"answer of {name}")
        response = future.result()
        assert response is not None
        return response

    def arm(self) -> None:
        """Arms as an operator does: again, while the robot's state has not yet arrived."""
        self.until(lambda: self.status is not None and not self.status.unmet, 20, "nothing unmet")
        self.until(lambda: self.call("kernel/arm").success, 20, "armed")
        self.until(lambda: self.state == KernelStatus.HOLDING, 5, "HOLDING")

    def press(self) -> float:
        """Asserts the e-stop at once, not at the next heartbeat; the system time of it [s]."""
        self.estop = True
        at = time.time()
        self._estops.publish(EStop(asserted=True, source="pendant"))
        return at

    def first(self, since: float, state: int) -> float:
        """Seconds after `since` [system time] at which the kernel was first in `state`."""
        at = (stamp(status.header) for status in self.log.states if status.state == state)
        return next(time for time in at if time >= since) - since

    def _obey(self, message: MotorCommand) -> None:
        self.log.commands.append(message)
        if message.control_mode != ActionChunk.JOINT_POSITION:
            return
        self.position = list(message.values)
        self.velocity = list(message.velocities)
        lease = message.lease.sec + message.lease.nanosec * 1e-9
        self._rests_at = time.monotonic() + lease + REST_S

    def _note_status(self, message: KernelStatus) -> None:
        self.log.states.append(message)

    def _publish(self) -> None:
        now = self.node.get_clock().now().to_msg()
        if time.monotonic() > self._rests_at:
            self.velocity = [0.0] * len(JOINTS)
        if self.robot:
            message = JointState(name=JOINTS, position=self.position, velocity=self.velocity)
            message.header.stamp = self.stamp = now
            self._states.publish(message)
        if self.distance is not None:
            distance = Range(min_range=0.1, max_range=8.0, range=self.distance)
            if not self.distance_frozen:
                self._distance_stamp = now
            distance.header.stamp = self._distance_stamp
            self._distances.publish(distance)
            for beside in self.distances_beside:
                distance.range = beside
                self._distances.publish(distance)
        if self.estop is not None:
            self._estops.publish(EStop(asserted=self.estop, source="pendant"))

"""Keeps the newest joint state and kernel status, whatever the runner's executor is busy with.

Chunks rest on joint states that are younger than 100 ms. An image that is being decoded in the same
executor would make them older than that, so they arrive on a thread of their own.
"""

from __future__ import annotations

import time
from typing import Any

from openral_msgs.msg import KernelStatus
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import JointState

from openral.errors import InputError
from openral.ros import qos
from openral.ros.spinning import SpinningThread
from skill_runner_node.messages import OtherRobotError, joints_of, kernel_of
from skill_runner_node.run_settings import Joints
from skill_runner_node.watch import Kernel


class StateFeed:
    """Listens on a node and a thread of its own.

    Attributes:
        kernel: Last usable report of the kernel; None = none yet.
        joints: Last usable joint state and its stamp; None = none yet.
        refused: Messages that were not usable.
        other_robot: Why the kernel's robot is another one than the runner's; empty = it is not.
    """

    def __init__(self, parent: Node, names: tuple[str, ...]) -> None:
        self.kernel: Kernel | None = None
        self.joints: tuple[Joints, Any] | None = None
        self.refused = 0
        self.other_robot = ""
        self._names = names
        # Remapping by the command line would give both nodes the same name.
        self._node = Node(
            f"{parent.get_name()}_state",
            namespace=parent.get_namespace(),
            context=parent.context,
            use_global_arguments=False,
            enable_rosout=False,
            start_parameter_services=False,
        )
        self._node.create_subscription(
            KernelStatus, "kernel_status", self._on_kernel, qos.KERNEL_STATUS
        )
        self._node.create_subscription(JointState, "joint_states", self._on_joints, qos.SENSOR)
        self._thread = SpinningThread(
            SingleThreadedExecutor(context=parent.context), self._node, "state"
        )

    def close(self) -> None:
        """Ends the thread and the node."""
        self._thread.close(timeout_s=1.0)
        self._node.destroy_node()

    def _on_kernel(self, message: KernelStatus) -> None:
        try:
            self.kernel = kernel_of(message, len(self._names), time.monotonic())
            self.other_robot = ""
        except InputError as error:
            if isinstance(error, OtherRobotError):
                self.other_robot = str(error)
            self._refuse("kernel_status", error)

    def _on_joints(self, message: JointState) -> None:
        try:
            joints = joints_of(message, self._names, time.monotonic())
        except InputError as error:
            self._refuse("joint_states", error)
            return
        self.joints = (joints, message.header.stamp)

    def _refuse(self, topic: str, error: InputError) -> None:
        self.refused += 1
        self._node.get_logger().error(f"{topic}: {error}", throttle_duration_sec=5.0)

"""The node that images arrive on, in a ROS context of its own: they alone use shared memory.

What the runner writes goes without it (`openral.ros.transport`), and images are too large for UDP.
"""

from __future__ import annotations

from collections.abc import Mapping

import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from openral.ros.spinning import SpinningThread
from openral.ros.transport import with_environment


class ImageFeed:
    """A node for image subscriptions, and the thread that spins it; callbacks run on that thread.

    Args:
        parent: Whose name and namespace it takes.
        environ: The environment variables that its DDS transports are chosen by.

    Attributes:
        node: Subscribe with it.
    """

    def __init__(self, parent: Node, environ: Mapping[str, str]) -> None:
        self._context = Context()
        with with_environment(environ):
            rclpy.init(context=self._context, signal_handler_options=SignalHandlerOptions.NO)
            self.node = Node(
                f"{parent.get_name()}_images",
                namespace=parent.get_namespace(),
                context=self._context,
                use_global_arguments=False,
                enable_rosout=False,
                start_parameter_services=False,
            )
        self._thread = SpinningThread(
            SingleThreadedExecutor(context=self._context), self.node, "images", owner=parent
        )

    def close(self) -> None:
        """Ends the thread, the node and the context."""
        self._thread.close(timeout_s=1.0)
        self.node.destroy_node()
        rclpy.try_shutdown(context=self._context)

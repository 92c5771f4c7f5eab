"""An executor on a thread of its own, and its end."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rclpy.executors import Executor
    from rclpy.node import Node


class SpinningThread:
    """Runs a node's callbacks on a thread until it is closed or the node's context ends.

    An error in a callback ends the context, and so the process: half a node must not stay up.

    Args:
        executor: Of the node's context; nothing else may spin it.
        node: Given to the executor.
        name: The thread's.
        owner: The process's own node, where the thread's is of another context.
    """

    def __init__(
        self, executor: Executor, node: Node, name: str, *, owner: Node | None = None
    ) -> None:
        self._executor = executor
        self._node = node
        self._owner = node if owner is None else owner
        self._closing = threading.Event()
        # Work that does nothing: it brings a waiting executor back to ask whether it is closed.
        self._wake = node.create_guard_condition(lambda: None)
        executor.add_node(node)
        self._thread = threading.Thread(target=self._spin, name=name, daemon=True)
        self._thread.start()

    def close(self, timeout_s: float = 5.0) -> None:
        """Ends the thread, then the executor; the node is the caller's to destroy.

        In this order: an executor that is shut down while it waits destroys what it waits for.
        """
        self._closing.set()
        if self._node.context.ok():
            self._wake.trigger()
        self._thread.join(timeout_s)
        self._executor.shutdown(timeout_sec=timeout_s)

    def _spin(self) -> None:
        try:
            while self._node.context.ok() and not self._closing.is_set():
                self._executor.spin_once()
        except Exception as error:
            # Whatever rclpy makes or waits for raises once its context has ended.
            if not self._node.context.ok():
                return
            what = f"thread '{self._thread.name}' ends: {type(error).__name__}: {error}"
            self._owner.get_logger().fatal(what)
            for node in (self._node, self._owner):
                node.context.try_shutdown()
            raise

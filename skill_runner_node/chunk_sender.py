"""Sends the running goal's chunks on a thread, whatever the policy or the executor are busy with.

The one publisher of `candidate_action`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from openral_msgs.msg import ActionChunk
from rclpy.node import Node

from openral.ros import qos
from skill_runner_node.active_goal import ActiveGoal
from skill_runner_node.messages import chunk
from skill_runner_node.motion.limits import JointLimits
from skill_runner_node.state_feed import StateFeed


class ChunkSender:
    """A window per period while a goal runs.

    Args:
        node: Publishes.
        lock: Held while the goal's run is advanced, here or elsewhere.
        active: The running goal; None = none.
        feed: What the kernel and the joints said last.
        limits: Of the robot, for its name and its joints'.
        period_s: [s] between chunks.
        row_period_s: [s] between rows.
        sequence: Number that the first chunk's is above.
    """

    def __init__(
        self,
        node: Node,
        lock: threading.Lock,
        active: Callable[[], ActiveGoal | None],
        feed: StateFeed,
        limits: JointLimits,
        *,
        period_s: float,
        row_period_s: float,
        sequence: int,
    ) -> None:
        self._node = node
        self._lock = lock
        self._active = active
        self._feed = feed
        self._limits = limits
        self._period_s = period_s
        self._row_period_s = row_period_s
        self._sequence = sequence
        self._sent_stamp: Any = None
        self._chunks = node.create_publisher(ActionChunk, "candidate_action", qos.CHUNK)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="chunks", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def close(self) -> None:
        """Ends the thread."""
        self._closing.set()
        self._thread.join(timeout=1.0)

    def _run(self) -> None:
        try:
            self._send_windows()
        except Exception as error:
            # The process must end, to be started again: goals would be taken and nothing sent.
            if self._node.context.ok():
                text = f"chunks end: {type(error).__name__}: {error}"
                self._node.get_logger().fatal(text)
                self._node.context.try_shutdown()

    def _send_windows(self) -> None:
        due = time.monotonic()
        while not self._closing.is_set():
            due = max(due + self._period_s, time.monotonic())
            self._closing.wait(max(0.0, due - time.monotonic()))
            message = self._next()
            if message is not None:
                self._chunks.publish(message)

    def _next(self) -> ActionChunk | None:
        with self._lock:
            active, kernel, newest = self._active(), self._feed.kernel, self._feed.joints
            if active is None or kernel is None or newest is None:
                return None
            # A chunk says that its maker has seen something new; a repeated one would not.
            if newest[1] == self._sent_stamp:
                return None
            window = active.run.window(kernel)
            if window is None:
                return None
            self._sequence += 1
            active.chunks += 1
            message = chunk(
                window,
                robot=self._limits.robot,
                names=self._limits.names,
                skill_id=active.manifest.id,
                trace_id=active.trace_id,
                configuration_hash=active.run.configuration_hash,
                epoch=kernel.epoch,
                sequence=self._sequence,
                dt=self._row_period_s,
            )
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.observation_stamp = self._sent_stamp = newest[1]
        return message

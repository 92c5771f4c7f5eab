"""The operator's side of the ROS graph: hears the system, prompts it, arms it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from types import TracebackType

import rclpy
from openral_msgs.action import ExecuteRskill
from openral_msgs.msg import (
    CriticScore,
    DetectionArray,
    FailureTrigger,
    KernelStatus,
    MissionState,
    Prompt,
    SkillState,
)
from openral_msgs.srv import QueryTaskProgress
from rclpy.action import ActionClient
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import get_rmw_implementation_identifier
from sensor_msgs.msg import CompressedImage, JointState
from std_srvs.srv import Trigger

from openral.bringup import domain as domains
from openral.bringup.installed import config_file
from openral.bringup.processes import NAMESPACE
from openral.cli import messages
from openral.cli.observed import Observed
from openral.errors import ConfigError
from openral.names import FAILURE_LAYERS
from openral.ros import qos
from openral.ros.rcl_error import in_one_line
from openral.ros.stamp import seconds
from openral.ros.transport import without_shared_memory
from openral.terminal_text import printable

_DETECTIONS = "perception/catalogue/detections"

OnFrame = Callable[[str, float, bytes], None]
"""Called with camera, image stamp [s] and JPEG."""


class Operator:
    """A node that speaks as the operator; use it as a context manager.

    Args:
        on_frame: Takes annotated camera images; None does not ask for them.
        domain: ROS domain; None = the environment's.

    Raises:
        ConfigError: If ROS_DOMAIN_ID is no domain, or ROS does not start.
    """

    def __init__(self, on_frame: OnFrame | None = None, domain: int | None = None) -> None:
        number = domains.of(os.environ) if domain is None else domain
        self._context = Context()
        self.observed = Observed()
        self._on_frame = on_frame
        profile = config_file("fastdds_localhost.xml")
        try:
            with without_shared_memory(get_rmw_implementation_identifier(), profile):
                # Ctrl-C has to reach the command, which stops what it started; rclpy would take it.
                rclpy.init(
                    context=self._context,
                    domain_id=number,
                    signal_handler_options=SignalHandlerOptions.NO,
                )
                self._node = Node("operator", namespace=NAMESPACE, context=self._context)
        except RuntimeError as error:
            raise ConfigError(in_one_line(error)) from None
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._prompt = self._node.create_publisher(Prompt, "prompt", qos.PROMPT)
        self._skills = ActionClient(self._node, ExecuteRskill, "execute_rskill")
        self._progress = self._node.create_client(QueryTaskProgress, "query_task_progress")
        self._subscribe()

    def _subscribe(self) -> None:
        node, heard = self._node, self.observed

        def listen(
            kind: type,
            topic: str,
            profile: object,
            callback: Callable[..., None],
            raw: bool = False,
        ) -> None:
            node.create_subscription(kind, topic, callback, profile, raw=raw)

        def on_mission(message: MissionState) -> None:
            heard.mission = messages.mission(message, time.monotonic())

        def on_say(message: Prompt) -> None:
            heard.says.append(messages.said(message, time.monotonic()))

        def on_kernel(message: KernelStatus) -> None:
            heard.hear_kernel(messages.kernel(message), time.monotonic())

        def on_skill(message: SkillState) -> None:
            heard.hear_skill(messages.skill(message), time.monotonic())

        def on_score(message: CriticScore) -> None:
            heard.count("critic/score", time.monotonic())
            heard.scores.append(messages.score(message, time.monotonic()))

        def on_failure(layer: str) -> Callable[[FailureTrigger], None]:
            return lambda message: heard.failures.append(
                messages.failure(message, layer, time.monotonic())
            )

        def counted(topic: str) -> Callable[[bytes], None]:
            return lambda _: heard.count(topic, time.monotonic())

        listen(MissionState, "mission", qos.MISSION, on_mission)
        listen(Prompt, "say", qos.SAY, on_say)
        listen(KernelStatus, "kernel_status", qos.KERNEL_STATUS, on_kernel)
        listen(SkillState, "skill_state", qos.SKILL_STATE, on_skill)
        listen(CriticScore, "critic/score", qos.CRITIC, on_score)
        for layer in FAILURE_LAYERS:
            listen(FailureTrigger, f"failure/{layer}", qos.FAILURE, on_failure(layer))
        # Only counted: left serialised, since 100 Hz of decoding would cost the robot's cores.
        listen(DetectionArray, _DETECTIONS, qos.DETECTIONS, counted("detections"), raw=True)
        listen(JointState, "joint_states", qos.SENSOR, counted("joint_states"), raw=True)
        if self._on_frame is not None:
            annotated = "perception/catalogue/annotated"
            listen(CompressedImage, annotated, qos.ANNOTATED, self._hear_frame)

    def _hear_frame(self, message: CompressedImage) -> None:
        self.observed.count("annotated", time.monotonic())
        if self._on_frame is not None:
            camera = str(message.header.frame_id).removesuffix("_optical")
            self._on_frame(camera, seconds(message.header.stamp), bytes(message.data))

    def spin(self, duration_s: float) -> None:
        """Hears messages for `duration_s` [s]."""
        end = time.monotonic() + duration_s
        while (left := end - time.monotonic()) > 0.0:
            self._executor.spin_once(timeout_sec=left)
        self.observed.servers = {
            "execute_rskill": self._skills.server_is_ready(),
            "query_task_progress": self._progress.service_is_ready(),
        }
        # Nobody else publishes missions. One that was killed is missed once its lease in the
        # graph ends (Fast DDS: 20 s).
        self.observed.reasoner_present = self.publishers("mission") > 0
        # Without images it says nothing.
        self.observed.perception_present = self.publishers(_DETECTIONS) > 0

    def spin_until(self, condition: Callable[[], bool], timeout_s: float) -> bool:
        """Hears messages until `condition` holds; False if it does not within `timeout_s` [s]."""
        end = time.monotonic() + timeout_s
        while not condition():
            if time.monotonic() >= end:
                return False
            self.spin(0.05)
        return True

    def publishers(self, topic: str) -> int:
        """How many publishers a topic has in the whole graph."""
        return int(self._node.count_publishers(topic))

    def has_reasoner(self) -> bool:
        """True once a reasoner listens to prompts."""
        return bool(self._prompt.get_subscription_count() > 0)

    def send_prompt(self, text: str, trace_id: str = "") -> float:
        """Publishes the operator's words and their mark; returns the stamp that they carry [s]."""
        message = Prompt(text=text, source="operator", trace_id=trace_id)
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._prompt.publish(message)
        return seconds(message.header.stamp)

    def trigger(self, service: str, timeout_s: float) -> tuple[bool, str]:
        """Calls a std_srvs/Trigger service: whether it agreed, and its words."""
        client = self._node.create_client(Trigger, service)
        try:
            if not self.spin_until(client.service_is_ready, timeout_s):
                return False, f"no {NAMESPACE}/{service} within {timeout_s:.0f} s: is the node up?"
            future = client.call_async(Trigger.Request())
            if not self.spin_until(future.done, timeout_s):
                return False, f"{NAMESPACE}/{service} did not answer within {timeout_s:.0f} s"
            answer = future.result()
            return bool(answer.success), printable(answer.message)
        finally:
            self._node.destroy_client(client)

    def close(self) -> None:
        """Leaves the graph."""
        self._executor.shutdown(timeout_sec=1.0)
        self._skills.destroy()
        self._node.destroy_node()
        self._context.try_shutdown()

    def __enter__(self) -> Operator:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

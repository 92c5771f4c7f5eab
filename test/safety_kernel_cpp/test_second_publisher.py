"""How soon a second publisher on an input or the output latches the kernel.

Counted from the moment that the rival's writer exists, or sends: in ticks of 5 ms.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial

import pytest
from geometry_msgs.msg import TwistStamped
from openral_msgs.msg import ActionChunk, CollisionWorld, KernelStatus, MotorCommand
from plant import JOINTS, START, Plant, stamp
from processes import Processes, with_base
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import QoSProfile, qos_profile_sensor_data
from reactions import show, table
from sensor_msgs.msg import JointState

pytestmark = pytest.mark.timed

SAMPLES = int(os.environ.get("OPENRAL_REACTION_SAMPLES", "20"))
TICK = 0.005  # [s]
TICKS_MAX = 20


def _ticks_until_latched(plant: Plant, rival: Node, intrude: Callable[[Node], None]) -> float:
    plant.arm()
    plant.run(0.05)
    plant.log.states[:] = plant.log.states[-1:]
    at = time.time()
    intrude(rival)
    plant.until(lambda: plant.state == KernelStatus.LATCHED, 5, "LATCHED")
    assert plant.status is not None
    assert plant.status.reason == "second_publisher"
    latched = next(s for s in plant.log.states if s.state == KernelStatus.LATCHED)
    return (stamp(latched.header) - at) / TICK


def _cleared(plant: Plant) -> None:
    plant.until(
        lambda: plant.status is not None and "second_publisher" not in plant.status.unmet,
        20,
        "the rival gone",
    )
    plant.until(lambda: plant.call("kernel/reset").success, 10, "reset")
    plant.until(lambda: plant.state == KernelStatus.DISARMED, 5, "DISARMED")


@pytest.mark.parametrize(
    ("message", "topic"),
    [
        (ActionChunk, "candidate_action"),
        (MotorCommand, "motor_command"),
        (TwistStamped, "cmd_vel"),
    ],
)
def test_an_offer_latches(
    plant: Plant,
    processes: Processes,
    request: pytest.FixtureRequest,
    message: type,
    topic: str,
) -> None:
    processes.kernel(*(with_base() if topic == "cmd_vel" else ()))
    if topic != "motor_command":
        plant.node.create_publisher(message, topic, QoSProfile(depth=1))
    ticks = []
    for number in range(SAMPLES):
        rival = Node(f"rival{number}", namespace="/openral", context=plant.context)
        ticks.append(
            _ticks_until_latched(
                plant,
                rival,
                lambda node: node.create_publisher(message, topic, QoSProfile(depth=1)) and None,
            )
        )
        rival.destroy_node()
        _cleared(plant)
    # In ticks, not in milliseconds.
    show(request, table({f"messages: ticks to latch, {topic}": ticks}))
    assert max(ticks) <= TICKS_MAX


def test_a_foreign_command_latches(
    plant: Plant, processes: Processes, request: pytest.FixtureRequest
) -> None:
    processes.kernel()
    ticks = []
    # The kernel keeps a foreign command in mind for a second, so that fewer are sent.
    for number in range(max(1, SAMPLES // 4)):
        rival = Node(f"rival{number}", namespace="/openral", context=plant.context)

        def send(node: Node) -> None:
            publisher = node.create_publisher(MotorCommand, "motor_command", QoSProfile(depth=1))
            publisher.publish(MotorCommand())

        ticks.append(_ticks_until_latched(plant, rival, send))
        rival.destroy_node()
        _cleared(plant)
    show(request, table({"messages: ticks to latch, sent": ticks}))
    assert max(ticks) <= TICKS_MAX


def _whole_state() -> JointState:
    return JointState(name=JOINTS, position=START, velocity=[0.0] * len(JOINTS))


def _is_heard(publisher: Publisher) -> bool:
    return publisher.get_subscription_count() > 0


def _send_again_and_again(
    plant: Plant, publisher: Publisher, make: Callable[[], object], rival: Node
) -> None:
    # Of best effort, one alone may be lost.
    plant.timers.append(plant.node.create_timer(0.005, lambda: publisher.publish(make())))
    publisher.publish(make())


def _ticks_for_a_second_source(
    plant: Plant, topic: str, qos: QoSProfile, make: Callable[[], object]
) -> list[float]:
    ticks = []
    for number in range(SAMPLES):
        rival = Node(f"rival{number}", namespace="/openral", context=plant.context)
        publisher = rival.create_publisher(type(make()), topic, qos)
        plant.until(partial(_is_heard, publisher), 10, "a kernel that listens")
        send = partial(_send_again_and_again, plant, publisher, make)
        ticks.append(_ticks_until_latched(plant, rival, send))
        plant.timers.pop().cancel()
        rival.destroy_node()
        _cleared(plant)
    return ticks


def test_a_second_source_of_joint_states_latches(
    plant: Plant, processes: Processes, request: pytest.FixtureRequest
) -> None:
    processes.kernel()
    ticks = _ticks_for_a_second_source(plant, "joint_states", qos_profile_sensor_data, _whole_state)
    show(request, table({"messages: ticks to latch, joint_states": ticks}))
    assert max(ticks) <= TICKS_MAX


def test_a_second_source_of_the_world_latches(
    plant: Plant, processes: Processes, request: pytest.FixtureRequest
) -> None:
    processes.kernel("world.required:=true", "world.frame:=panda_link0", "world.age_max_s:=0.5")

    def world() -> CollisionWorld:
        message = CollisionWorld()
        message.header.frame_id = "panda_link0"
        message.header.stamp = plant.node.get_clock().now().to_msg()
        return message

    worlds = plant.node.create_publisher(CollisionWorld, "collision_world", QoSProfile(depth=1))
    plant.node.create_timer(0.05, lambda: worlds.publish(world()))
    ticks = _ticks_for_a_second_source(plant, "collision_world", QoSProfile(depth=1), world)
    show(request, table({"messages: ticks to latch, collision_world": ticks}))
    assert max(ticks) <= TICKS_MAX


def test_the_driver_of_another_part_is_no_second_source(plant: Plant, processes: Processes) -> None:
    processes.kernel()
    plant.arm()
    rival = Node("gripper", namespace="/openral", context=plant.context)
    publisher = rival.create_publisher(JointState, "joint_states", qos_profile_sensor_data)
    plant.until(partial(_is_heard, publisher), 10, "a kernel that listens")
    for _ in range(100):
        publisher.publish(JointState(name=JOINTS[-1:], position=[0.04], velocity=[0.0]))
        plant.run(0.005)
    rival.destroy_node()
    assert plant.state == KernelStatus.HOLDING

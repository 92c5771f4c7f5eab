"""How soon a second publisher on an input or the output latches the kernel.

Counted from the moment that the rival's writer exists, or sends: in ticks of 5 ms.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest
from openral_msgs.msg import ActionChunk, KernelStatus, MotorCommand
from plant import Plant, stamp
from processes import Processes
from rclpy.node import Node
from rclpy.qos import QoSProfile
from reactions import show, table

SAMPLES = int(os.environ.get("OPENRAL_REACTION_SAMPLES", "20"))
TICK = 0.005  # [s]
TICKS_MAX = 20
SENT_TICKS = 4  # what the test's own thread may take on a busy machine


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
    ("message", "topic"), [(ActionChunk, "candidate_action"), (MotorCommand, "motor_command")]
)
def test_an_offer_latches(
    plant: Plant,
    processes: Processes,
    request: pytest.FixtureRequest,
    message: type,
    topic: str,
) -> None:
    processes.kernel()
    plant.node.create_publisher(ActionChunk, "candidate_action", QoSProfile(depth=1))
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
    assert max(ticks) <= TICKS_MAX + SENT_TICKS


def test_a_foreign_command_latches(
    plant: Plant, processes: Processes, request: pytest.FixtureRequest
) -> None:
    processes.kernel()
    ticks = []
    for number in range(SAMPLES):
        rival = Node(f"rival{number}", namespace="/openral", context=plant.context)

        def send(node: Node) -> None:
            publisher = node.create_publisher(MotorCommand, "motor_command", QoSProfile(depth=1))
            publisher.publish(MotorCommand())

        ticks.append(_ticks_until_latched(plant, rival, send))
        rival.destroy_node()
        _cleared(plant)
    show(request, table({"messages: ticks to latch, sent": ticks}))
    assert max(ticks) <= TICKS_MAX + SENT_TICKS

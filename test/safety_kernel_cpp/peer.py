"""What else is on the topics, as a process of its own: `python peer.py states|pendant|flood`.

- `states`: a robot that follows every motor command at once and sends `joint_states` at 100 Hz; it
  stands where the further arguments say, one value a joint;
- `pendant`: an e-stop source that says "clear" at 50 Hz;
- `flood`: incomplete joint states and e-stop heartbeats, 10 kHz together; prints, once a second,
  how many were sent so far.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time

import rclpy
from openral_msgs.msg import EStop, MotorCommand
from plant import JOINTS, START
from rclpy.node import Node
from rclpy.qos import QoSProfile, qos_profile_sensor_data
from sensor_msgs.msg import JointState

LONGEST_S = 120.0
FLOOD_HZ = 10_000
BURST = 20


def states(node: Node) -> None:
    """A robot."""
    newest = [[float(value) for value in sys.argv[2:]] or list(START), [0.0] * len(JOINTS)]

    def obey(command: MotorCommand) -> None:
        newest[:] = [list(command.values), list(command.velocities)]

    publisher = node.create_publisher(JointState, "joint_states", qos_profile_sensor_data)
    node.create_subscription(MotorCommand, "motor_command", obey, QoSProfile(depth=1))

    def publish() -> None:
        message = JointState(name=JOINTS, position=newest[0], velocity=newest[1])
        message.header.stamp = node.get_clock().now().to_msg()
        publisher.publish(message)

    node.create_timer(0.01, publish)


def pendant(node: Node) -> None:
    """A hand on the button, not pressing."""
    publisher = node.create_publisher(EStop, "estop", QoSProfile(depth=10))
    node.create_timer(0.02, lambda: publisher.publish(EStop(asserted=False, source="hand")))


def flood(node: Node) -> None:
    """Ten thousand messages a second on two topics; never returns to the executor."""
    levels = node.create_publisher(EStop, "estop", QoSProfile(depth=10))
    broken = node.create_publisher(JointState, "joint_states", qos_profile_sensor_data)
    level = EStop(asserted=False, source="flood")
    state = JointState(name=JOINTS[:3], position=[0.0] * 3, velocity=[0.0] * 3)
    last = said = time.monotonic()
    sent = 0
    while True:
        now = time.monotonic()
        # Evenly: what a pause leaves behind is not made up for. More e-stop messages in a tick than
        # the kernel's queue holds count as an assertion, whatever they say.
        due = min(round((now - last) * FLOOD_HZ / 2), BURST)
        last = now
        for _ in range(due):
            levels.publish(level)
            broken.publish(state)
        sent += 2 * due
        if now - said > 1.0:
            said = now
            print(sent, flush=True)
        time.sleep(0.0005)


def main(role: str) -> None:
    """Plays a role until it is killed."""
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -15)
    rclpy.init()
    node = rclpy.create_node(role, namespace="/openral")
    {"states": states, "pendant": pendant, "flood": flood}[role](node)
    end = time.monotonic() + LONGEST_S
    while time.monotonic() < end:
        rclpy.spin_once(node, timeout_sec=0.1)


if __name__ == "__main__":
    main(sys.argv[1])

"""A runner that streams a long motion at 50 Hz until it is killed: `python runner.py [late]`.

After a stop it begins a new motion: on a busy machine a late joint state may stop the first one.
`late` sends a last chunk of the epoch that is over then, before those of the new one.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time

import rclpy
from openral_msgs.msg import ActionChunk, KernelStatus
from plant import JOINTS
from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_sensor_data
from sensor_msgs.msg import JointState

LONGEST_S = 1200.0  # it is killed before
ROWS = 400  # 8 s
DT = 0.02
TOP = 0.2  # [rad/s], of joint 1; joint 7 moves back as fast


def speeds() -> list[float]:
    """Up in steps of 0.05 rad/s a row, and down again."""
    return [min(TOP, 0.05 * (i + 1), 0.05 * (ROWS - 1 - i)) for i in range(ROWS - 1)]


def main() -> None:
    """Waits for the kernel to be armed, then streams."""
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -15)
    rclpy.init()
    node = rclpy.create_node("runner", namespace="/openral")
    newest: dict[str, object] = {}
    latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    node.create_subscription(
        KernelStatus, "kernel_status", lambda m: newest.__setitem__("status", m), latched
    )
    node.create_subscription(
        JointState,
        "joint_states",
        lambda m: newest.__setitem__("joints", m) if len(m.name) == len(JOINTS) else None,
        qos_profile_sensor_data,
    )
    publisher = node.create_publisher(ActionChunk, "candidate_action", QoSProfile(depth=1))
    rows: list[list[float]] = []
    epoch = timeline = sequence = 0
    late = sys.argv[1:] == ["late"]

    def send() -> None:
        nonlocal epoch, timeline, sequence
        status, joints = newest.get("status"), newest.get("joints")
        if not isinstance(status, KernelStatus) or not isinstance(joints, JointState):
            return
        if status.state not in (KernelStatus.HOLDING, KernelStatus.ACTIVE):
            return
        # Where joint states were missing too, the hold goes on from the measured place.
        elsewhere = status.timeline != timeline and rows and rows[0] != list(status.commanded)
        over = epoch
        if epoch != status.epoch:
            sequence = 0
        if epoch != status.epoch or elsewhere:
            rows.clear()
            epoch, timeline = status.epoch, status.timeline + 1
            position = list(status.commanded)
            # Back from where the last motion ended, so that many in turn stay inside the limits.
            way = -1.0 if position[0] > 0.0 else 1.0
            for speed in [0.0, *speeds()]:
                position[0] += way * speed * DT
                position[6] -= way * speed * DT
                rows.append(list(position))
        current = status.timeline == timeline
        first = max(0, int(status.consumed_row) - 2) if current else 0
        window = rows[first : first + 32]
        sequence += 1
        chunk = ActionChunk(
            observation_stamp=joints.header.stamp,
            skill_id="sweep",
            robot="panda",
            configuration_hash=status.configuration_hash,
            epoch=over if late and over else epoch,
            sequence=sequence,
            control_mode=ActionChunk.JOINT_POSITION,
            dt=DT,
            joint_names=list(joints.name),
            horizon=len(window),
            rows=[value for row in window for value in row],
            timeline=timeline,
            first_row=first,
            last=first + 32 >= ROWS,
            trace_id="sweep-1",
        )
        chunk.header.stamp = node.get_clock().now().to_msg()
        publisher.publish(chunk)

    node.create_timer(DT, send)
    end = time.monotonic() + LONGEST_S
    while time.monotonic() < end:
        rclpy.spin_once(node, timeout_sec=0.1)


if __name__ == "__main__":
    main()

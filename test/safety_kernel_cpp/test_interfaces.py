"""Each topic field and service of the kernel, once through real DDS."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from geometry_msgs.msg import TwistStamped
from openral_msgs.msg import ActionChunk, FailureTrigger, KernelStatus
from plant import JOINTS, START, Plant
from processes import WITH_SEPARATION, Processes, in_motion, with_base
from rclpy.qos import QoSProfile

pytestmark = pytest.mark.timed

if TYPE_CHECKING:
    from collections.abc import Sequence


class Client:
    """Sends chunks as a runner does."""

    def __init__(self, plant: Plant) -> None:
        self._plant = plant
        self._chunks = plant.node.create_publisher(
            ActionChunk, "candidate_action", QoSProfile(depth=1)
        )
        self._sequence = 0
        plant.until(lambda: self._chunks.get_subscription_count() > 0, 10, "a kernel that listens")

    def send(
        self,
        rows: Sequence[Sequence[float]],
        mode: int = ActionChunk.JOINT_POSITION,
        **fields: object,
    ) -> None:
        """A new timeline under the kernel's epoch and configuration, unless `fields` say else."""
        status = self._plant.status
        assert status is not None
        self._sequence += 1
        named = mode in (ActionChunk.JOINT_POSITION, ActionChunk.JOINT_TORQUE)
        given = {
            "observation_stamp": self._plant.stamp,
            "skill_id": "test",
            "robot": "panda",
            "configuration_hash": status.configuration_hash,
            "epoch": status.epoch,
            "sequence": self._sequence,
            "control_mode": mode,
            "dt": 0.02,
            "joint_names": JOINTS if named else [],
            "horizon": len(rows),
            "rows": [float(value) for row in rows for value in row],
            "timeline": status.timeline + 1,
            "last": True,
        }
        self._chunks.publish(ActionChunk(**(given | fields)))


def _refused(plant: Plant, reason: str) -> None:
    plant.until(
        lambda: plant.status is not None and plant.status.reason == reason, 5, f"refused: {reason}"
    )


def test_chunk_of_another_configuration_is_refused(plant: Plant, processes: Processes) -> None:
    processes.kernel()
    plant.arm()
    client = Client(plant)
    status = plant.status
    assert status is not None
    assert status.configuration_hash > 0
    rows = [list(status.commanded)] * 3
    for wrong in (status.configuration_hash ^ 1, 0):
        client.send(rows, configuration_hash=wrong)
        _refused(plant, "configuration_mismatch")
        client.send(rows, robot="other")
        _refused(plant, "robot_mismatch")
    client.send(rows)
    plant.until(
        lambda: plant.status is not None and plant.status.chunks_admitted == 1, 5, "admitted"
    )
    kinds = [failure.kind for failure in plant.log.failures]
    assert kinds.count("configuration_mismatch") == 2


def test_another_limit_is_another_configuration(plant: Plant, processes: Processes) -> None:
    hashes = set()
    for speed in (0.25, 0.24):
        plant.log.states.clear()
        kernel = processes.kernel(f"robot.arm.tool_speed_max:={speed}")
        # What the kernel before said may still be on its way.
        plant.until(
            lambda: plant.status is not None and plant.status.configuration_hash not in hashes,
            20,
            "a status of its own",
        )
        assert plant.status is not None
        hashes.add(plant.status.configuration_hash)
        kernel.terminate()
        kernel.wait(timeout=10)
    assert len(hashes) == 2


def test_recovery_goes_back_inside_and_disarms(plant: Plant, processes: Processes) -> None:
    limit = 2.8973
    plant.position = [limit + 0.03, *START[1:]]
    processes.kernel()
    plant.until(
        lambda: plant.status is not None and list(plant.status.unmet) == ["state_position_limit"],
        20,
        "held with its reason",
    )
    assert plant.call("kernel/arm").message == "state_position_limit"
    assert plant.call("kernel/arm_recovery").success
    plant.until(lambda: plant.state == KernelStatus.HOLDING, 5, "HOLDING")
    assert plant.status is not None
    assert plant.status.recovery
    client = Client(plant)
    # Outward, and too fast: 0.082 rad/s are a tenth of the joint's speed.
    start = list(plant.status.commanded)
    out = [[start[0] + 0.001 * i, *start[1:]] for i in range(5)]
    client.send(out)
    _refused(plant, "position_limit")
    client.send([[start[0] - 0.002 * i, *start[1:]] for i in range(5)])
    _refused(plant, "velocity_limit")
    for _ in range(5):  # a busy machine may stop it on the way
        if plant.state == KernelStatus.DISARMED:
            break
        start = list(plant.status.commanded)
        timeline = plant.status.timeline + 1
        rows = [[start[0] - 0.0015 * i, *start[1:]] for i in range(60)]
        for _ in range(60):
            client.send(rows, timeline=timeline)
            plant.run(0.02)
            if plant.state != KernelStatus.ACTIVE and plant.status.reason != "velocity_limit":
                break
        plant.run(0.2)
    plant.until(lambda: plant.state == KernelStatus.DISARMED, 5, "DISARMED")
    assert not plant.status.recovery
    assert plant.status.reason == "recovered"
    moved = [command.values[0] for command in plant.log.commands]
    # Held anew after a pause of the machine it is where it is measured, a step behind its command.
    behind = 0.0015
    assert all(b <= a + behind for a, b in pairwise(moved))
    assert limit - 0.003 < moved[-1] <= limit
    # A chunk that comes while it ends is refused with the same name, as WARN.
    told = [f.severity for f in plant.log.failures if f.kind == "recovered"]
    assert FailureTrigger.INFO in told
    plant.arm()


def test_recovery_is_not_armed_inside(plant: Plant, processes: Processes) -> None:
    processes.kernel()
    plant.until(lambda: plant.status is not None and not plant.status.unmet, 20, "nothing unmet")
    answer = plant.call("kernel/arm_recovery")
    assert not answer.success
    assert answer.message == "recovery_not_needed"
    assert plant.state == KernelStatus.DISARMED


def test_a_delta_is_commanded_as_a_pose(plant: Plant, processes: Processes) -> None:
    processes.kernel("robot.modes:=[joint_position, cartesian_delta]")
    plant.arm()
    Client(plant).send([[0.0] * 6] * 8, ActionChunk.CARTESIAN_DELTA)
    plant.until(
        lambda: plant.log.commands[-1].control_mode == ActionChunk.CARTESIAN_POSE, 5, "a pose"
    )
    plant.until(lambda: plant.state == KernelStatus.HOLDING, 5, "HOLDING")
    plant.run(0.1)
    command = plant.log.commands[-1]
    assert command.control_mode == ActionChunk.CARTESIAN_POSE
    assert len(command.values) == 7
    assert list(command.velocities) == [0.0] * 6
    assert not command.joint_names
    assert math.dist(command.values[3:], [0.0] * 4) == pytest.approx(1.0, abs=1e-9)
    assert command.gripper_effort_max == 70.0


def test_torques_are_commanded_and_end_in_a_hold(plant: Plant, processes: Processes) -> None:
    processes.kernel("robot.modes:=[joint_position, joint_torque]")
    plant.arm()
    Client(plant).send([[0.0] * 8] * 8, ActionChunk.JOINT_TORQUE)
    plant.until(
        lambda: plant.log.commands[-1].control_mode == ActionChunk.JOINT_TORQUE, 5, "torques"
    )
    assert list(plant.log.commands[-1].values) == [0.0] * 8
    plant.until(
        lambda: plant.log.commands[-1].control_mode == ActionChunk.JOINT_POSITION, 5, "a hold"
    )
    assert list(plant.log.commands[-1].values) == pytest.approx(START)


def test_cmd_vel_drives_a_base_and_its_silence_stops_it(plant: Plant, processes: Processes) -> None:
    processes.kernel(*with_base())
    plant.arm()
    sticks = plant.node.create_publisher(TwistStamped, "cmd_vel", QoSProfile(depth=1))
    plant.until(lambda: sticks.get_subscription_count() > 0, 10, "a kernel that listens")

    def push(forward: float, frame: str = "base_link") -> None:
        twist = TwistStamped()
        twist.header.frame_id = frame
        twist.header.stamp = plant.stamp
        twist.twist.linear.x = forward
        sticks.publish(twist)
        plant.run(0.03)

    push(0.03)  # no zero before: nothing moves
    _refused(plant, "epoch_mismatch")
    push(0.0)
    push(0.03, "map")
    _refused(plant, "base_frame")
    for _ in range(10):
        push(0.03)
    driven = [c for c in plant.log.commands if c.control_mode == ActionChunk.BODY_TWIST]
    assert driven
    assert all(len(c.values) == 3 and not c.joint_names for c in driven)
    assert 0.029 < max(c.values[0] for c in driven) <= 0.03
    plant.until(lambda: plant.state == KernelStatus.HOLDING, 5, "HOLDING")
    assert plant.status is not None
    assert plant.status.reason in ("chunk_stale", "joint_state_stale")
    driven = [c for c in plant.log.commands if c.control_mode == ActionChunk.BODY_TWIST]
    assert driven[-1].values[0] == 0.0
    assert driven[-1].braking


@pytest.mark.parametrize(
    ("distance", "frozen"),
    [(0.35, False), (None, False), (5.0, True)],
    ids=["near", "lost", "frozen"],
)
def test_a_person_who_comes_near_or_is_lost_stops_the_arm(
    plant: Plant, processes: Processes, distance: float | None, frozen: bool
) -> None:
    processes.kernel(*WITH_SEPARATION)
    plant.distance = 5.0
    in_motion(plant, processes)
    plant.distance, plant.distance_frozen = distance, frozen
    plant.until(
        lambda: "separation" in [f.kind for f in plant.log.failures], 5, "stopped for the person"
    )
    failure = next(f for f in plant.log.failures if f.kind == "separation")
    assert failure.severity == FailureTrigger.FAIL
    assert "allowed 0" in failure.message


def test_of_many_sensors_the_last_one_is_heard(plant: Plant, processes: Processes) -> None:
    """Sixteen distances leave at once; who is near is seen by the sensor behind the others."""
    processes.kernel(*WITH_SEPARATION)
    plant.distance = 5.0
    plant.distances_beside = [5.0] * 15
    in_motion(plant, processes)
    plant.distances_beside[-1] = 0.35
    plant.until(
        lambda: "separation" in [f.kind for f in plant.log.failures], 5, "stopped for the person"
    )

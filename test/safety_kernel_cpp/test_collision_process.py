"""The kernel as a process keeps the arm off the table, and holds it where no world is known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from geometry_msgs.msg import Point, Pose, Quaternion
from openral_msgs.msg import (
    ActionChunk,
    CollisionBody,
    CollisionWorld,
    FailureTrigger,
    KernelStatus,
)
from plant import JOINTS, START, Plant
from rclpy.qos import QoSProfile

pytestmark = pytest.mark.timed

if TYPE_CHECKING:
    from collections.abc import Callable

    from processes import Processes

DT = 0.02
WORLD = (
    "world.required:=true",
    "world.frame:=panda_link0",
    "world.age_max_s:=0.5",
)


def _failures(plant: Plant, kind: str, severity: int) -> list[FailureTrigger]:
    return [f for f in plant.log.failures if f.kind == kind and f.severity == severity]


def _holds(plant: Plant, reason: str) -> Callable[[], bool]:
    def holds() -> bool:
        status = plant.status
        return (
            status is not None and status.state == KernelStatus.HOLDING and status.reason == reason
        )

    return holds


def _shoulder_chunk(plant: Plant, speed: float, rows: int) -> ActionChunk:
    """The shoulder falls forward, until the hand would lie on the table and the tool above it."""
    status = plant.status
    assert status is not None
    speeds = [min(speed, 0.1 * (i + 1), 0.1 * (rows - 1 - i)) for i in range(rows - 1)]
    position = list(status.commanded)
    values = list(position)
    for step in speeds:
        position[1] += step * DT
        values += position
    now = plant.node.get_clock().now().to_msg()
    chunk = ActionChunk(
        observation_stamp=now,
        skill_id="fall",
        robot="panda",
        configuration_hash=status.configuration_hash,
        epoch=status.epoch,
        sequence=1,
        control_mode=ActionChunk.JOINT_POSITION,
        dt=DT,
        joint_names=JOINTS,
        horizon=rows,
        rows=values,
        timeline=status.timeline + 1,
        first_row=0,
        last=True,
    )
    chunk.header.stamp = now
    return chunk


def test_a_chunk_into_the_table_is_refused_with_its_reason(
    plant: Plant, processes: Processes
) -> None:
    processes.kernel()
    assert plant.position == START
    chunks = plant.node.create_publisher(ActionChunk, "candidate_action", QoSProfile(depth=1))
    plant.arm()
    plant.until(lambda: chunks.get_subscription_count() > 0, 20, "the kernel listens")
    # A joint state that is late on a busy machine refuses a chunk too: again.
    for _ in range(10):
        chunks.publish(_shoulder_chunk(plant, 0.2, 410))
        plant.run(0.2)
        if _failures(plant, "collision", FailureTrigger.WARN):
            break
    failure = _failures(plant, "collision", FailureTrigger.WARN)[0]
    evidence = json.loads(failure.evidence_json)
    assert evidence["bodies"][1] == "table"
    assert evidence["bodies"][0] in ("hand", "link7b")
    assert evidence["limit"] == 0.01
    assert evidence["value"] < 0.01
    assert evidence["row"] > 50
    assert failure.skill_id == "fall"
    plant.until(lambda: plant.status.reason == "collision", 5, "the status says why")
    status = plant.status
    assert status is not None
    assert status.state == KernelStatus.HOLDING
    assert status.row == evidence["row"]
    assert status.limit == 0.01
    assert "'table'" in status.message
    assert plant.position == START


def test_a_world_that_is_stale_or_no_number_holds(plant: Plant, processes: Processes) -> None:
    processes.kernel(*WORLD)
    worlds = plant.node.create_publisher(CollisionWorld, "collision_world", QoSProfile(depth=1))
    width, feeds = 0.2, True

    def feed() -> None:
        if not feeds:
            return
        crate = CollisionBody(name="crate", shape=CollisionBody.BOX, size=[width, 0.2, 0.2])
        crate.pose = Pose(position=Point(x=-2.0), orientation=Quaternion(w=1.0))
        world = CollisionWorld(bodies=[crate])
        world.header.frame_id = "panda_link0"
        world.header.stamp = plant.node.get_clock().now().to_msg()
        worlds.publish(world)

    plant.node.create_timer(0.02, feed)
    plant.arm()
    processes.runner()
    for reason in ("world_stale", "world_not_finite"):
        # On a busy machine something else may stop the arm first: again.
        for _ in range(5):
            feeds, width = True, 0.2
            plant.until(lambda: plant.state == KernelStatus.ACTIVE, 30, "in motion")
            feeds, width = reason != "world_stale", float("nan")
            plant.until(_holds(plant, reason), 20, reason)
            if _failures(plant, reason, FailureTrigger.FAIL):
                break
        assert _failures(plant, reason, FailureTrigger.FAIL)
        # What the runner sends now moves nothing.
        at = plant.position
        plant.run(0.5)
        assert plant.position == at
        assert reason in plant.status.unmet

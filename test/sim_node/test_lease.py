import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openral.errors import InputError
from sim_node.lease import JOINT_POSITION, Lease, MotorCommand, Refusal
from sim_node.robot import HOME, JOINTS

MAX_LEASE = 0.015
ROS = 1000.0


def command(**changes) -> MotorCommand:
    fresh = MotorCommand(
        valid_until=ROS + 0.015,
        lease=0.015,
        epoch=3,
        sequence=7,
        control_mode=JOINT_POSITION,
        joint_names=JOINTS,
        values=HOME,
        velocities=[0.1] * 8,
    )
    return dataclasses.replace(fresh, **changes)


def test_nothing_is_in_force_before_the_first_command():
    lease = Lease(MAX_LEASE)
    assert lease.current(0.0) is None
    assert lease.lapses == 0


def test_a_command_is_obeyed_until_its_lease_ends_and_not_longer():
    lease = Lease(MAX_LEASE)
    assert lease.receive(command(), ROS, 50.0) is None
    in_force = lease.current(50.0149)
    assert in_force is not None
    assert (in_force.sequence, in_force.epoch) == (7, 3)
    assert in_force.joints.position.tolist() == list(HOME)
    assert lease.current(50.0151) is None
    assert lease.lapses == 1


def test_a_lapse_is_counted_once_and_a_fresh_command_ends_it():
    lease = Lease(MAX_LEASE)
    lease.receive(command(), ROS, 50.0)
    assert [lease.current(50.1), lease.current(50.2)] == [None, None]
    lease.receive(command(sequence=8), ROS, 50.3)
    in_force = lease.current(50.31)
    assert in_force is not None
    assert in_force.sequence == 8
    assert lease.lapses == 1


def test_a_lease_longer_than_allowed_is_cut():
    lease = Lease(MAX_LEASE)
    lease.receive(command(lease=10.0), ROS, 50.0)
    assert lease.current(50.016) is None


def test_the_lease_runs_from_receipt_on_the_steady_clock():
    # The ROS clock may stand still or jump: only receipt compares with it.
    lease = Lease(MAX_LEASE)
    lease.receive(command(valid_until=ROS + 5.0), ROS, 50.0)
    assert lease.current(50.016) is None


def test_missing_velocities_stand_for_rest():
    lease = Lease(MAX_LEASE)
    lease.receive(command(velocities=[]), ROS, 0.0)
    in_force = lease.current(0.001)
    assert in_force is not None
    assert in_force.joints.velocity.tolist() == [0.0] * 8


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"valid_until": ROS - 0.001}, Refusal.EXPIRED),
        ({"valid_until": float("nan")}, Refusal.EXPIRED),
        ({"control_mode": 2}, Refusal.MODE),
        ({"control_mode": 255}, Refusal.MODE),
        ({"joint_names": JOINTS[:7]}, Refusal.JOINTS),
        ({"joint_names": JOINTS[::-1]}, Refusal.JOINTS),
        ({"joint_names": ()}, Refusal.JOINTS),
        ({"values": HOME[:7]}, Refusal.WIDTH),
        ({"velocities": [0.0] * 7}, Refusal.WIDTH),
        ({"values": (float("nan"), *HOME[1:])}, Refusal.NOT_FINITE),
        ({"velocities": [float("inf")] * 8}, Refusal.NOT_FINITE),
        ({"values": (3.0, *HOME[1:])}, Refusal.POSITION_LIMIT),
        ({"values": (*HOME[:7], 0.05)}, Refusal.POSITION_LIMIT),
        ({"lease": 0.0}, Refusal.LEASE),
        ({"lease": float("nan")}, Refusal.LEASE),
    ],
)
def test_a_wrong_command_is_counted_and_leaves_the_one_before_in_force(changes, refusal):
    lease = Lease(MAX_LEASE)
    lease.receive(command(sequence=1), ROS, 50.0)
    assert lease.receive(command(sequence=2, **changes), ROS, 50.001) is refusal
    in_force = lease.current(50.002)
    assert in_force is not None
    assert in_force.sequence == 1
    assert lease.refusals == {refusal: 1}
    # and it does not prolong the lease
    assert lease.current(50.0151) is None


@given(
    st.lists(st.tuples(st.floats(0.0, 0.05), st.booleans()), max_size=40),
    st.floats(0.0, 0.05),
)
def test_a_command_in_force_is_never_older_than_the_longest_lease(events, last):
    lease, now, received = Lease(MAX_LEASE), 0.0, None
    for gap, good in events:
        now += gap
        changes = {} if good else {"control_mode": 0}
        if lease.receive(command(**changes), ROS, now) is None:
            received = now
    now += last
    in_force = lease.current(now) is not None
    assert in_force == (received is not None and now <= received + MAX_LEASE)


@pytest.mark.parametrize("max_lease", [0.0, -1.0, float("nan"), float("inf")])
def test_a_lease_without_an_end_is_refused(max_lease):
    with pytest.raises(InputError, match="max_lease"):
        Lease(max_lease)

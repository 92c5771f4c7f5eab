import queue
import time

import numpy as np
import pytest

from sim_node.lease import JOINT_POSITION, Lease, MotorCommand, Refusal
from sim_node.physics_thread import Measurement, PhysicsThread
from sim_node.robot import HOME, JOINTS
from sim_node.world import World

PATIENCE = 20.0  # [s] for a loaded machine; a test waits on events, not on time


class Taken:
    """What the thread handed out, in order."""

    before: float  # steady clock just before the thread's start [s]

    def __init__(self, world: World, on_measurement=None) -> None:
        self.measurements: queue.Queue[Measurement] = queue.Queue()
        self.fine_steps: queue.Queue[Measurement] = queue.Queue()
        self.failures: queue.Queue[Exception] = queue.Queue()
        self.thread = PhysicsThread(
            world,
            Lease(0.1),
            catch_up=0.05,
            measurement_rate=100.0,
            on_measurement=on_measurement or self.measurements.put,
            on_fine_step=self.fine_steps.put,
            on_failure=self.failures.put,
        )

    def wait_for(self, condition) -> Measurement:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            measurement = self.measurements.get(timeout=PATIENCE)
            if condition(measurement):
                return measurement
        raise AssertionError("never measured")


@pytest.fixture
def taken(scene):
    taken = Taken(World(scene))
    taken.before = time.monotonic()
    taken.thread.start()
    yield taken
    taken.thread.stop()


def command(sequence, values=HOME) -> MotorCommand:
    return MotorCommand(1e9, 0.1, 2, sequence, JOINT_POSITION, JOINTS, values, [])


def test_it_measures_at_the_steady_clock_with_the_brakes_on(taken):
    first = taken.wait_for(lambda m: True)
    later = taken.wait_for(lambda m: True)
    assert taken.before <= first.t_mono < later.t_mono
    assert first.in_force is None
    np.testing.assert_allclose(first.joints.position, HOME, atol=1e-3)
    assert set(first.objects) == {"milk", "mustard", "soup can", "cereal"}


def test_a_command_is_in_force_and_lapses_by_itself(taken):
    taken.wait_for(lambda m: True)
    assert taken.thread.receive(command(9), 0.0) is None
    assert taken.wait_for(lambda m: m.in_force is not None).in_force.sequence == 9
    taken.wait_for(lambda m: m.in_force is None)
    health = taken.thread.health()
    assert (health.obeyed, health.lapses) == (1, 1)


def test_a_braking_arm_is_measured_at_every_step(taken):
    taken.wait_for(lambda m: True)
    # The command asks for 0.4 rad/s at once, and nobody renews it.
    moving = MotorCommand(1e9, 0.1, 2, 9, JOINT_POSITION, JOINTS, HOME, [0.4, *[0.0] * 7])
    assert taken.thread.receive(moving, 0.0) is None
    taken.wait_for(lambda m: m.in_force is not None)
    lapsed = taken.wait_for(lambda m: m.in_force is None and abs(m.joints.velocity[0]) < 0.001)
    fine = list(taken.fine_steps.queue)
    braking = [m for m in fine if m.in_force is None and m.t_mono < lapsed.t_mono]
    # At 2 ms a step, four of five steps lie between two measurements. The brakes take 5 ms to 1/e.
    assert len(braking) >= 3
    speeds = [abs(m.joints.velocity[0]) for m in braking]
    assert speeds == sorted(speeds, reverse=True)
    assert speeds[0] > 0.1


def test_a_refusal_reaches_the_sender_and_the_health(taken):
    assert taken.thread.receive(command(1, HOME[:3]), 0.0) is Refusal.WIDTH
    assert taken.thread.health().refusals == {Refusal.WIDTH: 1}


def test_health_says_how_busy_the_physics_is(taken):
    for _ in range(5):
        taken.wait_for(lambda m: True)
    health = taken.thread.health()
    assert 0.0 < health.busy < 1.0
    assert health.worst_lag >= 0.0


def test_an_error_ends_the_thread_and_is_reported(scene):
    def fail(_):
        raise RuntimeError("out of disk")

    taken = Taken(World(scene), on_measurement=fail)
    taken.thread.start()
    assert str(taken.failures.get(timeout=PATIENCE)) == "out of disk"
    taken.thread.stop()


def test_a_thread_that_never_started_can_be_stopped(scene):
    Taken(World(scene)).thread.stop()

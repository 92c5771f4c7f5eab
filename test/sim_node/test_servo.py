import math

import numpy as np
import pytest

from openral.errors import InputError
from sim_node.robot import HOME
from sim_node.servo import JointCommand
from sim_node.world import World

# Fastest that a command may ask for [rad/s], finger [m/s].
SPEED = np.array([0.82, 0.41, 0.55, 0.68, 0.82, 1.1, 1.1, 0.1])
STRETCHED = (0.0, 0.9, 0.0, -0.7, 0.0, 1.6, 0.785, 0.04)
TICK = 0.005  # [s] of the safety kernel


def run(world, duration, reference):
    """Step with a fresh command each kernel tick; the largest joint errors, shape (8,)."""
    command, sent, worst = None, -1.0, np.zeros(8)
    begin = world.time
    while world.time - begin < duration:
        t = world.time - begin
        if command is None or t - sent >= TICK - 1e-9:
            command, sent = JointCommand(*reference(t)), t
        world.step(command)
        wanted, _ = reference(world.time - begin)
        worst = np.maximum(worst, np.abs(world.state().position - wanted))
    return worst


def swing(home, amplitude, omega):
    """A sine about home: the same for every joint, at most `amplitude * omega` fast."""

    def reference(t):
        gone = amplitude * (1.0 - math.cos(omega * t)) / 2.0
        return np.array(home) + gone, amplitude * omega * math.sin(omega * t) / 2.0

    return reference


def test_the_arm_lags_less_than_ten_milliseconds_at_full_speed(scene):
    world = World(scene)
    omega = 2.0 * math.pi
    worst = run(world, 1.0, swing(HOME, np.array([*SPEED[:7], 0.0]) * 2.0 / omega, omega))
    assert (worst[:7] < 0.010 * SPEED[:7]).all()


def test_the_finger_follows_at_full_speed(scene):
    world = World(scene)

    def closing(t):
        wanted = np.array(HOME)
        wanted[7] = 0.04 - 0.1 * min(t, 0.3)
        velocity = np.zeros(8)
        velocity[7] = -0.1 if t < 0.3 else 0.0
        return wanted, velocity

    # The speed jumps at both ends: 10 ms at 0.1 m/s.
    assert run(world, 0.4, closing)[7] < 0.002
    assert world.state().position[7] == pytest.approx(0.01, abs=2e-4)


@pytest.mark.parametrize("home", [HOME, STRETCHED])
@pytest.mark.parametrize("signs", [[1] * 8, [-1] * 8, [1, -1, 1, -1, 1, -1, 1, -1]])
def test_the_brakes_bring_the_arm_to_rest_from_full_speed(scene, home, signs):
    world = World(scene, home)
    speed = SPEED * signs * [1, 1, 1, 1, 1, 1, 1, 0]

    def ramp(t):
        # half a second up to full speed
        return np.array(home) + speed * t * t, 2.0 * speed * t

    run(world, 0.5, ramp)
    assert np.abs(world.state().velocity[:7]) == pytest.approx(SPEED[:7], rel=0.05)
    start = world.time
    while world.time < start + 0.2:
        world.step(None)
        if np.abs(world.state().velocity).max() >= 0.02:
            rest = world.time
    assert rest - start <= 0.035


def test_a_braked_arm_holds_its_place(scene):
    world = World(scene, STRETCHED)
    before = world.state().position
    for _ in range(1000):
        world.step(None)
    np.testing.assert_allclose(world.state().position, before, atol=1e-4)


def test_the_hand_keeps_its_last_target_when_the_arm_brakes(scene):
    world = World(scene)
    closed = np.array([*HOME[:7], 0.01])
    world.step(JointCommand(closed, np.zeros(8)))
    for _ in range(400):
        world.step(None)
    assert world.state().position[7] == pytest.approx(0.01, abs=2e-4)


def test_a_short_lapse_leaves_no_mark_after_the_next_commands(scene):
    world = World(scene)
    omega = math.pi
    reference = swing(HOME, np.array([*SPEED[:7], 0.0]) * 2.0 / omega, omega)
    begin = world.time
    while world.time - begin < 0.6:
        t = world.time - begin
        # one command of three is missed at half a second: 10 ms without
        world.step(None if 0.5 <= t < 0.51 else JointCommand(*reference(t)))
    wanted, _ = reference(world.time - begin)
    np.testing.assert_allclose(world.state().position, wanted, atol=0.002)


def test_torques_stay_within_the_motors_limits(scene):
    world = World(scene)
    far = np.array(HOME)
    far[:7] += [1.0, 0.5, -1.0, 0.5, 1.0, 0.5, 1.0]
    world.step(JointCommand(far, np.zeros(8)))
    effort = np.abs(world.state().effort)
    assert (effort[:4] <= 87.0).all()
    assert (effort[4:7] <= 12.0).all()
    assert effort.max() == pytest.approx(87.0)


@pytest.mark.parametrize(
    "position", [np.zeros(7), np.zeros((8, 1)), np.array([0.0] * 7 + [math.nan])]
)
def test_a_command_of_the_wrong_form_is_refused(position):
    with pytest.raises(InputError, match="8 finite values of position"):
        JointCommand(position, np.zeros(8))


def test_a_command_cannot_be_changed_after_it_was_made():
    values = np.zeros(8)
    command = JointCommand(values, values)
    values[0] = 1.0
    assert command.position[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        command.position[0] = 1.0

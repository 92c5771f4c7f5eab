import pytest

from sim_node.fine_steps import REST_SPEED, FineSteps


def taken(*steps: tuple[bool, float]) -> list[bool]:
    """Which of the steps (obeyed, speed) belong in the record."""
    fine = FineSteps()
    return [fine.take(obeyed=obeyed, speed=speed) for obeyed, speed in steps]


def test_an_arm_at_rest_that_nobody_commands_needs_no_step():
    assert taken((False, 0.0), (False, 0.01), (False, 0.0)) == [False] * 3


def test_a_motion_under_command_needs_its_first_step_alone():
    assert taken((True, 0.1), (True, 0.5), (True, 0.0)) == [True, False, False]


def test_every_step_from_the_lapse_to_the_first_at_rest_is_taken():
    steps = [(True, 1.0), (True, 1.0), (False, 0.6), (False, 0.3), (False, 0.01), (False, 0.0)]
    assert taken(*steps) == [True, False, True, True, True, False]


def test_the_step_that_obeys_again_is_taken():
    assert taken((True, 1.0), (False, 0.6), (True, 0.7), (True, 0.9)) == [True, True, True, False]


def test_a_lapse_at_rest_takes_one_step():
    assert taken((True, 0.0), (False, 0.0), (False, 0.0)) == [True, True, False]


def test_an_arm_that_is_pushed_while_braked_is_followed_to_its_rest():
    steps = [(False, 0.0), (False, 0.5), (False, 0.0), (False, 0.0)]
    assert taken(*steps) == [False, True, True, False]


@pytest.mark.parametrize(("speed", "resting"), [(REST_SPEED, False), (0.0199, True)])
def test_rest_is_slower_than_the_limit(speed, resting):
    assert taken((True, 1.0), (False, speed), (False, speed))[-1] is not resting

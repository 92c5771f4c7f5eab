from types import SimpleNamespace

import pytest

from openral.cli.arm import ALREADY_ARMED, arm, arm_recovery, reset


class FakeOperator:
    """Gives the answers in turn; the kernel is in `state`."""

    def __init__(self, *answers, state="DISARMED"):
        self.answers = list(answers)
        self.asked = []
        self.observed = SimpleNamespace(kernel=SimpleNamespace(state=state))

    def trigger(self, service, timeout_s):
        self.asked.append(service)
        return self.answers.pop(0)

    def spin(self, duration_s):
        pass

    def spin_until(self, condition, timeout_s):
        self.observed.kernel.state = "HOLDING"
        return condition()


def test_arming_is_asked_for_again_until_the_preconditions_are_met():
    operator = FakeOperator((False, "joint_state_stale"), (True, "armed"))
    assert arm(operator) == (True, "armed")
    assert operator.asked == ["kernel/arm", "kernel/arm"]


def test_a_kernel_that_is_armed_already_is_armed():
    assert arm(FakeOperator((False, ALREADY_ARMED), state="HOLDING"))[0]


def test_a_latched_kernel_is_asked_once():
    operator = FakeOperator((False, "latched"), state="LATCHED")
    assert arm(operator) == (False, "latched")


def test_arming_ends_at_its_time():
    assert arm(FakeOperator((False, "joint_state_stale")), 0.0) == (False, "joint_state_stale")


@pytest.mark.parametrize("answer", [(True, "armed"), (False, "inside_limits")])
def test_recovery_is_a_service_of_its_own_and_asked_for_once(answer):
    operator = FakeOperator(answer)
    assert arm_recovery(operator) == answer
    assert operator.asked == ["kernel/arm_recovery"]


def test_reset_clears_the_latch():
    operator = FakeOperator((True, "reset"), state="LATCHED")
    assert reset(operator) == (True, "reset")
    assert operator.asked == ["kernel/reset"]

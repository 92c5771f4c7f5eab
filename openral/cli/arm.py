"""`openral arm` and `openral reset`: the operator's word to the safety kernel."""

from __future__ import annotations

import time

from openral.cli.operator import Operator

ARM_TIMEOUT_S = 15.0
"""For the kernel to appear and its preconditions to be met."""
ALREADY_ARMED = "already_armed"
"""What the kernel says where nothing is left to do."""
_ANSWER_TIMEOUT_S = 3.0
_HEARD_BY_ALL_S = 0.3


def arm(operator: Operator, timeout_s: float = ARM_TIMEOUT_S) -> tuple[bool, str]:
    """Arms the kernel; asks again while a precondition is not met yet, up to `timeout_s` [s].

    A latched kernel is not asked again: only `reset` clears a latch.
    """
    end = time.monotonic() + timeout_s
    while True:
        left = max(0.1, end - time.monotonic())
        done, words = operator.trigger("kernel/arm", left)
        done = done or words == ALREADY_ARMED
        kernel = operator.observed.kernel
        latched = kernel is not None and kernel.state == "LATCHED"
        if done:
            _let_others_hear(operator)
        if done or latched or time.monotonic() >= end:
            return done, words
        operator.spin(0.2)


def _let_others_hear(operator: Operator) -> None:
    """The answer comes before the status: who is prompted at once might still see it disarmed."""

    def is_armed() -> bool:
        kernel = operator.observed.kernel
        return kernel is not None and kernel.state != "DISARMED"

    operator.spin_until(is_armed, _ANSWER_TIMEOUT_S)
    operator.spin(_HEARD_BY_ALL_S)


def arm_recovery(operator: Operator, timeout_s: float = _ANSWER_TIMEOUT_S) -> tuple[bool, str]:
    """Arms the kernel for the way back inside its limits only. Asks once: nothing is waited for."""
    done, words = operator.trigger("kernel/arm_recovery", timeout_s)
    if done:
        _let_others_hear(operator)
    return done, words


def reset(operator: Operator, timeout_s: float = _ANSWER_TIMEOUT_S) -> tuple[bool, str]:
    """Clears the kernel's latch; it is disarmed afterwards."""
    return operator.trigger("kernel/reset", timeout_s)

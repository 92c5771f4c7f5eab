"""When a running skill has to end, whatever its policy wants: stop, silence, deadline, cancel."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from skill_runner_node.policy import Outcome


class KernelState(Enum):
    """States of the safety kernel; values are `openral.names.KernelStateName`."""

    DISARMED = "disarmed"
    HOLDING = "holding"
    ACTIVE = "active"
    BRAKING = "braking"
    LATCHED = "latched"


@dataclass(frozen=True)
class Kernel:
    """What the safety kernel reported last.

    Attributes:
        received: [s] when, on the runner's steady clock.
        state: Its state.
        epoch: Chunks of another epoch are refused.
        reason: Typed name of its last refusal or stop; empty = none.
        message: One line for a person.
        refused: Chunks that it has refused so far.
        timeline: Motion that it plays or played last.
        consumed_row: Measured position on it [rows].
        commanded: Last command per joint [rad], fingers [m].
        configuration_hash: Of the limits in force.
    """

    received: float
    state: KernelState
    epoch: int
    reason: str
    message: str
    refused: int
    timeline: int
    consumed_row: float
    commanded: tuple[float, ...]
    configuration_hash: int = 0


@dataclass(frozen=True)
class Bounds:
    """Longest silences [s].

    Attributes:
        kernel_s: Of `kernel_status`, which comes at least once a second.
        joint_state_s: Of `joint_states`.
        start_s: At the start of a goal, before either has been heard.
        progress_s: Of the kernel's row while a motion is sent.
    """

    kernel_s: float
    joint_state_s: float
    start_s: float
    progress_s: float


@dataclass(frozen=True)
class End:
    """Why the run ends."""

    outcome: Outcome
    reason: str


ARM = "the operator arms it: openral arm, or the service kernel/arm"
_NOT_ARMED = (KernelState.DISARMED, KernelState.LATCHED)
_MOVING_FREELY = (KernelState.HOLDING, KernelState.ACTIVE)


class Watch:
    """Watches one goal. All times are [s] on one steady clock.

    Args:
        started: When the goal was accepted.
        deadline_s: [s] that it may take.
        bounds: Longest silences.
    """

    def __init__(self, started: float, deadline_s: float, bounds: Bounds) -> None:
        self._started = started
        self._deadline_s = deadline_s
        self._bounds = bounds
        self._epoch: int | None = None
        self._configuration: int | None = None
        self._row = (-1, -1.0)
        self._row_since = started
        self._refused_before = 0
        self._canceled = False

    @property
    def epoch(self) -> int | None:
        """The kernel's epoch that the goal runs under; None = not known yet."""
        return self._epoch

    @property
    def configuration_hash(self) -> int | None:
        """Of the kernel's limits that the goal began under; None = not known yet."""
        return self._configuration

    @property
    def canceled(self) -> bool:
        """Whether the client has asked to stop."""
        return self._canceled

    def cancel(self) -> None:
        """The client has asked to stop."""
        self._canceled = True

    def end(
        self,
        now: float,
        kernel: Kernel | None,
        joint_state_at: float | None,
        other_robot: str = "",
    ) -> End | None:
        """Why the run ends now; None = it goes on.

        Args:
            now: Time.
            kernel: Its last report; None = none so far.
            joint_state_at: When the last joint state came; None = none so far.
            other_robot: Why the kernel moves another robot than the goal's; empty = it does not.
        """
        stop = other_robot or self._safety(now, kernel)
        if stop is not None:
            return End(Outcome.SAFETY_STOP, stop)
        if self._canceled:
            return End(Outcome.CANCELED, "canceled by its client")
        if now - self._started > self._deadline_s:
            return End(Outcome.DEADLINE, f"not done within {self._deadline_s:.0f} s")
        heard, longest = joint_state_at, self._bounds.joint_state_s
        if heard is None:
            heard, longest = self._started, self._bounds.start_s
        if now - heard > longest:
            return End(
                Outcome.OBSERVATION, f"expected joint_states every {longest:.2g} s, got none"
            )
        return None

    def moving(self, now: float, kernel: Kernel, timeline: int) -> End | None:
        """As `end`, for the time in which `timeline` is being sent: the kernel has to play it."""
        if kernel.timeline == timeline and (timeline, kernel.consumed_row) != self._row:
            self._row = (timeline, kernel.consumed_row)
            self._row_since = now
            self._refused_before = kernel.refused
        if now - self._row_since <= self._bounds.progress_s:
            return None
        text = f"the kernel does not play the motion for {self._bounds.progress_s:.2g} s"
        if kernel.refused > self._refused_before:
            text += f": it refuses chunks, {kernel.reason}: {kernel.message}"
        return End(Outcome.POLICY_ERROR, text)

    def begin_motion(self, now: float, kernel: Kernel) -> None:
        """A new motion is sent from now on."""
        self._row = (-1, -1.0)
        self._row_since = now
        self._refused_before = kernel.refused

    def _safety(self, now: float, kernel: Kernel | None) -> str | None:
        if kernel is None:
            if now - self._started > self._bounds.start_s:
                return f"no kernel_status for {self._bounds.start_s:.2g} s: is the kernel running?"
            return None
        if now - kernel.received > self._bounds.kernel_s:
            return f"no kernel_status for {self._bounds.kernel_s:.2g} s: the kernel is gone"
        why = f" ({kernel.reason}: {kernel.message})" if kernel.reason else ""
        if self._configuration is None:
            self._configuration = kernel.configuration_hash
        if kernel.configuration_hash != self._configuration:
            return (
                "the kernel's limits changed: expected configuration_hash"
                f" {self._configuration:016x} as at the goal's start, got"
                f" {kernel.configuration_hash:016x}"
            )
        if kernel.state in _NOT_ARMED:
            return f"the kernel is {kernel.state.value}{why}; {ARM}"
        if self._epoch is None:
            self._epoch = kernel.epoch
        if kernel.epoch != self._epoch:
            return f"the kernel stopped the motion{why}"
        if kernel.state not in _MOVING_FREELY:
            return f"the kernel is {kernel.state.value}{why}"
        return None

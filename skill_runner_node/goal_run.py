"""One goal from its acceptance to its end: asks the policy, looks, sends motions, watches.

The core of the skill runner. The shell hands in time and what it has heard and carries out the
effects; what takes long (the policy, a look) comes back later through `decided` and `looked`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np

from skill_runner_node.patience import Patience
from skill_runner_node.policy import (
    Blind,
    Decision,
    Done,
    Failed,
    Look,
    Move,
    Observation,
    Outcome,
    View,
)
from skill_runner_node.run_settings import Joints, RunSettings
from skill_runner_node.streaming import Progress, Stream
from skill_runner_node.timeline import Timeline, Window
from skill_runner_node.watch import End, Kernel, KernelState, Watch


@dataclass(frozen=True)
class Ask:
    """Ask the policy what to do; the answer goes to `decided`."""

    observation: Observation


@dataclass(frozen=True)
class Search:
    """Look; what comes of it goes to `looked`."""

    look: Look


@dataclass(frozen=True)
class Finish:
    """The goal is over."""

    end: End


Effect = Ask | Search | Finish


class Phase(Enum):
    """What the run waits for."""

    START = 0
    THINKING = 1
    LOOKING = 2
    MOVING = 3
    SETTLING = 4
    STOPPING = 5
    ENDED = 6


class GoalRun:
    """Runs one goal.

    Args:
        started: [s] when it was accepted.
        deadline_s: [s] that it may take.
        patience_s: [s] that it may get nowhere; see `Patience`.
        settings: How motions are sent.
        next_timeline: Gives a number that is higher than any before.

    Attributes:
        stage, progress: Of the policy's plan.
    """

    def __init__(
        self,
        started: float,
        deadline_s: float,
        patience_s: float,
        settings: RunSettings,
        next_timeline: Callable[[], int],
    ) -> None:
        self._settings = settings
        self._watch = Watch(started, deadline_s, settings.bounds)
        self._patience = Patience(started, patience_s)
        self._next_timeline = next_timeline
        self._phase = Phase.START
        self._since = started
        self._decision: Decision | None = None
        self._views: Mapping[str, View] = {}
        self._blind: Blind | None = None
        self._pending: End | None = None
        self._stream: Stream | None = None
        self._sent = False
        self.stage = "begin"
        self.progress = 0.0

    @property
    def phase(self) -> Phase:
        """What it waits for."""
        return self._phase

    @property
    def configuration_hash(self) -> int:
        """Of the limits that its chunks are made under: those at its start; 0 = not known."""
        return self._watch.configuration_hash or 0

    def cancel(self) -> None:
        """The client asks to stop; a motion comes to rest first."""
        self._watch.cancel()

    def decided(self, decision: Decision) -> None:
        """The policy's answer."""
        if self._phase is Phase.THINKING:
            self._decision = decision

    def looked(self, seen: Mapping[str, View] | Blind) -> None:
        """What was seen, or why nothing is."""
        if self._phase is not Phase.LOOKING:
            return
        if isinstance(seen, Blind):
            self._blind = seen
        else:
            self._views = seen

    def window(self, kernel: Kernel | None) -> Window | None:
        """The chunk to send now; None = nothing is to be sent."""
        # After a stop the kernel has a new epoch: what was planned before it must not be resumed.
        if self._stream is None or kernel is None or kernel.epoch != self._watch.epoch:
            return None
        if kernel.configuration_hash != self._watch.configuration_hash:
            return None
        # A motion of which nothing was sent yet must not begin after its goal was canceled.
        if self._watch.canceled and not self._sent:
            return None
        self._sent = True
        return self._stream.window(_progress(kernel))

    def tick(
        self,
        now: float,
        kernel: Kernel | None,
        joints: Joints | None,
        *,
        other_robot: str = "",
    ) -> Effect | None:
        """Advances the run; to be called every 10 ms or so. `other_robot`: see `Watch.end`."""
        if self._phase is Phase.ENDED:
            return None
        heard = None if joints is None else joints.received
        end = self._watch.end(now, kernel, heard, other_robot)
        if end is None:
            end = self._out_of_patience(now, kernel)
        if end is not None:
            return self._stop(now, end, kernel)
        if kernel is None or joints is None:
            return None
        handler = {
            Phase.START: self._start,
            Phase.THINKING: self._thinking,
            Phase.LOOKING: self._looking,
            Phase.MOVING: self._moving,
            Phase.SETTLING: self._settling,
        }[self._phase]
        return handler(now, kernel, joints)

    def _enter(self, phase: Phase, now: float) -> None:
        self._phase = phase
        self._since = now

    def _finish(self, now: float, end: End) -> Effect:
        self._stream = None
        self._enter(Phase.ENDED, now)
        return Finish(end)

    def _out_of_patience(self, now: float, kernel: Kernel | None) -> End | None:
        if self._pending is not None:
            return self._pending
        played = None
        if kernel is not None and self._stream is not None:
            timeline = self._stream.timeline.number
            played = (timeline, int(self._stream.consumed(_progress(kernel))))
        if not self._patience.over(now, self.progress, played):
            return None
        return End(
            Outcome.DEADLINE,
            f"no progress within patience_s {self._patience.patience_s:.1f} s: neither the plan"
            f" (stage '{self.stage}', {self.progress:.2f}) nor a motion got farther",
        )

    def _stop(self, now: float, end: End, kernel: Kernel | None) -> Effect | None:
        """Ends at once, or, where only the goal is over and not the motion, after a gentle stop."""
        gentle = end.outcome in (Outcome.CANCELED, Outcome.DEADLINE)
        if self._stream is None or not gentle or not self._sent:
            return self._finish(now, end)
        progress = _progress(kernel)
        if self._phase is not Phase.STOPPING:
            self._stream.stop(progress, self._settings.acceleration)
            self._pending = end
            self._enter(Phase.STOPPING, now)
        done = self._stream.done(progress)
        if done or now - self._since > self._settings.stop_s:
            return self._finish(now, self._pending or end)
        return None

    def _start(self, now: float, kernel: Kernel, joints: Joints) -> Effect | None:
        # An earlier motion may still be coming to rest.
        if kernel.state is not KernelState.HOLDING:
            if now - self._since > self._settings.bounds.start_s:
                return self._finish(now, End(Outcome.POLICY_ERROR, "the arm is still moving"))
            return None
        return self._ask(now, kernel, joints)

    def _ask(self, now: float, kernel: Kernel, joints: Joints) -> Effect:
        observation = Observation(joints.position, np.array(kernel.commanded), dict(self._views))
        self._views = {}
        self._decision = None
        self._enter(Phase.THINKING, now)
        return Ask(observation)

    def _thinking(self, now: float, kernel: Kernel, joints: Joints) -> Effect | None:
        decision = self._decision
        if decision is None:
            return None
        self._decision = None
        if isinstance(decision, Done):
            self.progress = 1.0
            return self._finish(now, End(Outcome.COMPLETED, decision.reason))
        if isinstance(decision, Failed):
            return self._finish(now, End(decision.outcome, decision.reason))
        self.stage, self.progress = decision.stage, decision.progress
        if isinstance(decision, Look):
            self._blind = None
            self._enter(Phase.LOOKING, now)
            return Search(decision)
        return self._send(now, decision, kernel)

    def _send(self, now: float, move: Move, kernel: Kernel) -> Effect | None:
        commanded = np.array(kernel.commanded)
        shaped = move.rows.shape[1:] == commanded.shape and len(move.rows) > 0
        if not shaped or not np.isfinite(move.rows).all():
            return self._finish(
                now,
                End(
                    Outcome.POLICY_ERROR,
                    f"expected finite rows of {len(commanded)} joints, got {move.rows.shape}",
                ),
            )
        jump = float(np.abs(move.rows[0] - commanded).max())
        if jump > self._settings.splice:
            return self._finish(
                now,
                End(
                    Outcome.POLICY_ERROR,
                    f"expected a motion from the command in force, within"
                    f" {self._settings.splice:g}, got a jump of {jump:.4f}",
                ),
            )
        timeline = Timeline(self._next_timeline(), move.dt, move.rows)
        settings = self._settings
        self._stream = Stream(timeline, settings.horizon, settings.context, settings.lead)
        self._sent = False
        self._watch.begin_motion(now, kernel)
        self._enter(Phase.MOVING, now)
        return None

    def _looking(self, now: float, kernel: Kernel, joints: Joints) -> Effect | None:
        blind = self._blind
        if blind is not None and blind.final:
            return self._finish(now, End(Outcome.OBSERVATION, blind.reason))
        if self._views:
            return self._ask(now, kernel, joints)
        if now - self._since > self._settings.look_s:
            text = f"expected an answer to a look within {self._settings.look_s:.1f} s, got none"
            if blind is not None:
                text += f"; {blind.reason}"
            return self._finish(now, End(Outcome.OBSERVATION, text))
        return None

    def _moving(self, now: float, kernel: Kernel, joints: Joints) -> Effect | None:
        assert self._stream is not None
        if self._stream.done(_progress(kernel)):
            self._stream = None
            self._enter(Phase.SETTLING, now)
            return None
        end = self._watch.moving(now, kernel, self._stream.timeline.number)
        return None if end is None else self._finish(now, end)

    def _settling(self, now: float, kernel: Kernel, joints: Joints) -> Effect | None:
        waited = now - self._since
        still = float(np.abs(joints.velocity).max()) < self._settings.rest_velocity
        fresh = joints.received - self._since > self._settings.settle_s
        holding = kernel.state is KernelState.HOLDING
        if holding and fresh and (still or waited > self._settings.settle_max_s):
            return self._ask(now, kernel, joints)
        if waited > self._settings.settle_max_s + self._settings.bounds.progress_s:
            return self._finish(now, End(Outcome.POLICY_ERROR, "the arm does not come to rest"))
        return None


def _progress(kernel: Kernel | None) -> Progress | None:
    return None if kernel is None else Progress(kernel.timeline, kernel.consumed_row)

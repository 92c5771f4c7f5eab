"""Contacts that are planted on a running arm, and which of them the kernel has to notice.

The kernel has no force sensing that it may rely on: it sees a contact by what it keeps the arm
from, as a distance between command and measurement (`tracking_error_max`, 0.1 rad), or as a speed
that no command asked for (`state.velocity_factor`). A contact that the servo overcomes, or that
the motion does not press against, it does not see. So detectable is, by the plan alone:

- `Locked`: a joint that stands still while the motion still has twice the tolerance to go in it;
- `Wall`: a rigid wall that the plan drives the tool 0.15 m into;
- `Push`: a force on the hand of 1.6 times the base motor's torque for half a second.
"""

from __future__ import annotations

import mujoco
import numpy as np
from closed_loop import Array, ClosedLoop

from sim_node.robot import ARM_JOINTS, TORQUE_LIMITS
from skill_runner_node.kinematics.panda import Forward

TOLERANCE = 0.1
"""[rad] of `tracking_error_max` of every arm joint."""
PLAY = 1e-4
"""[rad] that a locked joint still has."""
SOLREF = (0.004, 1.0)
"""As stiff as the physics can be at its timestep."""
WALL_AHEAD = 0.16
"""[m] from the tool to the wall: half a hand's width, and room."""
LEVEL = 0.2
"""Largest slope of the way towards a wall: above the tool is the arm."""
WALL_DEPTH = 0.15
"""[m] that the plan leads the tool into the wall."""
HAND = ("panda_hand", "panda_leftfinger", "panda_rightfinger")
PUSH_SHARE = 1.6
PUSH_S = 0.5
ROWS_SKIPPED = 5
"""At a motion's ends, where the arm has hardly begun."""


class Contact:
    """Waits for a row of a motion where it is detectable, and happens there.

    Attributes:
        reasons: The kernel's reasons that it must come to.
        began: [s] when it began; None = it did not.
        exceeded: [s] when command and measurement were first further apart than the tolerance.
    """

    reasons: tuple[str, ...] = ("tracking_error",)

    def __init__(self, random: np.random.Generator) -> None:
        self._random = random
        self._planned = 0
        self._row = np.inf
        self._after = int(random.integers(1, 3))
        self.began: float | None = None
        self.exceeded: float | None = None

    def before_step(self, loop: ClosedLoop) -> None:
        """Plans on a new motion, begins at its row, goes on once it has begun."""
        if self.began is None:
            if loop.motions > self._planned and loop.motion is not None:
                self._planned = loop.motions
                row = self.plan(loop.motion) if loop.motions >= self._after else None
                self._row = np.inf if row is None else row
            if loop.row < self._row:
                return
            self.began = loop.now
            self.begin(loop)
        self.go_on(loop)
        if self.exceeded is None and loop.decision is not None:
            error = np.abs(loop.world.state().position - loop.decision.commanded)[:7]
            if error.max() > TOLERANCE:
                self.exceeded = loop.now

    def plan(self, rows: Array) -> float | None:
        """A row at which it would be detectable; None = nowhere in this motion."""
        raise NotImplementedError

    def begin(self, loop: ClosedLoop) -> None:
        """Happens."""

    def go_on(self, loop: ClosedLoop) -> None:
        """Before every later step."""

    def end(self, loop: ClosedLoop) -> None:
        """Takes it away."""

    def _choose(self, rows: Array, where: Array) -> int | None:
        """One of the rows where a condition holds, not too near to the motion's ends."""
        candidates = np.flatnonzero(where)
        candidates = candidates[
            (candidates >= ROWS_SKIPPED) & (candidates < len(rows) - ROWS_SKIPPED)
        ]
        return int(self._random.choice(candidates)) if len(candidates) else None


class Locked(Contact):
    """A joint whose brake has shut, or that is caught: it does not move any more."""

    def plan(self, rows: Array) -> float | None:
        arm = rows[:, :7]
        ahead = np.array([np.abs(arm[r:] - arm[r]).max(axis=0) for r in range(len(arm))])
        for joint in self._random.permutation(7):
            row = self._choose(rows, ahead[:, joint] > 2 * TOLERANCE)
            if row is not None:
                self._joint = ARM_JOINTS[joint]
                return row
        return None

    def begin(self, loop: ClosedLoop) -> None:
        model = loop.scene.model
        joint = model.joint(self._joint).id
        self._before = (model.jnt_range[joint].copy(), model.jnt_solref[joint].copy())
        place = float(loop.world.state().position[ARM_JOINTS.index(self._joint)])
        model.jnt_range[joint] = place - PLAY, place + PLAY
        model.jnt_solref[joint] = SOLREF

    def end(self, loop: ClosedLoop) -> None:
        model = loop.scene.model
        joint = model.joint(self._joint).id
        model.jnt_range[joint], model.jnt_solref[joint] = self._before


class Wall(Contact):
    """A rigid wall across the way of the hand; the floor, which nothing else touches, is set up.

    Where it lies aslant the arm slides along it, faster than any command: that is noticed first.
    """

    reasons = ("tracking_error", "state_velocity_limit")

    def plan(self, rows: Array) -> float | None:
        tool = Forward().positions(rows)
        steps = np.diff(tool, axis=0, append=tool[-1:])
        length = np.linalg.norm(steps, axis=1, keepdims=True)
        ways = steps / np.maximum(length, 1e-9)
        # Where the plan would have the tool, at most, beyond its place at each row.
        ahead = np.array([((tool[r:] - tool[r]) @ ways[r]).max() for r in range(len(rows))])
        moving = (length[:, 0] > 1e-3) & (np.abs(ways[:, 2]) < LEVEL)
        row = self._choose(rows, moving & (ahead > WALL_AHEAD + WALL_DEPTH))
        if row is None:
            return None
        self._way, self._place = ways[row], tool[row] + WALL_AHEAD * ways[row]
        return row

    def begin(self, loop: ClosedLoop) -> None:
        model = loop.scene.model
        floor = model.geom("floor").id
        self._before = {
            name: np.copy(getattr(model, name)[floor])
            for name in (
                *("geom_pos", "geom_quat", "geom_sameframe"),
                *("geom_contype", "geom_conaffinity", "geom_solref"),
            )
        }
        model.geom_pos[floor] = self._place
        # A plane's normal is its z.
        normal = np.zeros(4)
        mujoco.mju_quatZ2Vec(normal, -self._way)
        model.geom_quat[floor] = normal
        # The compiler saw that the floor lies as the world does, and would leave its turn out.
        model.geom_sameframe[floor] = mujoco.mjtSameFrame.mjSAMEFRAME_NONE
        model.geom_contype[floor], model.geom_conaffinity[floor] = 2, 0
        model.geom_solref[floor] = SOLREF
        model.geom_priority[floor] = 2
        hand = [model.body(name).id for name in HAND]
        for geom in range(model.ngeom):
            if model.geom_bodyid[geom] in hand and model.geom_contype[geom] != 0:
                model.geom_conaffinity[geom] |= 2
        # What the compiler worked out for its search of near bodies knows the floor as it lay.
        model.body_contype[0] |= 2
        model.body_conaffinity[hand] |= 2
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_MIDPHASE

    def end(self, loop: ClosedLoop) -> None:
        model = loop.scene.model
        floor = model.geom("floor").id
        for name, value in self._before.items():
            getattr(model, name)[floor] = value


class Push(Contact):
    """Somebody pushes the hand around the base, harder than its motor can hold."""

    reasons = ("tracking_error", "state_velocity_limit")

    def plan(self, rows: Array) -> float | None:
        return self._choose(rows, np.ones(len(rows), bool))

    def go_on(self, loop: ClosedLoop) -> None:
        assert self.began is not None
        data = loop.world._data
        hand = loop.scene.model.body("panda_hand").id
        x, y = loop.world.frame("panda_hand")[:2, 3]
        force = PUSH_SHARE * TORQUE_LIMITS[0] / np.hypot(x, y) ** 2 * np.array([-y, x, 0.0])
        pushes = loop.now - self.began < PUSH_S
        data.xfrc_applied[hand, :3] = force if pushes else 0.0

    def end(self, loop: ClosedLoop) -> None:
        loop.world._data.xfrc_applied[:] = 0.0


KINDS: dict[str, type[Contact]] = {"locked": Locked, "wall": Wall, "push": Push}

"""What the fingers tell: whether something is between them, and when it came and went."""

from __future__ import annotations

from dataclasses import dataclass

EMPTY = 0.004
"""[m] opening of one finger below which nothing is between them."""
WIDE = 0.0375
"""[m] opening of one finger above which it is open."""
STILL = 0.004
"""[m/s] of a finger that has met something."""
OPENED = 0.006
"""[m] that a finger opens beyond its grip when it lets go."""


@dataclass(frozen=True)
class Grip:
    """State of the gripper over time.

    Attributes:
        holding: Whether something is between the fingers.
        opening: [m] of one finger when it took hold.
        taken_z: [m] height of the tool then.
        lost_at: [s] when it was let go or lost; None = never.
        lost_xy: [m] where.
    """

    holding: bool = False
    opening: float = 0.0
    taken_z: float = 0.0
    lost_at: float | None = None
    lost_xy: tuple[float, float] = (0.0, 0.0)
    _was_open: bool = False

    def update(
        self, now: float, finger: float, speed: float, tool: tuple[float, float, float]
    ) -> Grip:
        """The state after one joint state.

        Args:
            now: [s] of the joint state.
            finger: [m] opening of one finger.
            speed: [m/s] of it.
            tool: [m] position of the tool.
        """
        if self.holding:
            if finger > self.opening + OPENED or finger < EMPTY:
                return Grip(False, 0.0, 0.0, now, (tool[0], tool[1]))
            return self
        met = EMPTY < finger < WIDE and abs(speed) < STILL
        # Fingers that stand ajar after letting go hold nothing: they have to close first.
        closing = self._was_open or self.lost_at is None
        if met and closing:
            return Grip(True, finger, tool[2], self.lost_at, self.lost_xy)
        return Grip(False, 0.0, 0.0, self.lost_at, self.lost_xy, self._was_open or finger >= WIDE)

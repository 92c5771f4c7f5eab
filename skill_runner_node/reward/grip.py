"""What the fingers tell: whether something is between them, and when it came and went."""

from __future__ import annotations

from dataclasses import dataclass, replace

EMPTY = 0.004
"""[m] opening of one finger below which nothing is between them."""
WIDE = 0.0375
"""[m] opening of one finger above which it is open."""
STILL = 0.004
"""[m/s] of a finger that has met something."""
STILL_S = 0.1
"""[s] that it must have been still: at the start of every motion a finger is slow, too."""
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
    _still_since: float | None = None

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
                return Grip(lost_at=now, lost_xy=(tool[0], tool[1]))
            return replace(self, opening=min(self.opening, finger))
        # Fingers that stand ajar hold nothing for sure: they have to be seen to close.
        met = self._was_open and EMPTY < finger < WIDE and abs(speed) < STILL
        since = (now if self._still_since is None else self._still_since) if met else None
        if since is not None and now - since >= STILL_S:
            return Grip(True, finger, tool[2], self.lost_at, self.lost_xy)
        was_open = self._was_open or finger >= WIDE
        return replace(self, _was_open=was_open, _still_since=since)

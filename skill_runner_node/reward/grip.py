"""What the fingers tell: whether something is between them, and when it came and went."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from skill_runner_node.reward.settings import RewardSettings


@dataclass(frozen=True)
class Grip:
    """State of the gripper over time.

    Attributes:
        settings: Openings and times.
        holding: Whether something is between the fingers.
        opening: [m] of one finger when it took hold.
        taken_z: [m] height of the tool then.
        lost_at: [s] when it was let go or lost; None = never.
        lost_xy: [m] where.
    """

    settings: RewardSettings = field(default_factory=RewardSettings)
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
        s = self.settings
        if self.holding:
            if finger > self.opening + s.grip_released or finger < s.grip_empty:
                return Grip(s, lost_at=now, lost_xy=(tool[0], tool[1]))
            return replace(self, opening=min(self.opening, finger))
        # Fingers that stand ajar hold nothing for sure: they have to be seen to close.
        between = s.grip_empty < finger < s.grip_wide
        met = self._was_open and between and abs(speed) < s.grip_still_speed
        since = (now if self._still_since is None else self._still_since) if met else None
        if since is not None and now - since >= s.grip_still_s:
            return Grip(s, True, finger, tool[2], self.lost_at, self.lost_xy)
        was_open = self._was_open or finger >= s.grip_wide
        return replace(self, _was_open=was_open, _still_since=since)

"""Gives up on a run that gets nowhere: no farther in its plan, and no row played."""

from __future__ import annotations

Played = tuple[int, int]
"""A timeline's number and the whole row on it that the kernel has reached; both only rise."""


class Patience:
    """Watches one goal; time is [s] on one steady clock.

    It knows the runner's own progress only. Whether the task gets anywhere is for the reward to
    say, and for the reasoner to act on.

    Args:
        started: When the goal was accepted.
        patience_s: [s] without progress after which it is over.
    """

    def __init__(self, started: float, patience_s: float) -> None:
        self.patience_s = patience_s
        self._since = started
        self._plan = 0.0
        self._played: Played = (-1, -1)

    def over(self, now: float, plan: float, played: Played | None) -> bool:
        """Whether it has run out.

        Args:
            now: Time.
            plan: [0, 1] of the policy's plan; a plan that begins again gets no farther.
            played: Of the motion that is being sent; None = no motion is.
        """
        if plan > self._plan:
            self._plan, self._since = plan, now
        if played is not None and played > self._played:
            self._played, self._since = played, now
        return now - self._since > self.patience_s

"""At which steps the record is finer than its rate: those that say when the arm came to rest."""

from __future__ import annotations

REST_SPEED = 0.02
"""[rad/s, m/s] below which a joint counts as at rest."""


class FineSteps:
    """Steps from a lapse of the lease until the arm rests, and the one that obeys again.

    An arm that starts is at rest under no command.
    """

    def __init__(self) -> None:
        self._obeyed = False
        self._at_rest = True

    def take(self, *, obeyed: bool, speed: float) -> bool:
        """Whether this step belongs in the record; call it once a step.

        Args:
            obeyed: whether a command was in force in the step.
            speed: of the fastest joint after it [rad/s, m/s].
        """
        at_rest = speed < REST_SPEED
        changed = obeyed != self._obeyed
        braking = not obeyed and not (at_rest and self._at_rest)
        self._obeyed, self._at_rest = obeyed, at_rest
        return changed or braking

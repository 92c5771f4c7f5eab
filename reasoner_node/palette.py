"""The skills that may be chosen: from the manifests, without those that proved broken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from openral.names import OutcomeName
from openral.rskill import (
    RewardContract,
    RewardManifest,
    RosActionManifest,
    RosServiceManifest,
    RskillManifest,
    RunnableManifest,
    ScriptedManifest,
    VlaManifest,
)

BROKEN: frozenset[OutcomeName] = frozenset({"refused", "policy_error", "observation"})
"""Outcomes that say that the skill cannot work at all now, whatever the task."""


class Palette:
    """Skills by id for one robot, with a count of runs that failed for the skill's own reason."""

    def __init__(
        self, manifests: Mapping[str, RskillManifest], robot: str, failure_cap: int
    ) -> None:
        self._skills: dict[str, RunnableManifest] = {
            name: manifest
            for name, manifest in manifests.items()
            if isinstance(
                manifest, (ScriptedManifest, VlaManifest, RosActionManifest, RosServiceManifest)
            )
            and manifest.suits(robot)
        }
        self._rewards = {
            name: manifest
            for name, manifest in manifests.items()
            if isinstance(manifest, RewardManifest)
        }
        self._failure_cap = failure_cap
        self._failures: dict[str, int] = {}

    @property
    def skills(self) -> dict[str, RunnableManifest]:
        """What may be chosen now."""
        return {n: m for n, m in self._skills.items() if not self.is_broken(n)}

    @property
    def broken(self) -> tuple[str, ...]:
        """What left the palette."""
        return tuple(name for name in self._skills if self.is_broken(name))

    def is_broken(self, name: str) -> bool:
        """Whether a skill failed for its own reason as often in a row as the cap allows."""
        return self._failures.get(name, 0) >= self._failure_cap

    def note_outcome(self, name: str, outcome: OutcomeName) -> None:
        """Counts a failure of the skill itself; any other end clears the count."""
        self._failures[name] = self._failures.get(name, 0) + 1 if outcome in BROKEN else 0

    def restore(self) -> None:
        """Gives every skill another chance: the operator asked for something new."""
        self._failures.clear()

    def reward_contract(self, name: str) -> RewardContract | None:
        """Contract of the reward model that scores a skill; None = there is none.

        The manifest's own pairing first; else the only reward model of the deployment.
        """
        manifest = self._skills.get(name)
        paired = getattr(manifest, "reward_rskill_name", None)
        if paired is not None:
            reward = self._rewards.get(paired)
            return reward.contract if reward else None
        return _only(self._rewards.values())


def _only(rewards: Iterable[RewardManifest]) -> RewardContract | None:
    found = [reward.contract for reward in rewards]
    return found[0] if len(found) == 1 else None

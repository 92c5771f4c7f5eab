"""Makes the policy that a manifest names."""

from __future__ import annotations

from collections.abc import Mapping

from openral.errors import ConfigError
from skill_runner_node.catalogue_sizes import Size
from skill_runner_node.motion.limits import JointLimits
from skill_runner_node.motion.retime import Pace
from skill_runner_node.policies.scripted_pick_place.motions import Motions, Timing
from skill_runner_node.policies.scripted_pick_place.pick_place import PickPlace
from skill_runner_node.policy import Policy

POLICIES = ("scripted_pick_place",)
"""Names that a manifest's `policy` may have."""
LIMIT_SHARE = 0.9
"""Share of the kernel's joint limits that motions are planned with."""


def make_policy(
    name: str,
    limits: JointLimits,
    cameras: tuple[str, ...],
    *,
    dt: float,
    tool_speed: float,
    timing: Timing | None = None,
    sizes: Mapping[str, Size] | None = None,
) -> Policy:
    """The policy `name`.

    Args:
        name: One of `POLICIES`.
        limits: The robot's limits; motions use `LIMIT_SHARE` of them.
        cameras: Cameras that the policy looks through.
        dt: [s] between rows.
        tool_speed: [m/s] that the tool may move at.
        timing: Waits of the gripper; None = the defaults.
        sizes: Of known things by label, for where no camera measures depth.

    Raises:
        ConfigError: If there is no such policy; lists the valid names.
    """
    if name != "scripted_pick_place":
        raise ConfigError(f"policy {name!r}: valid is one of {', '.join(POLICIES)}")
    pace = Pace(
        velocity=limits.velocity * LIMIT_SHARE,
        acceleration=limits.acceleration * LIMIT_SHARE,
        tool_speed=tool_speed,
        dt=dt,
    )
    return PickPlace(Motions(limits, pace, timing or Timing()), limits, cameras, dt, sizes)

"""Makes the policy that a manifest names."""

from __future__ import annotations

from collections.abc import Mapping

from openral.errors import ConfigError
from openral.ros.parameters import ParameterError, validate
from skill_runner_node.catalogue_sizes import Size
from skill_runner_node.motion.limits import JointLimits
from skill_runner_node.motion.retime import Pace
from skill_runner_node.policies.scripted_pick_place.motions import Motions, Timing
from skill_runner_node.policies.scripted_pick_place.pick_place import PickPlace
from skill_runner_node.policies.scripted_pick_place.settings import PickPlaceSettings
from skill_runner_node.policy import Policy

POLICIES = ("scripted_pick_place",)
"""Names that a manifest's `policy` may have."""


def make_policy(
    name: str,
    limits: JointLimits,
    cameras: tuple[str, ...],
    *,
    dt: float,
    tool_speed: float,
    limit_share: float = 0.9,
    smoothing_s: float = 0.16,
    timing: Timing | None = None,
    sizes: Mapping[str, Size] | None = None,
    settings: Mapping[str, float] | None = None,
) -> Policy:
    """The policy `name`.

    Args:
        name: One of `POLICIES`.
        limits: The robot's limits.
        cameras: Cameras that the policy looks through.
        dt: [s] between rows.
        tool_speed: [m/s] that the tool may move at.
        limit_share: Share of the joint limits that motions are planned with.
        smoothing_s: [s] See `Pace`.
        timing: Waits of the gripper; None = the defaults.
        sizes: Of known things by label, for where no camera measures depth.
        settings: Of the manifest; see `PickPlaceSettings`.

    Raises:
        ConfigError: If there is no such policy, or it has no such setting; lists what is valid.
    """
    if name != "scripted_pick_place":
        raise ConfigError(f"policy {name!r}: valid is one of {', '.join(POLICIES)}")
    pace = Pace(
        velocity=limits.velocity * limit_share,
        acceleration=limits.acceleration * limit_share,
        tool_speed=tool_speed,
        dt=dt,
        smoothing_s=smoothing_s,
    )
    try:
        chosen = validate(PickPlaceSettings, settings or {})
    except ParameterError as error:
        raise ConfigError(f"settings of policy '{name}': {error}") from None
    motions = Motions(limits, pace, timing or Timing())
    return PickPlace(motions, limits, cameras, dt, sizes, chosen)

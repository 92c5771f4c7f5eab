"""Makes the policy that a manifest names."""

from __future__ import annotations

from collections.abc import Mapping

from openral.errors import ConfigError
from openral.ros.parameters import ParameterError, validate
from skill_runner_node.catalogue_sizes import Size
from skill_runner_node.motion.limits import JointLimits
from skill_runner_node.motion.retime import Pace
from skill_runner_node.parameters import RunnerParameters
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
    p: RunnerParameters,
    *,
    sizes: Mapping[str, Size] | None = None,
    settings: Mapping[str, float] | None = None,
) -> Policy:
    """The policy `name`.

    Args:
        name: One of `POLICIES`.
        limits: The robot's limits.
        cameras: Cameras that the policy looks through.
        p: How fast and how smooth motions are, and how long the gripper takes.
        sizes: Of known things by label, for where no camera measures depth.
        settings: Of the manifest; see `PickPlaceSettings`.

    Raises:
        ConfigError: If there is no such policy, or it has no such setting; lists what is valid.
    """
    if name != "scripted_pick_place":
        raise ConfigError(f"policy {name!r}: valid is one of {', '.join(POLICIES)}")
    try:
        chosen = validate(PickPlaceSettings, settings or {})
    except ParameterError as error:
        raise ConfigError(f"settings of policy '{name}': {error}") from None
    pace = Pace(
        velocity=limits.velocity * p.limit_share,
        acceleration=limits.acceleration * p.limit_share,
        tool_speed=p.tool_speed,
        dt=p.row_period_s,
        smoothing_s=p.smoothing_s,
    )
    timing = Timing(p.grip_s, p.release_s)
    motions = Motions(limits, pace, timing, chosen.clearance, chosen.highest)
    return PickPlace(motions, limits, cameras, pace.dt, sizes, chosen)

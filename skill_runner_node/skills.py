"""The rSkills of a folder: those that this runner runs, with their policies, and why not others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from openral.camera_model import CameraConfig
from openral.errors import ConfigError
from openral.rskill import (
    RewardManifest,
    ROSConfigError,
    ROSGPUMemoryError,
    RskillManifest,
    ScriptedManifest,
    VlaManifest,
    assert_vla_reward_fits,
    load_rskills,
)
from skill_runner_node.catalogue_sizes import load_sizes
from skill_runner_node.motion.limits import JointLimits
from skill_runner_node.parameters import RunnerParameters
from skill_runner_node.policies.factory import make_policy
from skill_runner_node.policy import Policy


@dataclass(frozen=True)
class Skills:
    """What runs here.

    Attributes:
        manifests, policies: By id.
        unfit: By id of the others, why they do not run: a clause that follows "which".
    """

    manifests: Mapping[str, ScriptedManifest]
    policies: Mapping[str, Policy]
    unfit: Mapping[str, str]


def load_skills(
    folder: Path,
    p: RunnerParameters,
    limits: JointLimits,
    cameras: Mapping[str, CameraConfig],
) -> Skills:
    """Loads every manifest of the configuration folder and makes the policies of those that fit.

    Raises:
        ConfigError: A manifest is bad, or names a camera or a policy that does not exist.
    """
    found = load_rskills(folder / p.rskills_folder)
    unfit = {}
    manifests = {}
    for name, manifest in found.items():
        why = why_unfit(manifest, found, limits.robot, p)
        if why is None and isinstance(manifest, ScriptedManifest):
            manifests[name] = manifest
        else:
            unfit[name] = why or f"is of kind '{manifest.kind}'"
    sizes = load_sizes(folder / p.catalogue_folder)
    policies = {}
    for name, manifest in manifests.items():
        for camera in manifest.cameras:
            if camera not in cameras:
                raise ConfigError(
                    f"rSkill '{name}': camera '{camera}' is unknown;"
                    f" {p.cameras_file} has {', '.join(cameras)}"
                )
        policies[name] = make_policy(
            manifest.policy,
            limits,
            manifest.cameras,
            p,
            sizes=sizes,
            settings=manifest.settings,
        )
    return Skills(manifests, policies, unfit)


def why_unfit(
    manifest: RskillManifest,
    found: Mapping[str, RskillManifest],
    robot: str,
    p: RunnerParameters,
) -> str | None:
    """Why a manifest is not run on `robot`; None = it may be."""
    if not manifest.suits(robot):
        return f"is for {', '.join(manifest.robots)}; this robot is '{robot}'"
    if isinstance(manifest, VlaManifest):
        return _why_vla_unfit(manifest, found, p)
    if not isinstance(manifest, ScriptedManifest):
        return f"is of kind '{manifest.kind}'; this runner runs kind 'scripted'"
    return None


def _why_vla_unfit(
    manifest: VlaManifest, found: Mapping[str, RskillManifest], p: RunnerParameters
) -> str:
    name = manifest.reward_rskill_name or p.reward_rskill
    reward = found.get(name)
    if not isinstance(reward, RewardManifest):
        rewards = ", ".join(key for key, one in found.items() if isinstance(one, RewardManifest))
        return f"needs the reward model '{name}'; there are {rewards or 'none'}"
    try:
        assert_vla_reward_fits(manifest, reward, p.gpu_memory_gb, p.gpu_margin_gb)
    except (ROSConfigError, ROSGPUMemoryError) as error:
        return f"does not fit this machine: {error}"
    return f"needs the runtime '{manifest.runtime}', which this runner has not"

"""The rSkills of a folder: those that this runner runs, with their policies, and why not others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from openral.camera_model import CameraConfig
from openral.errors import ConfigError
from openral.rskill import (
    RskillManifest,
    ScriptedManifest,
    VlaManifest,
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
        why = why_unfit(manifest, limits.robot)
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


def why_unfit(manifest: RskillManifest, robot: str) -> str | None:
    """Why a manifest is not run on `robot`; None = it may be."""
    if not manifest.suits(robot):
        return f"is for {', '.join(manifest.robots)}; this robot is '{robot}'"
    if isinstance(manifest, VlaManifest):
        return f"needs the runtime '{manifest.runtime}', which this runner has not"
    if not isinstance(manifest, ScriptedManifest):
        return f"is of kind '{manifest.kind}'; this runner runs kind 'scripted'"
    return None

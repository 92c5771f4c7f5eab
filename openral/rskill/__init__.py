"""rSkills: their manifests, the parameters they take, the contracts of reward models."""

from openral.rskill.errors import ManifestError, ParamsError, ROSConfigError, ROSGPUMemoryError
from openral.rskill.gpu_fit import assert_vla_reward_fits
from openral.rskill.loader import load_rskill, load_rskills, parse_manifest
from openral.rskill.manifest import (
    DetectorManifest,
    PlaybookManifest,
    RewardManifest,
    RosActionManifest,
    RosServiceManifest,
    RskillManifest,
    RunnableManifest,
    ScriptedManifest,
    VlaManifest,
    VlmManifest,
)
from openral.rskill.params import ParamSpec, ParamsSchema
from openral.rskill.reward_contract import RewardContract

__all__ = [
    "DetectorManifest",
    "ManifestError",
    "ParamSpec",
    "ParamsError",
    "ParamsSchema",
    "PlaybookManifest",
    "ROSConfigError",
    "ROSGPUMemoryError",
    "RewardContract",
    "RewardManifest",
    "RosActionManifest",
    "RosServiceManifest",
    "RskillManifest",
    "RunnableManifest",
    "ScriptedManifest",
    "VlaManifest",
    "VlmManifest",
    "assert_vla_reward_fits",
    "load_rskill",
    "load_rskills",
    "parse_manifest",
]

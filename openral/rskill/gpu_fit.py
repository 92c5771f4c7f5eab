"""Whether a vision-language-action model and its reward model fit into the GPU together."""

from __future__ import annotations

import math

from openral.rskill.errors import ROSConfigError, ROSGPUMemoryError
from openral.rskill.manifest import RewardManifest, VlaManifest


def assert_vla_reward_fits(
    vla: VlaManifest, reward: RewardManifest, gpu_total_gb: float, margin_gb: float = 0.5
) -> None:
    """Refuses a pair that would run out of GPU memory, before either is loaded.

    Args:
        vla: The policy.
        reward: The reward model that runs beside it.
        gpu_total_gb: [GB] memory of the GPU.
        margin_gb: [GB] that must stay free for everything else.

    Raises:
        ROSConfigError: If a manifest declares no memory for its number format, or the figures are
            no finite numbers of at least 0.
        ROSGPUMemoryError: If both do not fit.
    """
    for name, value in (("gpu_total_gb", gpu_total_gb), ("margin_gb", margin_gb)):
        if not math.isfinite(value) or value < 0.0:
            raise ROSConfigError(f"{name} = {value}: valid is a finite number of at least 0 GB")
    needs = []
    for manifest in (vla, reward):
        need = manifest.active_min_vram_gb()
        if need is None:
            declared = ", ".join(sorted(manifest.min_vram_gb)) or "none"
            raise ROSConfigError(
                f"rSkill '{manifest.id}': min_vram_gb has no entry for dtype {manifest.dtype}"
                f" (declared: {declared}); add it to its manifest"
            )
        needs.append(need)
    total = sum(needs) + margin_gb
    if total > gpu_total_gb:
        raise ROSGPUMemoryError(
            f"'{vla.id}' ({needs[0]:.1f} GB) + '{reward.id}' ({needs[1]:.1f} GB)"
            f" + margin {margin_gb:.1f} GB = {total:.1f} GB, the GPU has {gpu_total_gb:.1f} GB;"
            " take a smaller dtype or reward model"
        )

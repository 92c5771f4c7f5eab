"""A policy and its reward model are refused before loading where they do not fit the GPU."""

from __future__ import annotations

import math

import pytest

from openral.rskill import (
    RewardManifest,
    ROSConfigError,
    ROSGPUMemoryError,
    VlaManifest,
    assert_vla_reward_fits,
)

CONTRACT = {
    "success_threshold": 0.9,
    "check_floor": 0.5,
    "patience_s": 30.0,
    "stall_window_s": 10.0,
    "stall_epsilon": 0.02,
}


def vla(vram: dict[str, float], dtype: str = "bfloat16") -> VlaManifest:
    return VlaManifest.model_validate(
        {
            "kind": "vla", "id": "pi", "description": "x", "runtime": "lerobot",
            "checkpoint": "pi", "dtype": dtype, "min_vram_gb": vram, "cameras": ("front",),
            "horizon": 50, "dt": 0.02, "deadline_s": 60.0,
        }
    )  # fmt: skip


def reward(vram: dict[str, float], runtime: str = "transformers") -> RewardManifest:
    return RewardManifest.model_validate(
        {
            "kind": "reward", "id": "robometer", "description": "x", "critic_id": "robometer",
            "runtime": runtime, "checkpoint": "r" if runtime == "transformers" else "",
            "dtype": "nf4", "min_vram_gb": vram, "cameras": ("front",), "contract": CONTRACT,
        }
    )  # fmt: skip


def test_exactly_fitting_fits() -> None:
    # 7.0 + 3.5 + 0.5 = 11.0 GB
    assert_vla_reward_fits(vla({"bfloat16": 7.0}), reward({"nf4": 3.5}), 11.0)


def test_a_little_less_does_not_fit_and_says_both_figures() -> None:
    with pytest.raises(ROSGPUMemoryError) as error:
        assert_vla_reward_fits(vla({"bfloat16": 7.0}), reward({"nf4": 3.5}), 10.9)
    for word in ("'pi' (7.0 GB)", "'robometer' (3.5 GB)", "11.0 GB", "10.9 GB"):
        assert word in str(error.value)


def test_the_margin_counts() -> None:
    with pytest.raises(ROSGPUMemoryError):
        assert_vla_reward_fits(vla({"bfloat16": 7.0}), reward({"nf4": 3.5}), 11.0, margin_gb=0.6)


def test_memory_not_declared_for_the_dtype_is_a_configuration_error() -> None:
    with pytest.raises(ROSConfigError, match="no entry for dtype int8"):
        assert_vla_reward_fits(vla({"bfloat16": 7.0}, "int8"), reward({"nf4": 3.5}), 24.0)
    with pytest.raises(ROSConfigError, match="'robometer'"):
        assert_vla_reward_fits(vla({"bfloat16": 7.0}), reward({}), 24.0)


def test_a_geometric_reward_needs_no_memory() -> None:
    assert_vla_reward_fits(vla({"bfloat16": 7.0}), reward({}, "geometric"), 7.5)


@pytest.mark.parametrize("total", [math.nan, -1.0, math.inf])
def test_a_gpu_of_no_finite_size_is_refused(total: float) -> None:
    with pytest.raises(ROSConfigError, match="gpu_total_gb"):
        assert_vla_reward_fits(vla({"bfloat16": 7.0}), reward({"nf4": 3.5}), total)

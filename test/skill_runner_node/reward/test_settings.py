"""A reward's settings are checked by name, and only what is seen may pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from openral.errors import ConfigError
from openral.rskill import RewardManifest, load_rskill, parse_manifest
from skill_runner_node.reward.settings import RewardSettings, settings_of

FOLDER = Path(__file__).parents[3] / "config" / "rskills"
TEXT = (FOLDER / "reward_geometric" / "rskill.yaml").read_text(encoding="utf-8")


def manifest(text: str) -> RewardManifest:
    found = parse_manifest(text, "rskill.yaml")
    assert isinstance(found, RewardManifest)
    return found


def test_the_shipped_settings_are_all_and_the_defaults() -> None:
    shipped = load_rskill(FOLDER, "reward_geometric")
    assert isinstance(shipped, RewardManifest)
    assert settings_of(shipped) == RewardSettings()
    assert set(shipped.settings) == set(RewardSettings.model_fields)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("away: 0.1 ", "away: 5.0 ", "'away' = 5.0: valid is [0.02, 1.0] m"),
        ("away: 0.1 ", "far: 0.1 ", "'far' is unknown"),
        ("pair_s: 1.0", "pair_s: true", "'pair_s' = True"),
        ("score_over: 0.8 ", "score_over: 0.45 ", "must rise in this order"),
        ("score_released: 0.82", "score_released: 0.9", "below the contract's success_threshold"),
        ("score_hidden: 0.6", "score_hidden: 0.95", "'score_hidden' = 0.95"),
        ("grip_open: 0.0345", "grip_open: 0.039", "grip_empty < grip_open <= grip_wide"),
    ],
)
def test_a_bad_setting_is_named(old: str, new: str, words: str) -> None:
    assert old in TEXT
    with pytest.raises(ConfigError) as error:
        settings_of(manifest(TEXT.replace(old, new)))
    assert words in str(error.value)
    assert "'reward_geometric'" in str(error.value)

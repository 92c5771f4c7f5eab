"""Settings of the geometric reward, as its manifest may give them."""

from __future__ import annotations

from functools import partial
from typing import Any

from pydantic import model_validator

from openral.errors import ConfigError
from openral.ros.parameters import ParameterError, count, number, seconds, validate
from openral.rskill import RewardManifest
from skill_runner_node.policies.scripted_pick_place.table_settings import TableSettings

_m = partial(number, unit="m")


def _score(default: float, description: str) -> Any:
    return number(default, 0.0, 1.0, description, unit="1", high_open=True)


class RewardSettings(TableSettings):
    """Field `settings` of a manifest with ``runtime: geometric``; openings are of one finger."""

    score_begin: float = _score(0.05, "progress with the hand as far off as when it was first seen")
    score_reached: float = _score(0.25, "progress with the hand at the object")
    score_grasped: float = _score(0.4, "progress with something between the fingers")
    score_lifted: float = _score(0.5, "progress with it lifted, where it was")
    score_transport: float = _score(0.75, "progress with it just before the goal")
    score_over: float = _score(0.8, "progress with it over the goal")
    score_released: float = _score(0.82, "progress with it let go over the goal, not seen yet")
    score_hidden: float = _score(0.6, "progress with it gone from its place and seen nowhere")
    score_missed: float = _score(0.3, "progress with it let go or seen elsewhere")

    grip_empty: float = _m(0.004, 0.0, 0.02, "opening below which nothing is between the fingers")
    grip_wide: float = _m(0.0375, 0.01, 0.2, "opening above which the hand is wide open")
    grip_open: float = _m(0.0345, 0.01, 0.2, "opening above which what was gripped has been let go")
    grip_released: float = _m(0.006, 0.001, 0.05, "opening beyond the grip that lets go")
    grip_still_speed: float = number(
        0.004, 0.0001, 0.1, "speed below which a finger has met something", unit="m/s"
    )
    grip_still_s: float = seconds(
        0.1, 0.0, 2.0, "time that it must be still: a motion's start is slow, too"
    )
    lifted: float = _m(0.03, 0.005, 0.5, "height above the grip from which it counts as lifted")
    away: float = _m(0.10, 0.02, 1.0, "distance beside the goal at which the hand is away")
    away_height: float = _m(0.4, 0.1, 2.0, "height of the hand above which it is away in any case")

    rest_s: float = seconds(0.2, 0.0, 5.0, "time after which what was let go lies still")
    pair_s: float = seconds(1.0, 0.05, 5.0, "time between images that are read together")
    new_height: float = _m(
        0.02, 0.003, 0.2, "rise of a place in the container that is something new"
    )
    new_share: float = number(
        0.4,
        0.05,
        1.0,
        "share of the object's smallest side that must be new in the container",
        unit="1",
    )
    edge: float = _m(0.008, 0.0, 0.1, "width of a body's edge, where depth mixes it with the table")
    flat: float = _m(0.017, 0.0, 0.2, "height that counts as bare table where something stood")
    stray_cells: int = count(
        4, 1, 1000, "cells (5 mm) above the rim from which on they are no noise"
    )
    above_rim: float = _m(0.01, 0.0, 0.1, "height above the rim that counts as below it")
    container_moved: float = _m(0.05, 0.005, 0.5, "shift of the container that makes looks differ")
    place_tolerance: float = _m(0.04, 0.005, 0.3, "distance from the wanted place on the table")
    height_tolerance: float = _m(
        0.03, 0.005, 0.3, "change of the object's height that shows it fallen or on something"
    )

    @model_validator(mode="after")
    def _ordered(self) -> RewardSettings:
        rising = (
            "score_begin", "score_reached", "score_grasped", "score_lifted", "score_transport",
            "score_over", "score_released",
        )  # fmt: skip
        values = [getattr(self, name) for name in rising]
        if values != sorted(values):
            raise ValueError(f"{', '.join(rising)} must rise in this order, got {values}")
        if not self.grip_empty < self.grip_open <= self.grip_wide:
            raise ValueError("grip_empty < grip_open <= grip_wide must hold")
        return self


def settings_of(manifest: RewardManifest) -> RewardSettings:
    """The manifest's settings.

    Raises:
        ConfigError: One is unknown or out of its range, or a score that is no success would pass.
    """
    try:
        settings = validate(RewardSettings, manifest.settings)
    except ParameterError as error:
        raise ConfigError(f"settings of rSkill '{manifest.id}': {error}") from None
    threshold = manifest.contract.success_threshold
    for name in RewardSettings.model_fields:
        value = getattr(settings, name)
        if name.startswith("score_") and value >= threshold:
            raise ConfigError(
                f"settings of rSkill '{manifest.id}': '{name}' = {value}: valid is below the"
                f" contract's success_threshold {threshold}, since only what is seen passes"
            )
    return settings

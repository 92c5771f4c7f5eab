"""A reward's calibration is consistent, and looks at the whole attempt by default."""

from __future__ import annotations

import pytest

from openral.rskill import RewardContract


def contract(**changes: float) -> RewardContract:
    fields = {
        "success_threshold": 0.9, "check_floor": 0.5, "patience_s": 30.0,
        "stall_window_s": 10.0, "stall_epsilon": 0.02,
    }  # fmt: skip
    return RewardContract(**{**fields, **changes})


def test_the_window_is_forty_seconds_by_default() -> None:
    assert contract().frame_window_s == 40.0


@pytest.mark.parametrize("floor", [0.9, 0.95])
def test_the_floor_lies_below_the_threshold(floor: float) -> None:
    with pytest.raises(ValueError, match="must lie below"):
        contract(check_floor=floor)


@pytest.mark.parametrize(
    "field", ["success_threshold", "check_floor", "patience_s", "stall_window_s", "stall_epsilon"]
)
def test_no_field_takes_nan_or_a_negative_number(field: str) -> None:
    for value in (float("nan"), -1.0):
        with pytest.raises(ValueError):
            contract(**{field: value})

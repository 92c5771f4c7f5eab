"""A reward model's own calibration: what its scores mean and how long to wait for them to rise."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, model_validator


class RewardContract(BaseModel):
    """How the scores of one reward model are read.

    Attributes:
        success_threshold: Progress at or above it passes without a second opinion.
        check_floor: Progress below it goes to the replanning ladder; in between, an image question.
        frame_window_s: [s] longest part of an attempt that one score looks at, start to now.
        patience_s: [s] without new best progress before an attempt is given up.
        stall_window_s: [s] over which progress must rise by `stall_epsilon`, else it has stalled.
        stall_epsilon: Smallest rise that counts.
        period_s: [s] between scores; a score three periods old is stale.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    success_threshold: float = Field(ge=0.0, le=1.0)
    check_floor: float = Field(ge=0.0, le=1.0)
    frame_window_s: float = Field(40.0, ge=1.0, le=600.0)
    patience_s: float = Field(ge=1.0, le=3600.0)
    stall_window_s: float = Field(ge=0.5, le=600.0)
    stall_epsilon: float = Field(ge=0.0, le=1.0)
    period_s: float = Field(0.5, ge=0.05, le=60.0)

    @model_validator(mode="after")
    def _ordered(self) -> RewardContract:
        if self.check_floor >= self.success_threshold:
            raise ValueError(
                f"check_floor {self.check_floor} must lie below"
                f" success_threshold {self.success_threshold}"
            )
        return self

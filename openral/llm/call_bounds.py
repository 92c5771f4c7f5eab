"""The limits of one provider call."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class CallBounds(BaseModel):
    """How long one call may take and how much it may bring.

    `timeout_s` [s] covers the whole call with its retries. `attempts` counts HTTP requests. Between
    two of them the wait is `first_wait_s` [s], doubled each time, or the server's `Retry-After`;
    where that would end past the deadline the call fails at once. `max_reply_bytes` [B].
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    timeout_s: float = Field(default=60.0, gt=0.0, le=600.0)
    attempts: int = Field(default=3, ge=1, le=10)
    first_wait_s: float = Field(default=0.5, ge=0.0, le=30.0)
    max_reply_bytes: int = Field(default=4 * 2**20, ge=1024)

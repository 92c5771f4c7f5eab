"""Between a policy's numbers in [-1, 1] and joint units, by the 1 % and 99 % quantiles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from openral.errors import InputError

Array = npt.NDArray[np.float64]
MIN_SPAN = 0.005
"""[rad] or [m]: a joint that moved less is constant; dividing by its span amplifies noise."""


@dataclass(frozen=True)
class QuantileNormalisation:
    """Statistics of one action or state space.

    Attributes:
        names: Joint per column.
        q01, q99: Quantiles per joint [rad, m].

    Raises:
        InputError: At construction, if shapes differ, a quantile is not finite or q99 < q01.
    """

    names: tuple[str, ...]
    q01: tuple[float, ...]
    q99: tuple[float, ...]

    def __post_init__(self) -> None:
        if not len(self.names) == len(self.q01) == len(self.q99):
            raise InputError(
                "one q01 and q99 per joint", f"{len(self.q01)}, {len(self.q99)} for {self.names}"
            )
        for name, low, high in zip(self.names, self.q01, self.q99, strict=True):
            if not (math.isfinite(low) and math.isfinite(high)) or high < low:
                raise InputError(f"finite q01 <= q99 for joint '{name}'", f"{low}, {high}")

    @property
    def constant(self) -> tuple[str, ...]:
        """Joints that never moved: they normalise to 0 and come back as their mid value."""
        return tuple(name for name, still in zip(self.names, self._still(), strict=True) if still)

    def _still(self) -> npt.NDArray[np.bool_]:
        still: npt.NDArray[np.bool_] = np.subtract(self.q99, self.q01) < MIN_SPAN
        return still

    def normalise(self, values: Sequence[float] | Array) -> Array:
        """Joint units to [-1, 1], shape (n,) or (rows, n); outside of the quantiles beyond 1."""
        mid, half = self._scale()
        return np.where(self._still(), 0.0, (np.asarray(values, float) - mid) / half)

    def restore(self, values: Sequence[float] | Array) -> Array:
        """[-1, 1] to joint units, shape (n,) or (rows, n)."""
        mid, half = self._scale()
        return np.where(self._still(), mid, np.asarray(values, float) * half + mid)

    def _scale(self) -> tuple[Array, Array]:
        low, high = np.array(self.q01), np.array(self.q99)
        half = np.where(self._still(), 1.0, (high - low) / 2.0)
        return (low + high) / 2.0, half

"""Joints that the data never moved are marked, and never divide by their span."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openral.errors import InputError
from openral.rskill.normalisation import QuantileNormalisation


def test_a_nearly_constant_joint_is_marked_by_name_and_normalises_to_zero() -> None:
    space = QuantileNormalisation(("wrist", "elbow"), (1.5686, -1.0), (1.5696, 1.0))
    assert space.constant == ("wrist",)
    # The elbow spans -1 to 1, so it is its own normalised value.
    assert space.normalise([0.0, 0.5]).tolist() == [0.0, 0.5]
    assert space.restore([5.0, 0.5])[0] == pytest.approx(1.5691)


def test_equal_quantiles_stay_finite() -> None:
    space = QuantileNormalisation(("wrist",), (0.3,), (0.3,))
    assert np.isfinite(space.normalise([100.0])).all()
    assert space.restore([100.0]).tolist() == [0.3]


@pytest.mark.parametrize(
    ("low", "high"), [((1.0,), (0.0,)), ((float("nan"),), (1.0,)), ((0.0, 0.0), (1.0,))]
)
def test_contradictory_statistics_are_refused(
    low: tuple[float, ...], high: tuple[float, ...]
) -> None:
    with pytest.raises(InputError):
        QuantileNormalisation(("wrist",), low, high)


@given(st.floats(-3, 3), st.floats(0.01, 6), st.floats(-10, 10))
def test_restoring_undoes_normalising(low: float, span: float, value: float) -> None:
    space = QuantileNormalisation(("joint",), (low,), (low + span,))
    assert space.restore(space.normalise([value]))[0] == pytest.approx(value, abs=1e-9)

"""Measured times as a table, for the person who runs the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest


def show(request: pytest.FixtureRequest, text: str) -> None:
    """Prints to the terminal, whether the test passes or not."""
    capture = request.config.pluginmanager.getplugin("capturemanager")
    assert capture is not None
    with capture.global_and_fixture_disabled():
        print(f"\n{text}", flush=True)


def table(measured: Mapping[str, Sequence[float]]) -> str:
    """Quantiles in milliseconds; what is no time stands as it is."""
    lines = [f"{'':36}{'n':>6}{'p50':>9}{'p99':>9}{'p99.9':>9}{'max':>9}"]
    for name, values in measured.items():
        scale = 1.0 if "messages" in name else 1e3
        quantiles = [scale * float(np.quantile(values, q)) for q in (0.5, 0.99, 0.999, 1.0)]
        numbers = "".join(f"{value:9.1f}" for value in quantiles)
        lines.append(f"{name:36}{len(values):6}{numbers}")
    return "\n".join(lines)

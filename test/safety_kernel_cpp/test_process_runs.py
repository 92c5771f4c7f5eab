"""Real processes that are killed, stopped, flooded and started again come to the end they must.

`OPENRAL_PROCESS_RUNS` sets how many are run: each fault in turn, again and again, each at another
time of the motion. What was measured on the way is printed at the end.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from fault_scene import Scene
from faults import FAULTS
from plant import Plant
from processes import Processes
from reactions import show, table

RUNS = int(os.environ.get("OPENRAL_PROCESS_RUNS", "10"))


@pytest.fixture(scope="module")
def measured(request: pytest.FixtureRequest) -> Iterator[dict[str, list[float]]]:
    everything: dict[str, list[float]] = {}
    yield everything
    show(request, f"process runs: {RUNS}\n{table(everything)}")


@pytest.mark.parametrize(
    ("number", "name"), [(run, list(FAULTS)[run % len(FAULTS)]) for run in range(RUNS)]
)
def test_fault_comes_to_its_end(
    plant: Plant,
    processes: Processes,
    tmp_path: Path,
    measured: dict[str, list[float]],
    number: int,
    name: str,
) -> None:
    FAULTS[name](Scene(plant, processes, random.Random(number), tmp_path, measured))

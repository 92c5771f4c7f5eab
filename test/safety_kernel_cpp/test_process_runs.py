"""Real processes that are killed, stopped, flooded and started again come to the end they must.

`OPENRAL_PROCESS_RUNS` sets how many are run: each fault in turn, again and again, in an order and
at times of the motion that `OPENRAL_PROCESS_SEED` decides, others each time where it is not set.
What was measured on the way is printed at the end, and the seed.
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

pytestmark = pytest.mark.real_time

RUNS = int(os.environ.get("OPENRAL_PROCESS_RUNS", "10"))
# Chosen by chance; workers of one run, who must agree on the tests, by the run's own name.
CHANCE = random.Random(os.environ.get("PYTEST_XDIST_TESTRUNUID"))
SEED = int(os.environ.get("OPENRAL_PROCESS_SEED") or CHANCE.randrange(10_000))
# Fewer runs than faults leave other ones out each time.
ORDER = random.Random(SEED).sample(list(FAULTS), len(FAULTS))


@pytest.fixture(scope="module")
def measured(request: pytest.FixtureRequest) -> Iterator[dict[str, list[float]]]:
    everything: dict[str, list[float]] = {}
    yield everything
    show(request, f"process runs: {RUNS}, seed {SEED}\n{table(everything)}")


@pytest.mark.parametrize(
    ("number", "name"), [(run, ORDER[run % len(ORDER)]) for run in range(RUNS)]
)
def test_fault_comes_to_its_end(
    plant: Plant,
    processes: Processes,
    tmp_path: Path,
    measured: dict[str, list[float]],
    number: int,
    name: str,
) -> None:
    FAULTS[name](Scene(plant, processes, random.Random(SEED + number), tmp_path, measured))

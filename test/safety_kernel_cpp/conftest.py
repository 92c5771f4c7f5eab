"""Makes the modules beside the tests importable, and gives each test processes of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from plant import Plant
from processes import Processes, environment

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Processes]:
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    started = Processes()
    yield started
    started.close()


@pytest.fixture
def plant(processes: Processes) -> Iterator[Plant]:
    plant = Plant()
    yield plant
    plant.close()

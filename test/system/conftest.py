"""Real processes for system tests: each system in a ROS domain and process groups of its own."""

from __future__ import annotations

import os
import sys
import uuid
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from openral.bringup import domain

os.environ.pop("ROS_DOMAIN_ID", None)
os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"


@pytest.fixture(scope="module")
def start_system(tmp_path_factory):
    """Starts systems for the tests of one module; afterwards no process of theirs is left."""
    from system import System, survivors

    mark = f"openral-{uuid.uuid4().hex}"
    started = []

    def start(*, arm: bool = True, **overrides: dict[str, object]) -> System:
        # One at a time: two arms in real time are more than two cores can move.
        while started:
            started.pop().end()
        environ = {**os.environ, "OPENRAL_TEST_MARK": mark}
        environ.pop("ROS_DOMAIN_ID", None)
        domain.isolate(environ)
        one = System(tmp_path_factory.mktemp("run"), environ, overrides)
        started.append(one)
        one.start(arm=arm)
        return one

    yield start
    for one in started:
        one.end()
    assert survivors(mark) == []

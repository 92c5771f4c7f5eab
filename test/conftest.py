"""What holds for every test: how tests share the machine, what they start can be interrupted.

Tests run one after the other, or side by side where pytest-xdist is asked to (`-n`): then those
marked `real_time` come last and alone, since they measure what others would disturb.
"""

from __future__ import annotations

import fcntl
import os
import signal
from collections.abc import Iterator

import pytest

# MuJoCo takes its GL library at its first import, which may be a test's of the arm's kinematics;
# this package names it.
import sim_node  # noqa: F401
from openral.bringup import domain

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))

# A shell that runs the tests in the background has SIGINT ignored in them, and what they start
# would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Two workers that choose a domain at the same moment see it free, both of them.
domain._DOMAINS = domain._DOMAINS[int(WORKER) :: WORKERS]


def is_real_time(item: pytest.Item | pytest.Module) -> bool:
    return item.get_closest_marker("real_time") is not None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A module is one worker's, and all real-time modules are the same worker's, at the end."""
    items.sort(key=is_real_time)
    if WORKERS > 1:
        for item in items:
            group = "real_time" if is_real_time(item) else item.location[0]
            item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture(scope="module", autouse=True)
def _machine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """The machine, shared with the other workers or to itself."""
    if WORKERS == 1:
        yield
        return
    alone = is_real_time(request.node)
    # The folder of the whole run, of which each worker has a part.
    with (tmp_path_factory.getbasetemp().parent / "machine.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield

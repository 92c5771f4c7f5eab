"""What holds for every test: how tests share the machine, what they start can be interrupted.

Tests run one after the other, or side by side where pytest-xdist is asked to (`-n`). Then those
marked `timed` come after the ordinary ones and beside no other than their like, one for each
processor, and those marked `real_time` last and alone: what they bound or measure, busier tests
would disturb.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

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
domain.DOMAINS = domain.DOMAINS[int(WORKER) :: WORKERS]


ORDINARY, TIMED, ALONE = range(3)
MARKERS = {"timed": TIMED, "real_time": ALONE}


def needs(item: pytest.Item) -> int:
    """What a test asks of the machine."""
    marked = (need for name, need in MARKERS.items() if item.get_closest_marker(name))
    return max(marked, default=ORDINARY)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=needs)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A module is one worker's, and all real-time modules are the same worker's, at the end."""
    from xdist.scheduler import LoadScopeScheduling

    class ByModule(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            module = nodeid.partition("::")[0]
            return "real_time" if declares_real_time(config.rootpath / module) else module

    return ByModule(config, log)


@functools.cache
def declares_real_time(module: Path) -> bool:
    """Whether its tests need to be alone, by the text: who distributes them has collected none."""
    text = module.read_text(encoding="utf-8")
    return re.search(r"^pytestmark\b.*\breal_time\b", text, re.MULTILINE) is not None


_locks: list[IO[str]] = []


# Around pytest-timeout's own: to wait for other workers is no part of a test's time.
@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """A module has the machine, shared with the other workers or to itself, until its last test."""
    need = needs(item)
    if WORKERS > 1 and not _locks:
        # The folder of the whole run, of which each worker has a part.
        folder = item.config._tmp_path_factory.getbasetemp().parent  # type: ignore[attr-defined]
        _locks.extend(_take(folder, need))
    yield
    last = nextitem is None or nextitem.location[0] != item.location[0]
    # Between two ordinary modules nobody else's turn comes.
    if last and not (need == ORDINARY and nextitem is not None and needs(nextitem) == ORDINARY):
        while _locks:
            _locks.pop().close()


def _take(folder: Path, need: int) -> Iterator[IO[str]]:
    if need == TIMED:
        # Only until the ordinary ones have ended.
        with (folder / "ordinary.lock").open("w") as ordinary:
            fcntl.flock(ordinary, fcntl.LOCK_EX)
    elif need == ORDINARY:
        ordinary = (folder / "ordinary.lock").open("w")
        fcntl.flock(ordinary, fcntl.LOCK_SH)
        yield ordinary
    machine = (folder / "machine.lock").open("w")
    fcntl.flock(machine, fcntl.LOCK_EX if need == ALONE else fcntl.LOCK_SH)
    yield machine
    if need == TIMED:
        # There may be more workers, since most ordinary tests wait for something.
        yield _take_processor(folder)


def _take_processor(folder: Path) -> IO[str]:
    files = [(folder / f"processor_{i}.lock").open("w") for i in range(os.cpu_count() or 1)]
    while True:
        for file in files:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                for other in files:
                    if other is not file:
                        other.close()
                return file
        time.sleep(0.1)

"""What holds for every test: how tests share the machine, what they start can be interrupted.

Tests run one after the other, or side by side where pytest-xdist is asked to (`-n`): then those
marked `real_time` come last and alone, since they measure what others would disturb.
"""

from __future__ import annotations

import fcntl
import functools
import os
import re
import signal
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


def is_real_time(item: pytest.Item) -> bool:
    return item.get_closest_marker("real_time") is not None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=is_real_time)


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
    """As `is_real_time`, by the text: who distributes the tests has not collected them."""
    text = module.read_text(encoding="utf-8")
    return re.search(r"^pytestmark\b.*\breal_time\b", text, re.MULTILINE) is not None


_lock: IO[str] | None = None


# Around pytest-timeout's own: to wait for other workers is no part of a test's time.
@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """A module has the machine, shared with the other workers or to itself, until its last test."""
    global _lock
    if WORKERS > 1 and _lock is None:
        # The folder of the whole run, of which each worker has a part.
        folder = item.config._tmp_path_factory.getbasetemp().parent  # type: ignore[attr-defined]
        _lock = (folder / "machine.lock").open("w")
        fcntl.flock(_lock, fcntl.LOCK_EX if is_real_time(item) else fcntl.LOCK_SH)
    yield
    if _lock is not None and (nextitem is None or nextitem.location[0] != item.location[0]):
        _lock.close()
        _lock = None

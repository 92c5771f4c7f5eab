"""`tools/setup`: makes this machine ready to build and run openral."""

from __future__ import annotations

import argparse
import fcntl
import os
import shutil
import sys
import time
from pathlib import Path

from . import prefix, ros_machine, stamp, system_packages, virtual_environment, wheel_paths
from .failure import SetupError
from .machine import check_machine, has_sourced_ros

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"
VENV = ROOT / ".venv"
LOGS = ROOT / "log" / "setup"


def set_up(*, tests: bool = False) -> None:
    """Does what is missing, and nothing where nothing is; with `tests` for the kernel's tests too.

    Raises SetupError with one line that says what the user has to do.
    """
    needs_of_tests = system_packages.needs_of_tests() if tests else ()
    if has_sourced_ros(os.environ):
        ros_machine.check_modules()
        system_packages.check(needs_of_tests)
        return
    check_machine()
    lock = TOOLS / "requirements.lock"
    wanted = stamp.wanted_stamp(VENV, lock, Path(wheel_paths.__file__), prefix.sources(TOOLS))
    with _Alone():
        work = stamp.work_to_do(stamp.read_stamp(VENV), wanted)
        made = work in (stamp.Work.NOTHING, stamp.Work.SCRIPTS)
        begin = time.monotonic()
        needs = (*(() if made else system_packages.needs()), *needs_of_tests)
        installed = system_packages.provide(needs, LOGS / "apt.log")
        if installed:
            _say(f"installed system packages: {' '.join(installed)}")
        if work is stamp.Work.NOTHING:
            return
        if work is stamp.Work.SCRIPTS:
            prefix.complete(VENV, TOOLS)
            stamp.write_stamp(VENV, wanted)
            return
        if work is stamp.Work.MAKE_NEW:
            _remove_build()
            virtual_environment.make(VENV)
        stamp.remove_stamp(VENV)
        _say("installing ROS 2 Jazzy and the Python packages (one to four minutes) ...")
        virtual_environment.install(VENV, lock, LOGS / "pip.log")
        repaired = wheel_paths.repair(wheel_paths.layout_of(VENV))
        prefix.complete(VENV, TOOLS)
        stamp.write_stamp(VENV, wanted)
        _say(
            f"repaired {repaired} files of the ROS wheels; {time.monotonic() - begin:.0f} s in all"
        )


class _Alone:
    """One set-up at a time in this checkout; the lock ends with the process."""

    def __enter__(self) -> None:
        self._folder = os.open(ROOT, os.O_RDONLY)
        fcntl.flock(self._folder, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        os.close(self._folder)


def _remove_build() -> None:
    # CMake's caches hold the paths of the Python that they were made with.
    for folder in ("build", "install"):
        shutil.rmtree(ROOT / folder, ignore_errors=True)


def _say(line: str) -> None:
    print(f"setup: {line}", flush=True)


def main() -> int:
    """Exit status 0 when ready, 1 after one line that says what is missing."""
    parser = argparse.ArgumentParser(prog="tools/setup", description=__doc__)
    parser.add_argument("--tests", action="store_true", help="and what the kernel's tests need")
    arguments = parser.parse_args()
    try:
        set_up(tests=arguments.tests)
    except SetupError as error:
        print(f"setup: openral {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("setup: interrupted; the next run starts it anew", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())

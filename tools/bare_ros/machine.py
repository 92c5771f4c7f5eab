"""What kind of machine this is."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from pathlib import Path

from .failure import SetupError

#: The Python versions that the ROS 2 Jazzy wheels are built for.
OLDEST_PYTHON = (3, 10)
NEWEST_PYTHON = (3, 13)

#: Set by tools/env.sh to the virtual environment that stands in for an installed ROS.
BARE_ROS_MARK = "OPENRAL_BARE_ROS"


def has_sourced_ros(environ: Mapping[str, str]) -> bool:
    """True where an installed ROS 2 is sourced, which then is used as it is."""
    if environ.get(BARE_ROS_MARK):
        return False
    return bool(environ.get("ROS_DISTRO")) and bool(environ.get("AMENT_PREFIX_PATH"))


def is_debian_family(os_release: str) -> bool:
    """True for the text of an /etc/os-release of Debian, Ubuntu or a system made from them."""
    families: set[str] = set()
    for line in os_release.splitlines():
        key, _, value = line.partition("=")
        if key in ("ID", "ID_LIKE"):
            families.update(value.strip().strip("\"'").split())
    return bool(families & {"debian", "ubuntu"})


def read_os_release(path: Path = Path("/etc/os-release")) -> str:
    """The text of /etc/os-release, empty where there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""


def check_python(version: tuple[int, int], executable: str) -> None:
    """Raises SetupError for a Python that the wheels are not built for."""
    if OLDEST_PYTHON <= version <= NEWEST_PYTHON:
        return
    raise SetupError(
        f"needs Python 3.10 to 3.13, got {version[0]}.{version[1]} ({executable}): "
        "install one and name it, as in `PYTHON=python3.12 make demo`"
    )


def check_platform(system: str, machine: str) -> None:
    """Raises SetupError where there are no wheels: anything but Linux on x86-64."""
    if (system, machine) == ("Linux", "x86_64"):
        return
    raise SetupError(
        f"has ROS wheels for Linux on x86_64 only, got {system} on {machine}: "
        "install ROS 2 Jazzy and source it"
    )


def check_machine() -> None:
    """Raises SetupError where the wheels cannot run."""
    check_platform(platform.system(), platform.machine())
    check_python(sys.version_info[:2], sys.executable)

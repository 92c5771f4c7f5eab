"""The system packages that no wheel can bring: compiler, Python headers, GL."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .failure import SetupError
from .machine import is_debian_family, read_os_release


@dataclass(frozen=True)
class Need:
    """Something the system must provide, and the Debian packages that bring it."""

    what: str
    packages: tuple[str, ...]
    is_met: Callable[[], bool]


def needs() -> tuple[Need, ...]:
    """All that the build and the renderer need from the system."""
    python = "python{}.{}".format(*sys.version_info[:2])
    return (
        Need("a C++17 compiler", ("g++",), _has_compiler),
        Need("Python's venv module", (f"{python}-venv",), _has_ensurepip),
        Need("Python's headers", (f"{python}-dev",), _has_python_headers),
        Need(
            "OpenGL without a display (EGL)",
            ("libegl1", "libegl-mesa0", "libgl1-mesa-dri", "libopengl0"),
            _has_headless_gl,
        ),
    )


def provide(log: Path) -> list[str]:
    """Installs what is missing, as root on Debian or Ubuntu; returns the packages.

    Raises SetupError with the command that the user has to give elsewhere.
    """
    missing = [need for need in needs() if not need.is_met()]
    if not missing:
        return []
    packages = [package for need in missing for package in need.packages]
    python_is_system = Path(sys.base_prefix) == Path("/usr")
    foreign = [need.what for need in missing if "Python" in need.what and not python_is_system]
    if foreign:
        raise SetupError(
            f"{sys.executable} lacks {' and '.join(foreign)}: reinstall that Python with them, "
            "or name another, as in `PYTHON=/usr/bin/python3 make demo`"
        )
    debian = is_debian_family(read_os_release()) and shutil.which("apt-get") is not None
    if not debian or os.geteuid() != 0:
        raise SetupError(advice(missing, debian=debian))
    _apt_install(packages, log)
    still = [need for need in needs() if not need.is_met()]
    if still:
        raise SetupError(f"installed {' '.join(packages)}, but found no {still[0].what} after it")
    return packages


def advice(missing: Sequence[Need], *, debian: bool) -> str:
    """One line that says what the user has to install."""
    packages = " ".join(package for need in missing for package in need.packages)
    if debian:
        return f"needs system packages: sudo apt-get install -y {packages}"
    what = ", ".join(need.what for need in missing)
    return f"needs {what} (on Debian or Ubuntu: {packages}): install them, then run again"


def _apt_install(packages: Sequence[str], log: Path) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    wait = ("-o", "DPkg::Lock::Timeout=300")
    install = ("apt-get", *wait, "install", "-y", "--no-install-recommends", *packages)
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as output:
        for command in (("apt-get", *wait, "update"), install):
            code = subprocess.run(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            ).returncode
    if code != 0:
        raise SetupError(
            f"could not install {' '.join(packages)} with apt-get: no network or no such package "
            f"(log: {log})"
        )


def _has_compiler() -> bool:
    return any(shutil.which(name) for name in (os.environ.get("CXX") or "g++", "g++", "clang++"))


def _has_ensurepip() -> bool:
    return importlib.util.find_spec("ensurepip") is not None


def _has_python_headers() -> bool:
    return Path(sysconfig.get_path("include"), "Python.h").is_file()


def _has_headless_gl() -> bool:
    if not (_loads("libEGL.so.1") and (_loads("libOpenGL.so.0") or _loads("libGL.so.1"))):
        return False
    vendors = [
        vendor.name
        for folder in ("/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d")
        for vendor in Path(folder).glob("*.json")
    ]
    if any("mesa" not in name for name in vendors):
        return True
    drivers = [*Path("/usr/lib").glob("*/dri/*_dri.so"), *Path("/usr/lib").glob("dri/*_dri.so")]
    return bool(vendors) and bool(drivers)


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True

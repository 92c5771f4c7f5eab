"""The system packages that no wheel can bring: compiler, Python headers, GL, tools of the tests."""

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

#: What Debian and Ubuntu name a clang: plainly, or by its version, from the newest to the oldest.
#: safety_kernel_cpp/cmake/find_libfuzzer.cmake looks for the same.
_CLANGS = ("clang++", *(f"clang++-{version}" for version in range(25, 10, -1)))


@dataclass(frozen=True)
class Need:
    """Something the system must provide, and the Debian packages that bring it."""

    what: str
    packages: tuple[str, ...]
    is_met: Callable[[], bool]
    where_known: tuple[str, ...] = ()
    """Packages that older releases have inside of the others."""


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


def needs_of_tests() -> tuple[Need, ...]:
    """What the kernel's laws and fuzz targets need beside it."""
    return (
        Need("RapidCheck", ("librapidcheck-dev",), _has_rapidcheck),
        Need("a clang with libFuzzer", ("clang",), _has_libfuzzer, ("libclang-rt-dev",)),
    )


def check(needs: Sequence[Need]) -> None:
    """Raises SetupError with what the user has to install, and installs nothing."""
    missing = [need for need in needs if not need.is_met()]
    if missing:
        raise SetupError(advice(missing, debian=_is_debian()))


def provide(needs: Sequence[Need], log: Path) -> list[str]:
    """Installs what is missing, as root on Debian or Ubuntu; returns the packages.

    Raises SetupError with the command that the user has to give elsewhere.
    """
    missing = [need for need in needs if not need.is_met()]
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
    debian = _is_debian()
    if not debian or os.geteuid() != 0:
        raise SetupError(advice(missing, debian=debian))
    _apt_install(packages, [name for need in missing for name in need.where_known], log)
    still = [need for need in needs if not need.is_met()]
    if still:
        raise SetupError(f"installed {' '.join(packages)}, but found no {still[0].what} after it")
    return packages


def advice(missing: Sequence[Need], *, debian: bool) -> str:
    """One line that says what the user has to install."""
    more = [name for need in missing for name in need.where_known]
    if debian:
        # One unknown name, and apt-get installs nothing.
        more = [name for name in more if _is_known(name)]
    packages = " ".join((*(name for need in missing for name in need.packages), *more))
    if debian:
        return f"needs system packages: sudo apt-get install -y {packages}"
    what = ", ".join(need.what for need in missing)
    return f"needs {what} (on Debian or Ubuntu: {packages}): install them, then run again"


def _is_debian() -> bool:
    return is_debian_family(read_os_release()) and shutil.which("apt-get") is not None


def _is_known(package: str) -> bool:
    return subprocess.run(("apt-cache", "show", package), capture_output=True).returncode == 0


def _apt_install(packages: Sequence[str], where_known: Sequence[str], log: Path) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    wait = ("-o", "DPkg::Lock::Timeout=300")
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as output:

        def run(*command: str) -> int:
            return subprocess.run(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            ).returncode

        run("apt-get", *wait, "update")
        known = [name for name in where_known if _is_known(name)]
        install = ("install", "-y", "--no-install-recommends", *packages, *known)
        code = run("apt-get", *wait, *install)
    if code != 0:
        raise SetupError(
            f"could not install {' '.join(packages)} with apt-get: no network or no such package "
            f"(log: {log})"
        )


def _has_compiler() -> bool:
    return any(shutil.which(name) for name in (os.environ.get("CXX") or "g++", "g++", "clang++"))


def _has_rapidcheck() -> bool:
    source = "#if !__has_include(<rapidcheck.h>)\n#error\n#endif\n"
    return any(_compiles(name, source, "-E") for name in ("g++", "clang++"))


def _has_libfuzzer() -> bool:
    # The compiler alone is often there without the libraries of its sanitizers.
    target = 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }\n'
    flags = ("-fsanitize=fuzzer,address,undefined", "-o", os.devnull)
    return any(_compiles(name, target, *flags) for name in _CLANGS)


def _compiles(compiler: str, source: str, *flags: str) -> bool:
    if shutil.which(compiler) is None:
        return False
    command = (compiler, "-x", "c++", *flags, "-")
    return subprocess.run(command, input=source, text=True, capture_output=True).returncode == 0


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

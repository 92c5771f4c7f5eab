"""Repairs the installed ROS wheels: paths of the machine that they were built on.

The wheels' CMake exports, ament index and setup scripts name the Python and the
libraries of a manylinux build machine. Here they are rewritten to this machine's,
so that `find_package` and the rosidl generators work.
"""

from __future__ import annotations

import re
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .failure import SetupError

_BUILD_PYTHON = rb"/opt/python/cp3\d+-cp3\d+t?"
_BUILD_TREE = rb"/project/build/temp\.[^/\s\"';:]+/install"
_TINYXML2 = b"/usr/lib64/libtinyxml2.so"
#: lttng-ust as an item of a CMake list; libtracetools.so already carries its own copy.
_LTTNG_ITEM = re.compile(rb"(?<=[\";])lttng-ust;?")
_FOREIGN = re.compile(rb"/opt/python/cp3|/project/build/|" + re.escape(_TINYXML2))


@dataclass(frozen=True)
class Layout:
    """Where this machine keeps what the wheels' files refer to."""

    venv: Path
    site_packages: Path
    python_include: Path
    python_library: Path | None
    """The shared libpython outside the system's library path; None if there is none."""


def layout_of(venv: Path) -> Layout:
    """The layout of `venv`, made by the Python that runs this code."""
    scheme = {"base": str(venv), "platbase": str(venv)}
    library: Path | None = None
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        candidate = Path(
            str(sysconfig.get_config_var("LIBDIR")), str(sysconfig.get_config_var("INSTSONAME"))
        )
        if candidate.is_file() and not candidate.is_relative_to("/usr/lib"):
            library = candidate
    return Layout(
        venv=venv,
        site_packages=Path(sysconfig.get_path("purelib", scheme="venv", vars=scheme)),
        python_include=Path(sysconfig.get_path("include")),
        python_library=library,
    )


def repair(layout: Layout) -> int:
    """Rewrites every file of the wheels that names the build machine.

    A second run finds nothing to do. Returns how many files it changed; raises
    SetupError when a path of the build machine is left over.
    """
    changed = 0
    for path in _text_files(layout.venv):
        before = path.read_bytes()
        if b"\0" in before:
            continue
        after = rewrite(before, path, layout)
        if after != before:
            path.write_bytes(after)
            changed += 1
        left_over = _FOREIGN.search(after)
        if left_over is not None:
            raise SetupError(
                f"found an unknown build path {left_over.group().decode()!r} in {path}: "
                "the ROS wheels are not those of requirements.lock"
            )
    _link_libpython(layout)
    return changed


def rewrite(text: bytes, path: Path, layout: Layout) -> bytes:
    """The text of the file at `path` with this machine's paths."""
    venv = str(layout.venv).encode()
    substitutions = (
        (_BUILD_PYTHON + rb"/include/python3\.\d+", str(layout.python_include).encode()),
        (_BUILD_PYTHON + rb"/lib/python3\.\d+/site-packages", str(layout.site_packages).encode()),
        (_BUILD_PYTHON, venv),
        (_BUILD_TREE, venv),
    )
    for pattern, replacement in substitutions:
        text = re.sub(pattern, replacement.replace(b"\\", b"\\\\"), text)
    if _TINYXML2 in text:
        text = text.replace(_TINYXML2, str(_bundled_tinyxml2(layout)).encode())
    if path.suffix == ".cmake" and "tracetools" in path.parts:
        text = _LTTNG_ITEM.sub(b"", text)
    return text


def _text_files(venv: Path) -> Iterator[Path]:
    for folder in ("share", "lib/cmake", "lib/foonathan_memory"):
        for path in sorted((venv / folder).rglob("*")):
            if path.is_file() and path.suffix not in (".pyc", ".so"):
                yield path


def _bundled_tinyxml2(layout: Layout) -> Path:
    folder = layout.site_packages / "ros_fastrtps.libs"
    copies = sorted(folder.glob("libtinyxml2*.so*"))
    if len(copies) != 1:
        raise SetupError(f"expected one libtinyxml2 in {folder}, got {len(copies)}")
    return copies[0]


def _link_libpython(layout: Layout) -> None:
    # C++ programs load libpython through librcl. A link in the environment's own
    # library folder spares LD_LIBRARY_PATH the whole lib folder of that Python,
    # which may hold other copies of system libraries.
    if layout.python_library is None:
        return
    link = layout.venv / "lib" / layout.python_library.name
    if link.is_symlink():
        link.unlink()
    link.symlink_to(layout.python_library)

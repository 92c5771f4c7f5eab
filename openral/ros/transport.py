"""DDS transports: shared memory for what carries images, UDP for what must never wait."""

from __future__ import annotations

import os
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path

# Fast DDS reads the first from version 3 on, the second before.
_VARIABLES = ("FASTDDS_DEFAULT_PROFILES_FILE", "FASTRTPS_DEFAULT_PROFILES_FILE")
_BUILTIN_TRANSPORTS = "FASTDDS_BUILTIN_TRANSPORTS"


def use_image_transport(profile: Path, environ: MutableMapping[str, str] = os.environ) -> bool:
    """Have Fast DDS read `profile` (`config/fastdds.xml`); call it before `rclpy.init`.

    A profile that the user set stays in force. Other DDS vendors do not read it. Returns whether
    it was set.
    """
    if any(environ.get(name) for name in _VARIABLES):
        return False
    for name in _VARIABLES:
        environ[name] = str(profile)
    return True


@contextmanager
def without_shared_memory(environ: MutableMapping[str, str] = os.environ) -> Iterator[None]:
    """The first node of a context that is made inside speaks UDP alone.

    A writer that opens the shared-memory port of a reader which has just joined may sleep for a
    third of a second, with Python's lock held: longer than the silence that stops the arm. So what
    commands motion writes without it, and a command-line tool, which joins at any time, makes
    nobody else open its port. Transports that the user chose stay in force; other DDS vendors do
    not read the variable.
    """
    if environ.get(_BUILTIN_TRANSPORTS):
        yield
        return
    environ[_BUILTIN_TRANSPORTS] = "UDPv4"
    try:
        yield
    finally:
        del environ[_BUILTIN_TRANSPORTS]

"""DDS transports: shared memory for what carries images, UDP for what must never wait."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path

# Fast DDS reads the first from version 3 on, the second before.
_VARIABLES = ("FASTDDS_DEFAULT_PROFILES_FILE", "FASTRTPS_DEFAULT_PROFILES_FILE")
_BUILTIN_TRANSPORTS = "FASTDDS_BUILTIN_TRANSPORTS"
_RANGE = "ROS_AUTOMATIC_DISCOVERY_RANGE"
_LOCALHOST_ONLY = "ROS_LOCALHOST_ONLY"  # deprecated, and stronger than the range
_STATIC_PEERS = "ROS_STATIC_PEERS"


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


def use_udp_alone(
    implementation: str, localhost_profile: Path, environ: MutableMapping[str, str] = os.environ
) -> bool:
    """Have this process speak UDP alone, wherever it discovers others; call it before `rclpy.init`.

    For the discovery range LOCALHOST rmw_fastrtps adds shared memory to whatever Fast DDS was told.
    There the range becomes SYSTEM_DEFAULT, with a profile that stays on this machine as LOCALHOST
    does. What the user chose stays in force: transports, a profile, peers.

    Args:
        implementation: of the ROS middleware, e.g. `rmw_fastrtps_cpp`; no other is touched.
        localhost_profile: `config/fastdds_localhost.xml`.
        environ: changed in place.

    Returns:
        Whether it was arranged.
    """
    chosen = (*_VARIABLES, _BUILTIN_TRANSPORTS)
    if not implementation.startswith("rmw_fastrtps") or any(map(environ.get, chosen)):
        return False
    localhost_only = environ.get(_LOCALHOST_ONLY) == "1"
    if not localhost_only and environ.get(_RANGE, "").upper() != "LOCALHOST":
        environ[_BUILTIN_TRANSPORTS] = "UDPv4"
        return True
    if environ.get(_STATIC_PEERS) and not localhost_only:
        return False
    if localhost_only:
        environ[_LOCALHOST_ONLY] = "0"
    environ[_RANGE] = "SYSTEM_DEFAULT"
    for name in _VARIABLES:
        environ[name] = str(localhost_profile)
    return True


@contextmanager
def without_shared_memory(
    implementation: str, localhost_profile: Path, environ: MutableMapping[str, str] = os.environ
) -> Iterator[None]:
    """A context that is initialised inside, with its first node, speaks UDP alone: `use_udp_alone`.

    A writer that opens the shared-memory port of a reader which has just joined may sleep for a
    third of a second, with Python's lock held: longer than the silence that stops the arm. So what
    commands motion writes without it, and a command-line tool, which joins at any time, makes
    nobody else open its port. Afterwards the environment is what it was, for other contexts.
    """
    before = dict(environ)
    use_udp_alone(implementation, localhost_profile, environ)
    try:
        yield
    finally:
        _become(environ, before)


@contextmanager
def with_environment(
    wanted: Mapping[str, str], environ: MutableMapping[str, str] = os.environ
) -> Iterator[None]:
    """A context that is initialised inside, with its first node, finds the environment `wanted`."""
    before = dict(environ)
    _become(environ, wanted)
    try:
        yield
    finally:
        _become(environ, before)


def _become(environ: MutableMapping[str, str], wanted: Mapping[str, str]) -> None:
    for name in [name for name in environ if name not in wanted]:
        del environ[name]
    for name, value in wanted.items():
        if environ.get(name) != value:
            environ[name] = value

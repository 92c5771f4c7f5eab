"""Chooses a ROS domain that nobody on this machine uses."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable, Mapping, MutableMapping, Sequence

from openral.errors import ConfigError

# RTPS 2.5, 9.6.2.3: unicast discovery port = 7400 + 250 * domain + 10 + 2 * participant.
# Domains to 101 stay below Linux's ephemeral ports.
_PORT_BASE = 7400
_PORTS_PER_DOMAIN = 250
_FIRST_UNICAST = 10
DOMAINS = range(20, 102)


def discovery_port(domain: int) -> int:
    """UDP port that the first participant of `domain` listens on."""
    return _PORT_BASE + _PORTS_PER_DOMAIN * domain + _FIRST_UNICAST


def is_free(domain: int) -> bool:
    """True if no participant on this machine listens in `domain`."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("", discovery_port(domain)))
        except OSError:
            return False
    return True


def choose(order: Sequence[int], free: Callable[[int], bool] = is_free) -> int:
    """The first free domain of `order`.

    Raises:
        ConfigError: If none is free.
    """
    for domain in order:
        if free(domain):
            return domain
    raise ConfigError(f"none of {len(order)} ROS domains is free: set ROS_DOMAIN_ID")


def any_free(free: Callable[[int], bool] = is_free) -> int:
    """A free domain, by chance: two runs that start at once must not walk them in step.

    Raises:
        ConfigError: If none is free.
    """
    return choose(random.SystemRandom().sample(DOMAINS, len(DOMAINS)), free)


def isolate(environ: MutableMapping[str, str]) -> int:
    """Keeps a run on this machine, in a domain of its own or the one that the user named: returned.

    Raises:
        ConfigError: If ROS_DOMAIN_ID is no domain, or none is free.
    """
    environ.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    if not environ.get("ROS_DOMAIN_ID"):
        environ["ROS_DOMAIN_ID"] = str(any_free())
    return of(environ)


def of(environ: Mapping[str, str]) -> int:
    """The domain that the environment names; 0 where it names none, as ROS does.

    Raises:
        ConfigError: If ROS_DOMAIN_ID is no domain.
    """
    named = environ.get("ROS_DOMAIN_ID") or "0"
    if not named.isdecimal() or not 0 <= int(named) <= 232:
        raise ConfigError(f"ROS_DOMAIN_ID = {named!r}: valid is [0, 232]")
    return int(named)

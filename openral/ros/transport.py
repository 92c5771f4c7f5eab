"""DDS transports for processes that publish images."""

from __future__ import annotations

import os
from collections.abc import MutableMapping
from pathlib import Path

# Fast DDS reads the first from version 3 on, the second before.
_VARIABLES = ("FASTDDS_DEFAULT_PROFILES_FILE", "FASTRTPS_DEFAULT_PROFILES_FILE")


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

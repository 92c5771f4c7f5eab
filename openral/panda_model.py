"""Where the package `dm-robotics-panda` keeps the model of the Franka Panda."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from openral.errors import ConfigError


def model_folder() -> Path:
    """The folder of its MJCF; found without running the package's own code.

    Its modules need a robot-control stack.

    Raises:
        ConfigError: The package is not installed.
    """
    try:
        spec = importlib.util.find_spec("dm_robotics.panda")
    except ModuleNotFoundError:
        spec = None
    for place in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(place) / "assets" / "panda"
        if (folder / "panda.xml").is_file():
            return folder
    raise ConfigError(
        "no Panda model: the package dm-robotics-panda is not installed; "
        "install it with `pip install --no-deps dm-robotics-panda==0.4.8`"
    )

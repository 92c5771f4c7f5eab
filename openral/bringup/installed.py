"""Where the built packages are: executables and configuration, by the ament index."""

from __future__ import annotations

import os
from pathlib import Path

from openral.errors import ConfigError

BUILD = "build the workspace (`colcon build`) and source it (`source tools/env.sh`)"


def executable(package: str, name: str) -> Path:
    """The executable that `ros2 run <package> <name>` would run.

    Raises:
        ConfigError: If the package or the executable is not built or not sourced.
    """
    from ament_index_python.packages import get_package_prefix

    try:
        prefix = get_package_prefix(package)
    except (LookupError, OSError):
        raise ConfigError(f"package {package!r} is not in AMENT_PREFIX_PATH; {BUILD}") from None
    path = Path(prefix, "lib", package, name)
    if not path.is_file():
        raise ConfigError(f"executable {name!r} of package {package!r}: no file {path}; {BUILD}")
    return path


def config_folder() -> Path:
    """The folder `config/`: the installed one, or else that of the source tree.

    Raises:
        ConfigError: If there is neither.
    """
    candidates = []
    try:
        from ament_index_python.packages import get_package_share_directory

        candidates.append(Path(get_package_share_directory("openral"), "config"))
    except (ImportError, LookupError, OSError):
        pass
    candidates.append(Path(__file__).resolve().parents[2] / "config")
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise ConfigError(f"no configuration folder in {', '.join(map(str, candidates))}; {BUILD}")


def config_file(relative: str) -> Path:
    """One file of the configuration folder.

    Raises:
        ConfigError: If it is not there, with the files that are.
    """
    folder = config_folder()
    # By name only: `colcon build --symlink-install` links every file to the source tree.
    path = Path(os.path.normpath(folder.resolve() / relative))
    if not path.is_relative_to(folder.resolve()):
        raise ConfigError(f"configuration file {relative!r} lies outside {folder}")
    if not path.is_file():
        near = sorted(p.name for p in path.parent.glob("*.yaml")) if path.parent.is_dir() else []
        raise ConfigError(
            f"configuration file {path} is missing; there are {', '.join(near) or 'none'}"
        )
    return path

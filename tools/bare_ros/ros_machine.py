"""On a machine with ROS 2 sourced: which Python packages are still missing."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

from .failure import SetupError

#: Module, and the PyPI package that brings it.
_MODULES = {
    "numpy": "numpy",
    "scipy": "scipy",
    "cv2": "opencv-python-headless",
    "PIL": "pillow",
    "pydantic": "'pydantic>=2'",
    "annotated_types": "annotated-types",
    "yaml": "pyyaml",
    "mujoco": "mujoco==3.17.0",
    "mink": "mink==1.3.0",
    "daqp": "daqp",
    "rich": "rich",
    "matplotlib": "matplotlib",
    "av": "av",
    "supervisor": "supervisor",
    "hypothesis": "hypothesis",
    "pytest_timeout": "pytest-timeout",
}

#: The same, for wheels that are wanted without what they depend on.
_ALONE = {"dm_robotics.panda": "dm-robotics-panda==0.4.8"}


def is_importable(module: str) -> bool:
    """True if `module` can be found without running more than its parents."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def check_modules(has: Callable[[str], bool] = is_importable) -> None:
    """Raises SetupError with the command that installs the missing modules."""
    missing = [package for module, package in _MODULES.items() if not has(module)]
    commands = [f"python3 -m pip install {' '.join(missing)}"] if missing else []
    for module, package in _ALONE.items():
        if not has(module):
            commands.append(f"python3 -m pip install --no-deps {package}")
    if commands:
        raise SetupError(
            f"uses the sourced ROS 2 and lacks Python packages: {' && '.join(commands)}"
        )

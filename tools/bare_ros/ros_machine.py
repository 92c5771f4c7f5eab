"""On a machine with ROS 2 sourced: which Python packages are still missing."""

from __future__ import annotations

import importlib.util
import sys
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

#: Outside of the workspace, where colcon would look for packages in it.
_VENV = "python3 -m venv --system-site-packages ~/openral-python && . ~/openral-python/bin/activate"


def is_importable(module: str) -> bool:
    """True if `module` can be found without running more than its parents."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def check_modules(
    has: Callable[[str], bool] = is_importable, *, in_venv: bool = sys.prefix != sys.base_prefix
) -> None:
    """Raises SetupError with the command that installs the missing modules.

    Into a virtual environment: the Python of a system that ROS 2 is packaged for takes nothing from
    pip (PEP 668). It has to see that Python's packages, since those of ROS are built for it.
    """
    missing = [package for module, package in _MODULES.items() if not has(module)]
    commands = [f"python3 -m pip install {' '.join(missing)}"] if missing else []
    for module, package in _ALONE.items():
        if not has(module):
            commands.append(f"python3 -m pip install --no-deps {package}")
    if not commands:
        return
    if not in_venv:
        commands.insert(0, _VENV)
    raise SetupError(f"uses the sourced ROS 2 and lacks Python packages: {' && '.join(commands)}")

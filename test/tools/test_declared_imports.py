"""What is imported is asked for by name: what comes with another package may go with it."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bare_ros.ros_machine import _MODULES

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = (
    "openral",
    "reasoner_node",
    "perception_node",
    "explorer_node",
    "skill_runner_node",
    "sim_node",
    "launch",
)
UNSHIPPED = ("bench", "test", "tools", "safety_kernel_cpp")

# Module: the PyPI package that brings it, and its rosdep key ("" = rosdep knows none).
PACKAGES = {
    "PIL": ("pillow", "python3-pil"),
    "annotated_types": ("annotated-types", ""),
    "anthropic": ("anthropic", ""),
    "av": ("av", ""),
    "cv2": ("opencv-python-headless", "python3-opencv"),
    "httpx2": ("httpx2", ""),
    "hypothesis": ("hypothesis", "python3-hypothesis"),
    "matplotlib": ("matplotlib", "python3-matplotlib"),
    "mink": ("mink", ""),
    "mujoco": ("mujoco", ""),
    "numpy": ("numpy", "python3-numpy"),
    "openai": ("openai", ""),
    "pydantic": ("pydantic", "python3-pydantic"),
    "pytest": ("pytest", "python3-pytest"),
    "rich": ("rich", "python3-rich"),
    "scipy": ("scipy", "python3-scipy"),
    "supervisor": ("supervisor", "supervisor"),
    "xdist": ("pytest-xdist", ""),  # without it the tests run one after the other
    "yaml": ("pyyaml", "python3-yaml"),
}
# Imported only once the user has chosen a model of that kind, and installed by who does.
OPTIONAL = {"anthropic", "openai", "httpx2"}
# Parts of ROS 2 that no wheel carries: `openral.bringup.launch` is imported by launch files only.
NO_WHEEL = {"launch", "launch_ros"}
BUILT_HERE = {"openral_msgs", "openral_safety_kernel"}


def imports(folder: str) -> dict[str, str]:
    """Top-level modules that files below `folder` import, each with one file that does."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [str(node.module)]
            for name in names:
                found.setdefault(name.split(".")[0], str(path.relative_to(ROOT)))
    return found


def own_modules() -> set[str]:
    """Modules that a file or folder of this repository is."""
    own = {*SHIPPED, *UNSHIPPED} - NO_WHEEL
    for folder in UNSHIPPED:
        for path in (ROOT / folder).rglob("*.py"):
            own |= {path.stem, path.parent.name}
    return own - set(PACKAGES) - NO_WHEEL


def third_party(*folders: str) -> dict[str, str]:
    ours = own_modules() | set(sys.stdlib_module_names)
    found: dict[str, str] = {}
    for folder in folders:
        for module, path in imports(folder).items():
            if module not in ours:
                found.setdefault(module, path)
    return found


ALL = third_party(*SHIPPED, *UNSHIPPED)
RUN_TIME = third_party(*SHIPPED)


def requirements() -> set[str]:
    lines = (ROOT / "tools/requirements.in").read_text(encoding="utf-8").splitlines()
    return {
        re.split(r"[=<>!~ #]", line, maxsplit=1)[0].lower()
        for line in lines
        if line and not line.startswith("#")
    }


def dependencies(*tags: str) -> set[str]:
    package = ElementTree.parse(ROOT / "package.xml").getroot()  # noqa: S314 (our own file)
    return {str(element.text) for tag in tags for element in package.findall(tag)}


def test_the_search_finds_what_is_imported() -> None:
    assert {"numpy", "rclpy", "scipy", "mujoco", "launch_ros"} <= set(RUN_TIME)
    assert {"pytest", "hypothesis"} <= set(ALL) - set(RUN_TIME)
    assert not {"openral", "perception_node", "bare_ros", "json"} & set(ALL)


@pytest.mark.parametrize("module", sorted(set(ALL) - BUILT_HERE - NO_WHEEL))
def test_a_bare_machine_is_told_to_install_it(module: str) -> None:
    package = PACKAGES[module][0] if module in PACKAGES else f"ros-jazzy-{module}".replace("_", "-")
    assert package in requirements(), f"{ALL[module]} imports {module}"


@pytest.mark.parametrize("module", sorted(ALL))
def test_a_ros_machine_is_told_to_install_it(module: str) -> None:
    run_time = module in RUN_TIME
    declared = dependencies("depend", "exec_depend")
    if not run_time:
        declared |= dependencies("test_depend")
    key = PACKAGES[module][1] if module in PACKAGES else module
    if key:
        assert key in declared, f"{ALL[module]} imports {module}"
    # What a rosdep key brings may still be too old or absent: set-up names what cannot be found.
    if module in PACKAGES and run_time and module not in OPTIONAL:
        assert module in _MODULES, f"{ALL[module]} imports {module}"


def test_every_declared_package_is_one_that_is_known() -> None:
    keys = {key for _, key in PACKAGES.values() if key} | BUILT_HERE | set(ALL)
    # A command and a plugin of pytest: never imported.
    started = {"ros2launch", "python3-pytest-timeout"}
    declared = dependencies("depend", "exec_depend", "test_depend")
    assert declared <= keys | started, declared - keys - started

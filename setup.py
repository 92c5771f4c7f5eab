"""The ament_python package `openral`: the shared library and every Python node."""

from pathlib import Path

from setuptools import find_packages, setup

NAME = "openral"
TOP_LEVEL = (
    "openral",
    "reasoner_node",
    "perception_node",
    "explorer_node",
    "skill_runner_node",
    "sim_node",
)


def share_files(*folders: str) -> list[tuple[str, list[str]]]:
    """Every file below `folders`, to be installed at the same place in share/openral."""
    by_folder: dict[str, list[str]] = {}
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                by_folder.setdefault(f"share/{NAME}/{path.parent.as_posix()}", []).append(str(path))
    return sorted(by_folder.items())


setup(
    name=NAME,
    version="0.1.0",
    description="Language models propose, a C++ kernel alone moves the robot",
    license="Apache-2.0",
    python_requires=">=3.10",
    packages=find_packages(include=[name for top in TOP_LEVEL for name in (top, f"{top}.*")]),
    package_data={top: ["py.typed"] for top in TOP_LEVEL},
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{NAME}"]),
        (f"share/{NAME}", ["package.xml"]),
        ("bin", ["resource/bin/openral"]),
        *share_files("launch", "config"),
    ],
    install_requires=["setuptools"],
    extras_require={"test": ["pytest"]},
    zip_safe=True,
    entry_points={
        "console_scripts": [
            "openral = openral.cli.main:main",
            "perception_node = perception_node.node:main",
            "reasoner_node = reasoner_node.node:main",
            "replay = reasoner_node.replay:main",
            "referee = sim_node.referee:main",
            "reward_monitor = skill_runner_node.reward.node:main",
            "sim_node = sim_node.node:main",
            "skill_runner_node = skill_runner_node.node:main",
        ],
    },
)

"""tools/env.sh and tools/setup as a shell sees them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a finished, empty environment and something built."""
    root = tmp_path / "a checkout"
    (root / "tools").mkdir(parents=True)
    for name in ("env.sh", "setup"):
        shutil.copy(TOOLS / name, root / "tools" / name)
    site_packages = root / ".venv" / "lib" / "python3.11" / "site-packages"
    (site_packages / "ros_rcl.libs").mkdir(parents=True)
    (root / ".venv" / "openral-setup.json").touch()
    (root / "install").mkdir()
    (root / "install" / "local_setup.bash").write_text('export BUILT=yes; : "$NEVER_SET"\n')
    return root


def bash(script: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", script],
        env={"PATH": "/usr/bin:/bin", **environ},
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )


def variables(script: str, **environ: str) -> dict[str, str]:
    done = bash(f"{script}\nenv -0", **environ)
    assert done.returncode == 0, done.stderr
    pairs = (pair.partition("=") for pair in done.stdout.split("\0") if pair)
    return {key: value for key, _, value in pairs if key not in ("_", "SHLVL", "PWD", "OLDPWD")}


def test_on_a_bare_machine_the_environment_stands_in_for_ros(checkout: Path) -> None:
    found = variables(f'cd /; . "{checkout}/tools/env.sh"')
    venv = f"{checkout}/.venv"
    libs = f"{venv}/lib/python3.11/site-packages/ros_rcl.libs"
    assert found["ROS_DISTRO"] == "jazzy"
    assert found["AMENT_PREFIX_PATH"] == venv
    assert found["CMAKE_PREFIX_PATH"] == venv
    assert found["LD_LIBRARY_PATH"] == f"{venv}/lib:{libs}"
    assert found["PYTHONPATH"] == str(checkout)
    assert found["PATH"] == f"{venv}/bin:/usr/bin:/bin"
    assert found["BUILT"] == "yes"


def test_sourcing_it_twice_changes_nothing(checkout: Path) -> None:
    once = variables(f'. "{checkout}/tools/env.sh"')
    twice = variables(f'. "{checkout}/tools/env.sh"; cd /; . "{checkout}/tools/env.sh"')
    assert twice == once


def test_it_can_be_sourced_by_a_strict_script_and_leaves_no_name_behind(checkout: Path) -> None:
    script = f'set -euo pipefail; . "{checkout}/tools/env.sh"; declare -F; set -o | grep nounset'
    done = bash(script)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["nounset", "on"]


def test_where_ros_is_sourced_only_what_was_built_is_added(checkout: Path) -> None:
    ros = {"ROS_DISTRO": "kilted", "AMENT_PREFIX_PATH": "/opt/ros/kilted"}
    found = variables(f'. "{checkout}/tools/env.sh"', **ros)
    assert found == {"PATH": "/usr/bin:/bin", "BUILT": "yes", **ros}


def test_an_unfinished_set_up_is_said_and_is_an_error(checkout: Path) -> None:
    (checkout / ".venv" / "openral-setup.json").unlink()
    done = bash(f'. "{checkout}/tools/env.sh"')
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "run " in done.stderr
    assert done.stderr.rstrip().endswith("tools/setup")


def test_another_checkouts_build_is_not_found_here(checkout: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(checkout, other)
    found = variables(f'. "{other}/tools/env.sh"; . "{checkout}/tools/env.sh"')
    assert found == variables(f'. "{checkout}/tools/env.sh"')


def test_a_python_that_does_not_fit_is_refused_in_one_line(checkout: Path, tmp_path: Path) -> None:
    old = tmp_path / "python3.9"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = bash(f'"{checkout}/tools/setup"', PYTHON=str(old))
    assert done.returncode == 1
    assert done.stderr == (
        f"setup: openral needs Python 3.10 to 3.13, and PYTHON={old} is none of them\n"
    )

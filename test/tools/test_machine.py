"""Which machines the set-up serves, and what it says to the others."""

from __future__ import annotations

import pytest
from bare_ros.failure import SetupError
from bare_ros.machine import check_platform, check_python, has_sourced_ros, is_debian_family

SOURCED = {"ROS_DISTRO": "jazzy", "AMENT_PREFIX_PATH": "/opt/ros/jazzy"}


def test_a_sourced_ros_is_seen() -> None:
    assert has_sourced_ros(SOURCED)


@pytest.mark.parametrize("missing", ["ROS_DISTRO", "AMENT_PREFIX_PATH"])
def test_half_a_ros_environment_is_none(missing: str) -> None:
    assert not has_sourced_ros({**SOURCED, missing: ""})


def test_the_environment_of_this_project_is_no_sourced_ros() -> None:
    assert not has_sourced_ros({**SOURCED, "OPENRAL_BARE_ROS": "/home/user/openral/.venv"})


@pytest.mark.parametrize(
    ("os_release", "expected"),
    [
        ("ID=debian\n", True),
        ("NAME=x\nID=ubuntu\nID_LIKE=debian\n", True),
        ('ID=linuxmint\nID_LIKE="ubuntu debian"\n', True),
        ('ID="fedora"\n', False),
        ("ID=alpine\nHOME_URL=https://debian.example\n", False),
        ("", False),
    ],
)
def test_debian_and_what_is_made_from_it_are_told_apart(os_release: str, expected: bool) -> None:
    assert is_debian_family(os_release) is expected


@pytest.mark.parametrize("version", [(3, 10), (3, 11), (3, 12), (3, 13)])
def test_every_python_with_wheels_is_taken(version: tuple[int, int]) -> None:
    check_python(version, "python3")


@pytest.mark.parametrize("version", [(2, 7), (3, 9), (3, 14), (4, 0)])
def test_any_other_python_is_refused_with_expected_and_got(version: tuple[int, int]) -> None:
    expected = rf"3\.10 to 3\.13, got {version[0]}\.{version[1]} \(/usr/bin/python3\)"
    with pytest.raises(SetupError, match=expected) as caught:
        check_python(version, "/usr/bin/python3")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("machine", [("Linux", "aarch64"), ("Darwin", "x86_64")])
def test_a_machine_without_wheels_is_refused(machine: tuple[str, str]) -> None:
    check_platform("Linux", "x86_64")
    with pytest.raises(SetupError, match=f"got {machine[0]} on {machine[1]}"):
        check_platform(*machine)

"""Whoever lacks a system package is told in one line which to install."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from bare_ros import system_packages
from bare_ros.failure import SetupError
from bare_ros.system_packages import Need, advice, check, needs, needs_of_tests, provide

COMPILER = Need("a C++17 compiler", ("g++",), lambda: False)
GL = Need("OpenGL without a display (EGL)", ("libegl1", "libegl-mesa0"), lambda: False)
MET = Need("air", ("oxygen",), lambda: True)


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would be run, as root on Debian with apt-get; nothing is."""
    run: list[list[str]] = []

    def record(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        run.append(list(command))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(system_packages.subprocess, "run", record)
    monkeypatch.setattr(system_packages.os, "geteuid", lambda: 0)
    monkeypatch.setattr(system_packages.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(system_packages, "read_os_release", lambda: "ID=debian\n")
    monkeypatch.setattr(system_packages.sys, "base_prefix", "/usr")
    return run


def test_on_debian_the_advice_is_the_command() -> None:
    line = advice([COMPILER, GL], debian=True)
    assert line == "needs system packages: sudo apt-get install -y g++ libegl1 libegl-mesa0"


def test_elsewhere_the_advice_says_what_the_packages_bring() -> None:
    line = advice([COMPILER], debian=False)
    assert "a C++17 compiler" in line
    assert "g++" in line
    assert "\n" not in line


def test_nothing_is_installed_where_nothing_is_missing(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert provide((MET,), tmp_path / "log") == []
    assert commands == []


def test_root_on_debian_installs_only_what_is_missing(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installs = Need("a compiler", ("g++",), lambda: bool(commands))
    assert provide((installs, MET), tmp_path / "log") == ["g++"]
    assert [command[3] for command in commands] == ["update", "install"]
    assert commands[1][-1] == "g++"
    assert not any("oxygen" in command for command in commands)


def test_what_older_releases_have_inside_of_another_package_is_installed_where_it_is_known(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def archive(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        commands.append(list(command))
        unknown = tuple(command) == ("apt-cache", "show", "split-later")
        return subprocess.CompletedProcess(command, 100 if unknown else 0)

    monkeypatch.setattr(system_packages.subprocess, "run", archive)
    clang = Need("a clang", ("clang",), lambda: bool(commands), ("split-off", "split-later"))
    provide((clang,), tmp_path / "log")
    assert commands[-1][-2:] == ["clang", "split-off"]
    assert advice([clang], debian=True).endswith("install -y clang split-off")
    assert advice([clang], debian=False).count("clang split-off split-later") == 1


def test_an_installation_that_brings_nothing_is_an_error(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(SetupError, match=r"found no a C\+\+17 compiler after it"):
        provide((COMPILER,), tmp_path / "log")
    assert len(commands) == 2


@pytest.mark.parametrize(
    ("os_release", "user"), [("ID=fedora\n", 0), ("ID=debian\n", 1000), ("", 0)]
)
def test_any_other_user_or_system_gets_the_advice_and_nothing_runs(
    commands: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    os_release: str,
    user: int,
) -> None:
    monkeypatch.setattr(system_packages, "read_os_release", lambda: os_release)
    monkeypatch.setattr(system_packages.os, "geteuid", lambda: user)
    with pytest.raises(SetupError, match=r"needs .*g\+\+"):
        provide((COMPILER,), tmp_path / "log")
    assert commands == []


def test_a_python_of_the_users_own_is_not_mended_with_apt(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    headers = Need("Python's headers", ("python3.11-dev",), lambda: False)
    monkeypatch.setattr(system_packages.sys, "base_prefix", "/home/user/python")
    with pytest.raises(SetupError, match="lacks Python's headers: reinstall that Python"):
        provide((headers,), tmp_path / "log")
    assert commands == []


def test_a_failing_apt_get_is_one_line_that_names_the_log(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        system_packages.subprocess,
        "run",
        lambda command, **_: subprocess.CompletedProcess(command, 100),
    )
    with pytest.raises(SetupError, match=r"could not install g\+\+ with apt-get: .*log"):
        provide((COMPILER,), tmp_path / "log")


def test_a_check_alone_gives_the_advice_even_to_root(commands: list[list[str]]) -> None:
    check((MET,))
    with pytest.raises(SetupError, match=r"sudo apt-get install -y g\+\+$"):
        check((COMPILER, MET))
    assert commands == []


def test_a_clang_without_the_libraries_of_its_sanitizers_is_none(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def compile_but_not_link(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        links = any(flag.startswith("-fsanitize=fuzzer") for flag in command)
        return subprocess.CompletedProcess(command, 1 if links else 0)

    monkeypatch.setattr(system_packages.subprocess, "run", compile_but_not_link)
    assert [need.what for need in needs_of_tests() if not need.is_met()] == [
        "a clang with libFuzzer"
    ]


def test_the_same_compilers_are_tried_as_the_build_tries() -> None:
    cmake = Path(__file__).parents[2] / "safety_kernel_cpp/cmake/find_libfuzzer.cmake"
    found = re.search(r"RANGE (\d+) (\d+) -1\)", cmake.read_text(encoding="utf-8"))
    assert found is not None
    newest, oldest = (int(number) for number in found.groups())
    versions = [f"clang++-{version}" for version in range(newest, oldest - 1, -1)]
    assert list(system_packages._CLANGS) == ["clang++", *versions]


def test_the_machine_that_runs_the_tests_lacks_nothing() -> None:
    lacking = [need.what for need in (*needs(), *needs_of_tests()) if not need.is_met()]
    assert lacking == []

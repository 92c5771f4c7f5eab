import os
import subprocess
from pathlib import Path

import pytest

from openral.bringup import installed
from openral.errors import ConfigError

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    (tmp_path / "share/ament_index/resource_index/packages").mkdir(parents=True)
    (tmp_path / "share/ament_index/resource_index/packages/openral").write_text("")
    (tmp_path / "share/openral/config/robots").mkdir(parents=True)
    (tmp_path / "share/openral/config/sim_node.yaml").write_text("")
    (tmp_path / "lib/openral").mkdir(parents=True)
    (tmp_path / "lib/openral/sim_node").write_text("")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    return tmp_path


def test_an_executable_is_found_by_the_ament_index(workspace):
    assert installed.executable("openral", "sim_node") == workspace / "lib/openral/sim_node"


def test_a_missing_executable_says_what_to_do(workspace):
    with pytest.raises(ConfigError, match=r"'ghost' of package 'openral': no file .*colcon build"):
        installed.executable("openral", "ghost")


def test_a_missing_package_says_what_to_do(workspace):
    with pytest.raises(ConfigError, match=r"'ghost' is not in AMENT_PREFIX_PATH.*colcon build"):
        installed.executable("ghost", "sim_node")


def test_an_empty_prefix_path_is_the_same_error(monkeypatch):
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)
    with pytest.raises(ConfigError, match="is not in AMENT_PREFIX_PATH"):
        installed.executable("openral", "sim_node")


def test_a_configuration_file_is_found(workspace):
    found = installed.config_file("sim_node.yaml")
    assert found == (workspace / "share/openral/config/sim_node.yaml").resolve()


def test_a_missing_configuration_file_lists_those_there_are(workspace):
    with pytest.raises(ConfigError, match=r"ghost\.yaml is missing; there are sim_node\.yaml"):
        installed.config_file("ghost.yaml")


def test_a_configuration_file_outside_its_folder_is_refused(workspace):
    with pytest.raises(ConfigError, match="lies outside"):
        installed.config_file("../../../lib/openral/sim_node")


def test_a_sourced_workspace_has_the_command_on_its_path(tmp_path):
    # Where `colcon build` finds a file in the prefix's bin/ it puts that folder on the PATH.
    assert '("bin", ["resource/bin/openral"])' in (ROOT / "setup.py").read_text()
    for folder in ("bin", "lib/openral"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "bin/openral").symlink_to(ROOT / "resource/bin/openral")
    built = tmp_path / "lib/openral/openral"
    built.write_text('#!/bin/sh\necho "built: $@"\n')
    built.chmod(0o755)
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(
        ["openral", "prompt", "two words"],
        env={"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "built: prompt two words\n")

import configparser
import shlex
from pathlib import Path
from types import MappingProxyType

import pytest
import yaml

from openral.bringup.processes import Choices, Process, sim_processes
from openral.bringup.run_folder import RunFolder
from openral.bringup.supervisord_config import _override_file, render, socket_path
from openral.errors import ConfigError


def fake_command(process, folder):
    return ["/bin/echo", process.name, "100% sure"]


def parsed(text):
    """As supervisord reads it: RawConfigParser with inline comments; '%%' stands for '%'."""
    parser = configparser.RawConfigParser(inline_comment_prefixes=(";", "#"))
    parser.read_string(text)
    return parser


@pytest.fixture
def folder(tmp_path):
    made = RunFolder(tmp_path)
    for part in (made.logs, made.supervisor):
        part.mkdir()
    return made


def test_every_process_becomes_a_program_of_its_own_group(folder):
    config = parsed(render(sim_processes(Choices()), folder, {}, fake_command))
    programs = [name for name in config.sections() if name.startswith("program:")]
    assert programs == [f"program:{process.name}" for process in sim_processes(Choices())]
    assert all(config[name]["killasgroup"] == "true" for name in programs)


def test_respawn_becomes_autorestart(folder):
    config = parsed(render(sim_processes(Choices()), folder, {}, fake_command))
    assert config["program:sim_node"]["autorestart"] == "false"
    assert config["program:safety_kernel"]["autorestart"] == "true"


def test_the_kernel_ends_last(folder):
    config = parsed(render(sim_processes(Choices()), folder, {}, fake_command))
    # http://supervisord.org/configuration.html: higher priorities shut down first.
    programs = [name for name in config.sections() if name.startswith("program:")]
    priorities = {name: int(config[name]["priority"]) for name in programs}
    others = {n: p for n, p in priorities.items() if n != "program:safety_kernel"}
    assert len(others) == len(sim_processes(Choices())) - 1
    assert priorities["program:safety_kernel"] < min(others.values())
    # The processes of a supervisor group end together, at the group's priority.
    (group,) = (config[name] for name in config.sections() if name.startswith("group:"))
    assert {f"program:{name}" for name in group["programs"].split(",")} == set(others)
    assert priorities["program:safety_kernel"] < int(group["priority"])


def test_a_command_survives_the_dialect(folder):
    process = Process("a", "p", "e", ())
    config = parsed(render([process], folder, {}, fake_command))
    line = config["program:a"]["command"].replace("%%", "%")
    assert shlex.split(line)[-3:] == ["/bin/echo", "a", "100% sure"]


def test_a_process_is_tethered_to_the_supervisor(folder):
    config = parsed(render([Process("a", "p", "e", ())], folder, {}, fake_command))
    words = shlex.split(config["program:a"]["command"])
    assert "SIGKILL" in words
    assert f"@{config['supervisord']['pidfile']}" in words


def test_the_declared_environment_yields_to_the_outer_one(folder):
    process = Process("a", "p", "e", (), env=MappingProxyType({"X": "1", "Y": "2"}))
    config = parsed(render([process], folder, {"X": "9"}, fake_command))
    assert config["program:a"]["environment"] == 'X="9",Y="2"'


def test_a_choice_for_this_start_wins_over_the_outer_environment(folder):
    reasoner = sim_processes(Choices(model="50%"))[-1]
    environ = {"OPENRAL_REASONER_MODEL": "gpt-5.5", "OMP_NUM_THREADS": "2"}
    config = parsed(render([reasoner], folder, environ, fake_command))
    assert config["program:reasoner_node"]["environment"] == (
        'OMP_NUM_THREADS="2",OPENBLAS_NUM_THREADS="1",OPENRAL_REASONER_MODEL="50%%"'
    )


def test_a_path_that_would_be_cut_as_a_comment_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="a path or a model's name must have no quote"):
        render([], RunFolder(tmp_path / "my ;runs"), {}, fake_command)


def test_overrides_become_a_ros_parameter_file(folder):
    process = Process("a", "p", "e", (), overrides=MappingProxyType({"seed": 3, "rate_hz": 0.5}))
    path = _override_file(process, folder)
    assert yaml.safe_load(path.read_text()) == {
        "/**": {"ros__parameters": {"rate_hz": 0.5, "seed": 3}}
    }


def test_the_socket_lies_in_the_run_folder_unless_its_path_is_too_long(tmp_path):
    short = RunFolder(Path("/r/1"))
    assert socket_path(short) == Path("/r/1/supervisor/supervisor.sock")
    long = RunFolder(Path("/" + "x" * 120))
    assert len(str(socket_path(long))) <= 99
    assert socket_path(long) == socket_path(long)
    assert socket_path(long) != socket_path(RunFolder(Path("/" + "y" * 120)))

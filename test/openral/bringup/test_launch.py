"""The launch description, read through the few classes of ROS 2 launch that it uses.

Launch is not installed on every machine that runs these tests, so they bring their own.
"""

import importlib
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest

from openral.bringup.processes import Process, robot_processes, sim_processes
from openral.errors import ConfigError

CONFIG = Path(__file__).parents[3] / "config"


@dataclass
class Action:
    options: dict = field(default_factory=dict)


def action_kind(name):
    return type(name, (Action,), {"__init__": lambda self, **options: setattr(self, "o", options)})


class Argument:
    def __init__(self, name, default_value, description, choices=None):
        self.name, self.default, self.choices = name, default_value, choices


class Configuration:
    def __init__(self, name):
        self.name = name

    def perform(self, context):
        return context[self.name]


class Opaque:
    def __init__(self, function):
        self.function = function


@pytest.fixture
def launch(monkeypatch):
    modules = {
        "launch": {"LaunchContext": dict, "LaunchDescription": list},
        "launch.action": {"Action": Action},
        "launch.actions": {
            "DeclareLaunchArgument": Argument,
            "ExecuteProcess": action_kind("ExecuteProcess"),
            "OpaqueFunction": Opaque,
        },
        "launch.substitutions": {"LaunchConfiguration": Configuration},
        "launch_ros": {},
        "launch_ros.actions": {"Node": action_kind("Node")},
    }
    for name, members in modules.items():
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "openral.bringup.launch", raising=False)
    loaded = importlib.import_module("openral.bringup.launch")
    monkeypatch.setattr(loaded.installed, "config_file", lambda relative: CONFIG / relative)
    monkeypatch.setattr(loaded.installed, "executable", lambda package, name: f"/bin/{name}")
    yield loaded
    sys.modules.pop("openral.bringup.launch", None)


def performed(launch, processes_of, may_arm=True, **given):
    described = launch.description(processes_of, may_arm=may_arm)
    defaults = {one.name: one.default for one in described if isinstance(one, Argument)}
    return described[-1].function({**defaults, **given})


def test_every_declared_process_becomes_a_node_of_the_namespace(launch):
    nodes = performed(launch, sim_processes)
    names = [node.o["name"] for node in nodes]
    assert names == [process.name for process in sim_processes(launch.Choices())]
    assert {node.o["namespace"] for node in nodes} == {"/openral"}


def test_a_real_robot_starts_no_simulated_one(launch):
    names = [node.o["name"] for node in performed(launch, robot_processes)]
    assert "sim_node" not in names


def test_arguments_become_parameters(launch):
    nodes = performed(launch, sim_processes, seed="0", model="rules", trace_path="/t")
    by_name = {node.o["name"]: node.o for node in nodes}
    assert by_name["sim_node"]["parameters"][-1] == {"seed": 0}
    assert by_name["reasoner_node"]["parameters"][-1] == {
        "robot_name": "panda",
        "model": "rules",
        "trace_path": "/t",
    }
    assert by_name["safety_kernel"]["parameters"] == [
        str(CONFIG / "robots/panda.yaml"),
        str(CONFIG / "safety_kernel.yaml"),
        {"loop.late_tolerance_s": 0.02},
    ]


def test_no_node_is_launched_with_a_parameter_that_is_given_twice(launch, monkeypatch, tmp_path):
    (tmp_path / "twice.yaml").write_text("/**:\n  ros__parameters:\n    a: 1\n    a: 2\n")
    monkeypatch.setattr(launch.installed, "config_file", lambda relative: tmp_path / relative)
    with pytest.raises(ConfigError, match=r"twice\.yaml, line 4: key 'a' is given twice"):
        launch.node_action(Process("a", "p", "e", ("twice.yaml",)))


def test_nothing_arms_unless_asked(launch):
    assert all("cmd" not in action.o for action in performed(launch, sim_processes))
    armed = performed(launch, sim_processes, arm="true")
    assert armed[-1].o["cmd"] == ["/bin/openral", "arm", "--when-ready"]


def test_a_node_that_ends_again_and_again_is_left_down(launch):
    nodes = performed(launch, sim_processes)
    assert {node.o["respawn_max_retries"] for node in nodes} == {launch.RESPAWNS} == {3}


def test_respawn_environment_and_niceness_are_the_declared_ones(launch):
    node = launch.node_action(Process("a", "p", "e", (), env={"X": "1"}, respawn=False, niceness=3))
    assert node.o["respawn"] is False
    assert node.o["additional_env"] == {"X": "1"}
    assert node.o["prefix"] == "nice -n 3"
    assert node.o["exec_name"] == node.o["name"]


def test_the_model_that_launch_is_given_wins_over_the_variable(launch, monkeypatch):
    monkeypatch.setenv("OPENRAL_REASONER_MODEL", "gpt-5.5")
    for model, forced in (("rules", "rules"), ("", None)):
        nodes = performed(launch, robot_processes, may_arm=False, model=model)
        by_name = {node.o["name"]: node.o["additional_env"] for node in nodes}
        assert by_name["reasoner_node"].get("OPENRAL_REASONER_MODEL") == forced
        assert "OPENRAL_REASONER_MODEL" not in by_name["safety_kernel"]


def test_beside_a_real_robot_there_is_no_argument_to_arm_by(launch):
    described = launch.description(robot_processes, may_arm=False)
    assert "arm" not in {one.name for one in described if isinstance(one, Argument)}
    kinds = {type(one).__name__ for one in performed(launch, robot_processes, may_arm=False)}
    assert kinds == {"Node"}


def test_a_seed_that_is_no_number_is_refused_by_name(launch):
    with pytest.raises(ConfigError, match="seed:='abc'"):
        performed(launch, sim_processes, seed="abc")


def test_a_misspelt_answer_to_arm_is_no_choice(launch):
    (arm,) = (one for one in launch.description(sim_processes) if getattr(one, "name", "") == "arm")
    assert arm.choices == ["true", "false"]

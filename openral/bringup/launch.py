"""Turns the declared processes into ROS 2 launch actions. Imported by launch files only."""

from __future__ import annotations

import os
from collections.abc import Callable

from launch.action import Action
from launch.actions import DeclareLaunchArgument, ExecuteProcess, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from launch import LaunchContext, LaunchDescription
from openral.bringup import installed
from openral.bringup.parameter_files import parameter_files
from openral.bringup.processes import NAMESPACE, Choices, Process, environment
from openral.errors import ConfigError

RESPAWN_DELAY_S = 1.0
RESPAWNS = 3
"""Of each node, as long as launch runs: one that ends again and again is left down."""

_ARGUMENTS = {
    "robot": ("panda", "file of config/robots/ without its ending"),
    "seed": ("", "seed of the simulated table; empty: config/sim_node.yaml"),
    "model": ("", "brain of the reasoner; empty: config/reasoner_node.yaml"),
    "record_path": ("", "referee's record of the simulated robot; empty: none"),
    "trace_path": ("", "the reasoner's decisions; empty: config/reasoner_node.yaml"),
    "arm": ("false", "true: arm the safety kernel once every node answers"),
}

_TO_ARM = {"arm": ["true", "false"]}


def _seed(text: str) -> int | None:
    """The seed that was given; None = none was.

    Raises:
        ConfigError: If it is no whole number.
    """
    if not text:
        return None
    if not text.isdecimal():
        raise ConfigError(f"launch argument seed:={text!r}: valid is a whole number, 0 or more")
    return int(text)


def description(
    processes_of: Callable[[Choices], tuple[Process, ...]], *, may_arm: bool = True
) -> LaunchDescription:
    """The launch description of the processes that `processes_of` declares.

    Without `may_arm` there is no argument to arm by: beside a real robot that is the operator's.
    """
    arguments = {
        name: value for name, value in _ARGUMENTS.items() if may_arm or name not in _TO_ARM
    }

    def actions(context: LaunchContext) -> list[Action]:
        given = {name: LaunchConfiguration(name).perform(context) for name in arguments}
        choices = Choices(
            robot=given["robot"],
            seed=_seed(given["seed"]),
            model=given["model"] or None,
            record_path=given["record_path"] or None,
            trace_path=given["trace_path"] or None,
        )
        nodes: list[Action] = [node_action(process) for process in processes_of(choices)]
        if may_arm and given["arm"] == "true":
            arm = installed.executable("openral", "openral")
            nodes.append(ExecuteProcess(cmd=[str(arm), "arm", "--when-ready"], output="screen"))
        return nodes

    declared = [
        DeclareLaunchArgument(
            name, default_value=default, description=text, choices=_TO_ARM.get(name)
        )
        for name, (default, text) in arguments.items()
    ]
    return LaunchDescription([*declared, OpaqueFunction(function=actions)])


def node_action(process: Process) -> Node:
    """One process as a launch action.

    Raises:
        ConfigError: If a parameter file is missing, or gives a parameter twice.
    """
    return Node(
        package=process.package,
        executable=process.executable,
        name=process.name,
        # Else launch calls it by the first word of its command, which may be `nice`.
        exec_name=process.name,
        namespace=NAMESPACE,
        parameters=[
            *(str(path) for path in parameter_files(process)),
            *([dict(process.overrides)] if process.overrides else []),
        ],
        additional_env=environment(process, os.environ),
        prefix=f"nice -n {process.niceness}" if process.niceness else None,
        respawn=process.respawn,
        respawn_delay=RESPAWN_DELAY_S,
        respawn_max_retries=RESPAWNS,
        output="screen",
        emulate_tty=True,
    )

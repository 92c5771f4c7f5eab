"""The processes of openral, declared once: both the supervisor and ROS 2 launch run this list.

The order means nothing: every node waits for what it needs, and may come back at any time. Only the
supervisor ends the kernel last.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from openral.bringup.installed import config_file
from openral.errors import ConfigError
from openral.llm.registry import MODEL_ENV
from openral.ros.transport import use_udp_alone

NAMESPACE = "/openral"

Value = bool | int | float | str
"""A parameter value that an override can set."""

# Of ROS 2 Jazzy and Kilted.
_DEFAULT_RMW = "rmw_fastrtps_cpp"

_ROBOT_NAME = re.compile(r"[A-Za-z0-9_-]+")

# What sees and thinks can wait some milliseconds; what moves the arm cannot, since a stream that
# falls silent is a stop. On two cores the detector alone would take the time of both.
_YIELDS = 5

# On few cores the kernel and the physics need them more than linear algebra does.
_ONE_THREAD = MappingProxyType({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})


@dataclass(frozen=True)
class Process:
    """One process of the system.

    Attributes:
        name: The node's name; also its log's.
        package: ROS package that installs the executable.
        executable: As `ros2 run <package> <executable>` takes it.
        parameter_files: ROS parameter files, relative to the share folder's `config/`; later wins.
        overrides: Parameters set after the files.
        env: Environment variables; one that is set already outside wins.
        chosen_env: Environment variables of the user's choices for this start: they win.
        respawn: Whether it is started again after it ended by itself.
        real_robot: Whether it also runs with a real robot.
        udp_alone: Whether its DDS traffic goes without shared memory (`openral.ros.transport`);
            set for a process that cannot arrange it itself.
        niceness: As nice(1) takes it: how far it yields the processor to the others.
        ends_last: Whether the supervisor ends it after all others.
    """

    name: str
    package: str
    executable: str
    parameter_files: tuple[str, ...]
    overrides: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))
    env: Mapping[str, str] = field(default_factory=lambda: _ONE_THREAD)
    chosen_env: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    respawn: bool = True
    real_robot: bool = True
    udp_alone: bool = False
    niceness: int = 0
    ends_last: bool = False


@dataclass(frozen=True)
class Choices:
    """What the user chooses for one start; None keeps the configuration's value.

    Attributes:
        robot: File of `config/robots/` without its ending.
        seed: Of the simulated table.
        model: The reasoner's brain: "rules" or a model of `config/models.yaml`.
        record_path: Where the simulated robot keeps the referee's record.
        trace_path: Where the reasoner keeps its decisions.
        overrides: More parameters by process name, for tests and experiments.
    """

    robot: str = "panda"
    seed: int | None = None
    model: str | None = None
    record_path: str | None = None
    trace_path: str | None = None
    overrides: Mapping[str, Mapping[str, Value]] = field(
        default_factory=lambda: MappingProxyType({})
    )


def _declared(robot_file: str) -> tuple[Process, ...]:
    return (
        # A simulated robot that lost its state is no robot to go on with: it stays down.
        Process(
            name="sim_node",
            package="openral",
            executable="sim_node",
            parameter_files=(robot_file, "sim_node.yaml"),
            env=MappingProxyType({**_ONE_THREAD, "MUJOCO_GL": "egl"}),
            respawn=False,
            real_robot=False,
        ),
        # Comes back disarmed: only the operator arms it again. It ends last: what the others moved
        # is braked by it, and not by the robot's own watchdog.
        Process(
            name="safety_kernel",
            package="openral_safety_kernel",
            executable="safety_kernel",
            parameter_files=(robot_file, "safety_kernel.yaml"),
            udp_alone=True,
            ends_last=True,
        ),
        Process(
            name="perception_node",
            package="openral",
            executable="perception_node",
            parameter_files=("perception_node.yaml",),
            niceness=_YIELDS,
        ),
        Process(
            name="skill_runner_node",
            package="openral",
            executable="skill_runner_node",
            parameter_files=(robot_file, "skill_runner_node.yaml"),
        ),
        Process(
            name="reward_monitor",
            package="openral",
            executable="reward_monitor",
            parameter_files=(robot_file, "reward_monitor.yaml"),
            niceness=_YIELDS,
        ),
        Process(
            name="reasoner_node",
            package="openral",
            executable="reasoner_node",
            parameter_files=("reasoner_node.yaml",),
            niceness=_YIELDS,
        ),
    )


# The host of a virtual machine now and then pauses all of its processors at once, for 10 to 16 ms.
# A simulated arm that brakes when its lease lapses may go on after that; a real one has its own
# computer (docs/on_a_robot.md).
_SIM_LATE_TOLERANCE_S = 0.02


def sim_processes(choices: Choices) -> tuple[Process, ...]:
    """Everything, with the simulated robot.

    Raises:
        ConfigError: If a choice names no process or no robot file.
    """
    return tuple(
        replace(
            process,
            overrides=MappingProxyType(
                {"loop.late_tolerance_s": _SIM_LATE_TOLERANCE_S, **process.overrides}
            ),
        )
        if process.name == "safety_kernel"
        else process
        for process in _chosen(choices)
    )


def robot_processes(choices: Choices) -> tuple[Process, ...]:
    """Everything but the simulated robot: the real one's driver takes its place.

    Raises:
        ConfigError: If a choice names no process or no robot file.
    """
    return tuple(process for process in _chosen(choices) if process.real_robot)


def _chosen(choices: Choices) -> tuple[Process, ...]:
    if not _ROBOT_NAME.fullmatch(choices.robot):
        raise ConfigError(
            f"robot {choices.robot!r}: expected a file of config/robots/ without its '.yaml'"
        )
    robot_file = f"robots/{choices.robot}.yaml"
    processes = _declared(robot_file)
    asked: dict[str, dict[str, Value]] = {
        "sim_node": _given(seed=choices.seed, record_path=choices.record_path),
        "skill_runner_node": {"robot_file": robot_file},
        "reward_monitor": {"robot_file": robot_file},
        "reasoner_node": _given(
            robot_name=choices.robot, model=choices.model, trace_path=choices.trace_path
        ),
    }
    names = [process.name for process in processes]
    for name, values in choices.overrides.items():
        if name not in names:
            raise ConfigError(f"process {name!r} is unknown; the processes are {', '.join(names)}")
        asked[name] = {**asked.get(name, {}), **values}
    return tuple(
        replace(
            process,
            overrides=MappingProxyType(asked.get(process.name, {})),
            chosen_env=MappingProxyType(_chosen_env(asked.get(process.name, {}))),
        )
        for process in processes
    )


def _chosen_env(overrides: Mapping[str, Value]) -> dict[str, str]:
    """A node lets the variable win over the parameter: what is chosen has to be both."""
    return {MODEL_ENV: str(overrides["model"])} if "model" in overrides else {}


def _given(**values: Value | None) -> dict[str, Value]:
    return {name: value for name, value in values.items() if value is not None}


def environment(process: Process, environ: Mapping[str, str]) -> dict[str, str]:
    """The process's own variables.

    A value that the user set outside wins over the declared one, and a choice for this start over
    both.

    Raises:
        ConfigError: If the DDS profile that the process needs is not installed.
    """
    own = {name: environ.get(name) or value for name, value in process.env.items()}
    if process.udp_alone:
        arranged = dict(environ)
        use_udp_alone(
            environ.get("RMW_IMPLEMENTATION") or _DEFAULT_RMW,
            config_file("fastdds_localhost.xml"),
            arranged,
        )
        own |= {name: value for name, value in arranged.items() if environ.get(name) != value}
    return own | dict(process.chosen_env)

import pytest

from openral.bringup.processes import Choices, environment, robot_processes, sim_processes
from openral.errors import ConfigError


def by_name(processes):
    return {process.name: process for process in processes}


def test_sim_declares_each_process_once():
    names = [process.name for process in sim_processes(Choices())]
    assert sorted(names) == [
        "perception_node",
        "reasoner_node",
        "reward_monitor",
        "safety_kernel",
        "sim_node",
        "skill_runner_node",
    ]


def test_a_real_robot_takes_the_place_of_the_simulated_one_only():
    sim = by_name(sim_processes(Choices()))
    robot = by_name(robot_processes(Choices()))
    assert set(sim) - set(robot) == {"sim_node"}
    assert all(robot[name] == sim[name] for name in set(robot) - {"safety_kernel"})


def test_every_process_but_the_simulated_robot_comes_back():
    respawns = {process.name: process.respawn for process in sim_processes(Choices())}
    assert [name for name, again in respawns.items() if not again] == ["sim_node"]


def test_what_moves_the_arm_yields_to_nobody():
    yielding = {one.name for one in sim_processes(Choices()) if one.niceness > 0}
    assert yielding == {"perception_node", "reward_monitor", "reasoner_node"}


def test_choices_become_overrides_of_the_process_they_concern():
    chosen = by_name(
        sim_processes(Choices(seed=7, model="rules", record_path="/r", trace_path="/t"))
    )
    assert chosen["sim_node"].overrides == {"seed": 7, "record_path": "/r"}
    assert chosen["reasoner_node"].overrides == {
        "robot_name": "panda",
        "model": "rules",
        "trace_path": "/t",
    }
    assert chosen["safety_kernel"].overrides == {"loop.late_tolerance_s": 0.02}


def test_what_is_not_chosen_keeps_the_configured_value():
    chosen = by_name(sim_processes(Choices()))
    assert chosen["sim_node"].overrides == {}
    assert chosen["reasoner_node"].overrides == {"robot_name": "panda"}


def test_seed_zero_is_a_choice():
    assert by_name(sim_processes(Choices(seed=0)))["sim_node"].overrides == {"seed": 0}


def test_overrides_add_to_choices():
    chosen = by_name(sim_processes(Choices(seed=1, overrides={"sim_node": {"seed": 2, "x": 0.5}})))
    assert chosen["sim_node"].overrides == {"seed": 2, "x": 0.5}


def test_an_override_of_an_unknown_process_is_refused_with_the_known_ones():
    with pytest.raises(ConfigError, match="'simnode' is unknown; the processes are sim_node, "):
        sim_processes(Choices(overrides={"simnode": {}}))


@pytest.mark.parametrize("name", ["", "../panda", "panda.yaml", "a b"])
def test_a_robot_that_is_no_plain_name_is_refused(name):
    with pytest.raises(ConfigError, match="expected a file of config/robots/"):
        sim_processes(Choices(robot=name))


def test_the_robot_chooses_its_parameter_file():
    chosen = by_name(sim_processes(Choices(robot="ur5e")))
    assert "robots/ur5e.yaml" in chosen["safety_kernel"].parameter_files
    assert chosen["reasoner_node"].overrides["robot_name"] == "ur5e"


@pytest.mark.parametrize("name", ["skill_runner_node", "reward_monitor"])
def test_what_plans_for_the_robot_reads_the_file_that_the_kernel_reads(name):
    chosen = by_name(sim_processes(Choices(robot="ur5e")))
    assert chosen[name].overrides == {"robot_file": "robots/ur5e.yaml"}


def test_a_variable_set_outside_wins_over_the_declared_one():
    sim = by_name(sim_processes(Choices()))["sim_node"]
    assert environment(sim, {})["MUJOCO_GL"] == "egl"
    assert environment(sim, {"MUJOCO_GL": "osmesa"})["MUJOCO_GL"] == "osmesa"
    assert environment(sim, {"MUJOCO_GL": ""})["MUJOCO_GL"] == "egl"


def test_a_chosen_model_wins_over_the_variable_that_is_set_outside():
    outside = {"OPENRAL_REASONER_MODEL": "gpt-5.5"}
    for choices in (
        Choices(model="rules"),
        Choices(overrides={"reasoner_node": {"model": "rules"}}),
    ):
        for declared in (sim_processes, robot_processes):
            reasoner = by_name(declared(choices))["reasoner_node"]
            assert environment(reasoner, outside)["OPENRAL_REASONER_MODEL"] == "rules"
    free = by_name(sim_processes(Choices()))["reasoner_node"]
    assert "OPENRAL_REASONER_MODEL" not in environment(free, outside)


def test_the_kernel_shares_no_memory_whatever_the_range():
    kernel = by_name(sim_processes(Choices()))["safety_kernel"]
    assert environment(kernel, {})["FASTDDS_BUILTIN_TRANSPORTS"] == "UDPv4"
    near = environment(kernel, {"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"})
    assert near["ROS_AUTOMATIC_DISCOVERY_RANGE"] == "SYSTEM_DEFAULT"
    assert near["FASTDDS_DEFAULT_PROFILES_FILE"].endswith("config/fastdds_localhost.xml")
    other = {
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
        "RMW_IMPLEMENTATION": "rmw_cyclonedds_cpp",
    }
    assert environment(kernel, other).keys() == {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}


def test_a_pause_of_the_machine_is_late_sooner_beside_a_real_robot_than_beside_a_simulated_one():
    name = "loop.late_tolerance_s"
    assert by_name(sim_processes(Choices()))["safety_kernel"].overrides == {name: 0.02}
    assert name not in by_name(robot_processes(Choices()))["safety_kernel"].overrides
    asked = Choices(overrides={"safety_kernel": {name: 0.005}})
    assert by_name(sim_processes(asked))["safety_kernel"].overrides == {name: 0.005}

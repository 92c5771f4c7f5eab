from made import KERNEL, MISSION

from openral.cli.observed import Observed
from openral.cli.readiness import EVIDENCE, missing, ready


def complete():
    heard = Observed(mission=MISSION, kernel=KERNEL)
    heard.count("joint_states", 1.0)
    heard.count("detections", 1.0)
    heard.servers = {"execute_rskill": True, "query_task_progress": True}
    return heard


def test_before_anything_is_heard_every_node_is_missing_with_its_evidence():
    assert missing(Observed()) == tuple(f"{name} (no {what})" for name, what in EVIDENCE.items())


def test_a_system_that_answers_misses_nothing():
    assert missing(complete()) == ()
    assert ready(complete()) == tuple(EVIDENCE)


def test_without_a_driver_nothing_is_asked_of_robot_and_cameras():
    heard = complete()
    heard.rates.clear()
    assert missing(heard, driver=False) == ("perception_node (no perception/catalogue/detections)",)
    heard.perception_present = True
    assert missing(heard, driver=False) == ()
    assert missing(heard) == (
        "sim_node (no joint_states)",
        "perception_node (no perception/catalogue/detections)",
    )
    everything_else = tuple(name for name in EVIDENCE if name != "sim_node")
    assert ready(heard, driver=False) == everything_else


def test_without_a_driver_the_nodes_are_asked_for_all_the_same():
    assert [line.split()[0] for line in missing(Observed(), driver=False)] == [
        "safety_kernel",
        "perception_node",
        "skill_runner_node",
        "reward_monitor",
        "reasoner_node",
    ]


def test_a_silent_node_is_named():
    heard = complete()
    heard.kernel = None
    heard.servers = {"execute_rskill": True}
    assert missing(heard) == (
        "safety_kernel (no kernel_status)",
        "reward_monitor (no query_task_progress)",
    )

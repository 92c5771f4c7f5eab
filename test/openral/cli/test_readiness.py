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


def test_a_silent_node_is_named():
    heard = complete()
    heard.kernel = None
    heard.servers = {"execute_rskill": True}
    assert missing(heard) == (
        "safety_kernel (no kernel_status)",
        "reward_monitor (no query_task_progress)",
    )

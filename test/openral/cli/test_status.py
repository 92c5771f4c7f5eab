from made import KERNEL, MISSION, replace

from openral.bringup.supervisord import ProcessStatus
from openral.cli.observed import Observed
from openral.cli.status import lines


def test_a_silent_system_names_every_node():
    text = lines(Observed(), (), 0.0)
    assert text[0] == "sim_node           silent (no joint_states)"
    assert len(text) == 6


def test_status_tells_processes_kernel_and_mission():
    heard = Observed(
        kernel=replace(KERNEL, state="DISARMED", unmet=("joint_state_stale",)), mission=MISSION
    )
    processes = (ProcessStatus("safety_kernel", "RUNNING", 42, 0, "/log"),)
    text = "\n".join(lines(heard, processes, 0.0))
    assert "safety_kernel      answers  running pid 42" in text
    assert "cannot arm: joint_state_stale" in text
    assert "mission  ACTIVE by rules: tidy up" in text
    assert "PENDING   put the milk into the basket" in text

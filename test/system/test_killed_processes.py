"""SIGKILL in mid-motion: the arm rests, somebody says so, and nothing moves until a new goal."""

import subprocess
import sys

import pytest

from openral.cli.exit_code import ExitCode
from openral.cli.mission_end import RESTARTED, Ending
from sim_node.referee import rest_time

pytestmark = [pytest.mark.real_time, pytest.mark.timeout(240)]

RUNNER_REST_S = 0.150
# The record has every step of the physics from the lapse of the lease until the arm rests.
LEASE_S = 0.015
BRAKE_S = 0.035
ON_ITS_WAY_S = 0.005  # the last command of a kernel that is killed
SILENCE_S = 3.0


@pytest.fixture(scope="module")
def system(start_system):
    return start_system(sim_node={"seed": 5})


def in_motion_at(system, killed_at):
    """The robot's own record, which has the arm in mid-motion then."""
    record = system.record()
    before = [one for one in record.samples if one.t_mono <= killed_at][-1]
    assert max(abs(speed) for speed in before.qd) > 0.05, "it was killed in mid-motion"
    return record


def lapse_after(record, killed_at):
    """Time from the kill until no command is in force and the brakes act [s]."""
    after = (one.t_mono for one in record.samples if one.t_mono > killed_at and one.lease != "ok")
    return next(after) - killed_at


def rest_after(record, killed_at):
    """Time from the kill until the arm rests for good [s]."""
    rest = rest_time(record, killed_at)
    assert rest is not None, "the arm came to rest and stayed there"
    return rest - killed_at


def test_a_killed_reasoner_ends_the_wait_and_leaves_an_arm_at_rest(system):
    command = [sys.executable, "-m", "openral.cli.main", "prompt", "--wait"]
    waiting = subprocess.Popen(
        [*command, "put the mustard into the basket"],
        env=system.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        system.until_moving()
        system.kill("reasoner_node")
        system.until(lambda: waiting.poll() is not None, 90, "`openral prompt --wait` ends")
        told, complaint = waiting.communicate()
    finally:
        waiting.kill()
    assert waiting.returncode == ExitCode.STOPPED, complaint
    assert told.splitlines()[-1] == f"stopped: {RESTARTED}"
    assert complaint == ""
    # Nothing is claimed, nothing goes on, and who looks for the reason finds it.
    assert (system.observed.mission.state, system.observed.mission.mission_id) == ("IDLE", "")
    system.until(lambda: system.observed.skill.state != "RUNNING", 20, "the skill ended")
    system.until(lambda: not system.is_moving(), 5, "the arm rests")
    log = (system.folder.logs / "reasoner_node.log").read_text(encoding="utf-8")
    cancelled = "a skill of before this start was running: cancelled" in log
    assert cancelled == (system.observed.skill.state == "CANCELED"), system
    assert system.observed.kernel.state == "HOLDING", "nobody latched it"


def test_a_killed_skill_runner_leaves_an_arm_at_rest(system):
    watch = system.begin("put the milk into the basket", deadline_s=60)
    killed_at = system.kill("skill_runner_node")
    end = system.finish(watch)
    assert end.ending in (Ending.STOPPED, Ending.INCOMPLETE), system
    assert "skill runner" in end.words.lower(), system
    system.operator.spin(SILENCE_S)
    assert rest_after(in_motion_at(system, killed_at), killed_at) <= RUNNER_REST_S


def test_a_skill_runner_that_is_back_is_told(system):
    # Said once at its start: the one that was killed had a goal.
    system.until(lambda: system.observed.skill.state == "IDLE", 20, "a new skill runner")
    system.until(
        lambda: any("skill runner answers again" in said.text for said in system.observed.says),
        20,
        "the reasoner says that the skill runner is back",
    )


def test_a_killed_kernel_leaves_an_arm_at_rest_and_comes_back_disarmed(system):
    system.arm()
    # The mustard's skill, above, may have come to its own end: it is in the basket then.
    watch = system.begin("put the soup can into the basket", deadline_s=60)
    killed_at = system.kill("safety_kernel")
    end = system.finish(watch)
    assert end.ending is Ending.STOPPED, system
    assert "kernel" in end.words.lower(), system
    system.until(
        lambda: system.observed.kernel.state == "DISARMED", 15, "the kernel is back, disarmed"
    )
    system.operator.spin(SILENCE_S)
    record = in_motion_at(system, killed_at)
    assert lapse_after(record, killed_at) <= LEASE_S + ON_ITS_WAY_S
    assert rest_after(record, killed_at) <= LEASE_S + BRAKE_S
    assert system.observed.kernel.state == "DISARMED", "nobody but the operator arms"


def test_after_a_killed_reasoner_skill_runner_and_kernel_a_new_goal_works(system):
    system.arm()
    end = system.ask("put the milk into the basket", deadline_s=120)
    assert end.ending is Ending.DONE, system


def test_a_killed_robot_ends_in_an_honest_word(system):
    watch = system.begin("put the cereal into the basket", deadline_s=60)
    system.kill("sim_node")
    end = system.finish(watch)
    assert end.ending in (Ending.STOPPED, Ending.INCOMPLETE), system
    assert system.observed.mission.has_ended
    system.until(
        lambda: system.stack.process("sim_node").state == "EXITED", 5, "the robot stays down"
    )

"""One goal end to end: real processes, real DDS, the simulated robot's own record as judge."""

import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from system import moved

from openral.cli.mission_end import Ending, MissionWatch
from sim_node.referee import judge

pytestmark = [pytest.mark.real_time, pytest.mark.timeout(240)]

# As `ros2 topic pub --once /openral/prompt …` would: nothing of openral but its message.
PLAIN_RCLPY = """
import sys, time, rclpy
from openral_msgs.msg import Prompt
rclpy.init()
node = rclpy.create_node("somebody")
publisher = node.create_publisher(Prompt, "/openral/prompt", 10)
while publisher.get_subscription_count() == 0:
    rclpy.spin_once(node, timeout_sec=0.05)
publisher.publish(Prompt(text=sys.argv[1]))
rclpy.spin_once(node, timeout_sec=0.5)
"""

# As a viewer or `ros2 topic echo` would: it joins with the transports that ROS gives it, and looks.
# Told to, so that it joins in mid-motion however long its libraries take to load.
VIEWER = """
import sys, rclpy
from openral_msgs.msg import ActionChunk, KernelStatus, MotorCommand
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image, JointState
sys.stdin.readline()
rclpy.init()
node = rclpy.create_node("viewer")
heard = set()
for kind, topic in (
    (JointState, "joint_states"),
    (Image, "camera/front/image_raw"),
    (KernelStatus, "kernel_status"),
    (MotorCommand, "motor_command"),
    (ActionChunk, "candidate_action"),
):
    hear = lambda message, topic=topic: heard.add(topic)
    node.create_subscription(kind, "/openral/" + topic, hear, qos_profile_sensor_data)
while len(heard) < 5:
    rclpy.spin_once(node, timeout_sec=0.1)
"""

UNTOUCHED_M = 0.005


# In view of the cameras, and 0.85 m from the arm's axis: no grip from above reaches it.
OUT_OF_REACH = '{"soup can": [0.75, 0.4, 0.0]}'


@pytest.fixture(scope="module")
def system(start_system):
    return start_system(sim_node={"seed": 3, "object_poses": OUT_OF_REACH})


def test_chunks_and_commands_have_one_publisher_each(system):
    assert system.operator.publishers("candidate_action") == 1
    assert system.operator.publishers("motor_command") == 1


def test_an_empty_prompt_is_refused_and_nothing_moves(system):
    end = system.ask("   ", deadline_s=20)
    assert end.ending is Ending.REFUSED, system
    assert "empty" in end.words.lower()
    assert system.observed.mission.state == "IDLE"


def test_an_unknown_object_ends_honestly_and_nothing_moves(system):
    end = system.ask("put the unicorn into the basket", deadline_s=60)
    assert end.ending in (Ending.INCOMPLETE, Ending.REFUSED), system
    assert "unicorn" in end.words.lower()
    assert not system.is_moving()
    record = system.record()
    assert all(moved(record, label) < UNTOUCHED_M for label in record.header.objects)


def test_an_object_out_of_reach_is_left_where_it_is(system):
    before = len(system.final_words())
    end = system.ask("put the soup can into the basket", deadline_s=90)
    assert end.ending in (Ending.INCOMPLETE, Ending.REFUSED, Ending.STOPPED), system
    assert system.observed.mission.state != "ACTIVE"
    assert len(system.final_words()) == before + 1, system
    assert "soup can" in end.words.lower()
    assert "reach" in end.words.lower()
    record = system.record()
    assert all(moved(record, label) < UNTOUCHED_M for label in record.header.objects)


@pytest.fixture(scope="module")
def viewers(system):
    """Three that wait to be told to join."""
    waiting = [
        subprocess.Popen([sys.executable, "-c", VIEWER], env=system.environ, stdin=subprocess.PIPE)
        for _ in range(3)
    ]
    yield waiting
    for viewer in waiting:
        viewer.kill()
        viewer.communicate()


@pytest.fixture(scope="module")
def milk(system, viewers):
    """A mission that another process prompts, and viewers join in its mid-motion."""
    stops = system.observed.kernel.stops
    watch = MissionWatch(time.monotonic(), time.time(), system.observed.mission, deadline_s=120)
    subprocess.run(
        [sys.executable, "-c", PLAIN_RCLPY, "put the milk into the basket"],
        env=system.environ,
        check=True,
        timeout=30,
    )
    for viewer in viewers:
        system.until_moving()
        viewer.stdin.write(b"join\n")
        viewer.stdin.flush()
        system.until(lambda one=viewer: one.poll() is not None, 20, "a viewer saw all topics")
        assert viewer.returncode == 0
    end = system.finish(watch)
    system.operator.spin(0.5)
    return SimpleNamespace(
        end=end, mission=system.observed.mission, stops=system.observed.kernel.stops - stops
    )


def test_a_prompt_of_another_process_moves_the_milk_alone(system, milk):
    assert milk.end.ending is Ending.DONE, system
    verdict = judge(system.record(), ["milk"])
    assert verdict.cleared, verdict
    others = {label: one.moved for label, one in verdict.objects.items() if label != "milk"}
    assert all(distance < UNTOUCHED_M for distance in others.values()), others
    assert [task.object_ref for task in milk.mission.tasks] == ["milk"]


def test_viewers_that_join_in_mid_motion_stop_nothing(system, milk):
    assert milk.end.ending is Ending.DONE, system
    assert milk.stops == 0


def test_a_prompt_during_a_mission_replaces_it_and_says_so(system):
    before = len(system.final_words())
    system.prompt("put the mustard into the basket", deadline_s=60)
    system.until_moving()
    second = system.prompt("put the cereal into the basket", deadline_s=60)
    system.until(
        lambda: "cereal" in system.observed.mission.goal, 10, "the second goal is the mission"
    )
    system.until(lambda: len(system.final_words()) > before, 5, "the first mission's honest end")
    assert len(system.final_words()) == before + 1
    system.until_moving()
    stopped = system.ask("stop", deadline_s=20)
    assert stopped.ending is Ending.STOPPED, system
    assert system.finish(second).ending is Ending.STOPPED
    system.until(lambda: not system.is_moving(), 2, "the arm rests after the operator's stop")


def test_two_prompts_at_once_leave_one_mission_and_a_word_for_each(system):
    before = len(system.final_words())
    system.operator.send_prompt("put the mustard into the basket")
    system.operator.send_prompt("put the soup can into the basket")
    system.until(lambda: system.observed.mission.state == "ACTIVE", 10, "a mission is active")
    system.until(lambda: "soup" in system.observed.mission.goal, 10, "the newer goal holds")
    system.ask("stop", deadline_s=20)
    system.until(lambda: len(system.final_words()) == before + 2, 5, "each had its final word")
    assert system.observed.mission.state == "STOPPED"


@pytest.mark.parametrize("name", ["sim_node", "safety_kernel"])
def test_what_moves_the_arm_waits_for_no_readers_shared_memory(system, name):
    tasks = Path("/proc", str(system.stack.process(name).pid), "task")
    threads = [task.read_text().strip() for task in tasks.glob("*/comm")]
    assert threads
    assert not [thread for thread in threads if thread.startswith("dds.shm")]

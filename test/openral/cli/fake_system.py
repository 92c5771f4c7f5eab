"""A system that only talks: every node's topics and servers, and a reasoner that obeys the test.

`FAKE_REASONER` chooses its answer to a prompt: done, incomplete, refuse, answer (mere words), hang,
replaced (another's goal takes the place of the prompt's, and is done), restart (the reasoner knows
nothing of it any more), or crash (the process that plays the simulated robot ends).
"""

import json
import os
import sys
import time

from openral_msgs.action import ExecuteRskill
from openral_msgs.msg import (
    CriticScore,
    DetectionArray,
    KernelStatus,
    MissionState,
    Prompt,
    SkillState,
    TaskState,
)
from openral_msgs.srv import QueryTaskProgress
from rclpy.action import ActionServer
from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger

from openral.ros import qos
from openral.ros.run import run

DONE_AFTER_S = 1.0


class FakeSystem(Node):
    def __init__(self):
        super().__init__("sim_node", automatically_declare_parameters_from_overrides=True)
        self.mode = os.environ["FAKE_REASONER"]
        path = self.get_parameter("record_path").value
        self.record = open(path, "w", buffering=1)  # noqa: SIM115, PTH123
        self.record.write(json.dumps({"joints": ["panda_joint1"]}) + "\n")
        self.joints = self.create_publisher(JointState, "joint_states", qos.SENSOR)
        self.kernel = self.create_publisher(KernelStatus, "kernel_status", qos.KERNEL_STATUS)
        self.seen = self.create_publisher(
            DetectionArray, "perception/catalogue/detections", qos.DETECTIONS
        )
        self.skill = self.create_publisher(SkillState, "skill_state", qos.SKILL_STATE)
        self.score = self.create_publisher(CriticScore, "critic/score", qos.CRITIC)
        self.mission = self.create_publisher(MissionState, "mission", qos.MISSION)
        self.say = self.create_publisher(Prompt, "say", qos.SAY)
        self.create_service(Trigger, "kernel/arm", self.arm)
        self.create_service(QueryTaskProgress, "query_task_progress", lambda q, a: a)
        self.server = ActionServer(self, ExecuteRskill, "execute_rskill", lambda goal: None)
        self.create_subscription(Prompt, "prompt", self.prompted, qos.PROMPT)
        self.status = KernelStatus(state=KernelStatus.DISARMED, unmet=["joint_state_stale"])
        self.asked = 0
        self.mission.publish(MissionState())
        self.create_timer(0.05, self.tick)
        self.end_timer = None

    def tick(self):
        self.joints.publish(JointState())
        self.seen.publish(DetectionArray())
        self.kernel.publish(self.status)
        now = {"t_mono": time.monotonic(), "q": [0.0], "qd": [0.0]}
        self.record.write(json.dumps(now) + "\n")

    def arm(self, request, answer):
        self.asked += 1
        answer.success = self.asked > 1  # the first time its precondition is not met yet
        answer.message = "armed" if answer.success else "joint_state_stale"
        if answer.success:
            self.status = KernelStatus(state=KernelStatus.HOLDING, epoch=1)
        return answer

    def prompted(self, prompt):
        if self.mode == "refuse":
            anothers = Prompt(text="too long", kind="refused", trace_id="prompt-theirs")
            self.say.publish(anothers)
            self.say.publish(
                Prompt(
                    text="no such thing here", kind="refused", trace_id=prompt.trace_id or "none"
                )
            )
        elif self.mode == "crash":
            os._exit(3)
        elif self.mode == "answer":
            self.say.publish(Prompt(text="Warning: I cannot see.", kind="info"))
            self.say.publish(Prompt(text="I see milk.", kind="info", trace_id=prompt.trace_id))
        else:
            self.publish_mission(prompt.text, MissionState.ACTIVE, TaskState.ACTIVE)
            self.skill.publish(SkillState(state=SkillState.RUNNING, skill_id="pick_place"))
            self.score.publish(CriticScore(score=0.8, threshold=0.9, floor=0.5, stage="over"))
            if self.mode != "hang":
                self.end_timer = self.create_timer(DONE_AFTER_S, lambda: self.end(prompt.text))

    def end(self, goal):
        self.end_timer.cancel()
        if self.mode == "restart":
            self.mission.publish(MissionState())
            self.say.publish(Prompt(text="Warning: I cannot see.", kind="info"))
            return
        if self.mode == "replaced":
            words = "Stopped for the new goal 'sing'."
            self.say.publish(Prompt(text=words, kind="could_not_complete", trace_id="m1"))
            self.publish_mission("sing", MissionState.DONE, TaskState.DONE, "m2")
            self.say.publish(Prompt(text="Done: sing.", kind="done", trace_id="m2"))
            return
        done = self.mode == "done"
        self.publish_mission(
            goal,
            MissionState.DONE if done else MissionState.INCOMPLETE,
            TaskState.DONE if done else TaskState.ABANDONED,
        )
        kind = "done" if done else "could_not_complete"
        self.say.publish(Prompt(text=f"{kind}, I say", kind=kind))

    def publish_mission(self, goal, state, task_state, mission_id="m1"):
        task = TaskState(object_ref="milk", text="put the milk in", state=task_state)
        self.mission.publish(
            MissionState(mission_id=mission_id, goal=goal, state=state, tasks=[task], brain="fake")
        )


if __name__ == "__main__":
    sys.exit(run(FakeSystem, "fake_system"))

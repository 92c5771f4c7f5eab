"""The names that openral's parts call the same states by. No ROS: cores import them too.

Written once, here; `openral.ros.names` ties each to its number in the messages.
"""

from __future__ import annotations

from typing import Literal, get_args

NAME = r"^[a-z][a-z0-9_]{0,62}$"
"""What a detector, a camera, a skill may be called: the name is part of a topic or a folder."""

KernelStateName = Literal["disarmed", "holding", "active", "braking", "latched"]
"""openral_msgs/KernelStatus, `state`."""

SkillStateName = Literal["idle", "running", "succeeded", "failed", "canceled"]
"""openral_msgs/SkillState, `state`."""

TaskStateName = Literal["pending", "active", "verifying", "done", "abandoned"]
"""openral_msgs/TaskState, `state`."""

MissionStateName = Literal["idle", "active", "done", "incomplete", "stopped"]
"""openral_msgs/MissionState, `state`."""

SeverityName = Literal["info", "warn", "fail", "abort"]
"""openral_msgs/FailureTrigger, `severity`, from the mildest on."""

OutcomeName = Literal[
    "completed",
    "canceled",
    "deadline",
    "safety_stop",
    "refused",
    "observation",
    "not_found",
    "unreachable",
    "policy_error",
    "grasp_failed",
]
"""openral_msgs/ExecuteRskill, `outcome` of the result."""

FailureLayer = Literal["safety", "hal", "sensor", "rskill", "wam", "critic"]
"""Who reports: openral_msgs/FailureTrigger on `failure/<layer>`."""

FAILURE_LAYERS: tuple[FailureLayer, ...] = get_args(FailureLayer)

TRACE_ID_CHARS = 64
"""Of a trace_id that is kept, which is what a chunk holds; the rest is cut where it enters."""

CAMERA_RECOVERED = "camera_recovered"
"""Kind of a FailureTrigger of layer `sensor`, severity INFO: a camera gives images again."""

CAMERA_STALE = "camera_stale"
"""Kind of a FailureTrigger of layer `sensor`: a camera gives no images, old ones, or the same one.

Also the first word of a LocateInView's `message` that could not look for that reason, followed by a
colon: the same loss is then published as a failure, and its end as `CAMERA_RECOVERED`.
"""

PERCEPTION_NODE = "perception_node"
"""As it names itself in the graph and, before a colon, in its diagnostics."""

DIAGNOSED_LIFE = "life"
"""Key in a node's diagnostics; another value than before = the node has started anew."""

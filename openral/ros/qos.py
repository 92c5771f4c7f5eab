"""Quality of service of the topics that Python speaks on: both ends take the same constant."""

from __future__ import annotations

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy


def _profile(depth: int, *, reliable: bool, latched: bool = False) -> QoSProfile:
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=depth,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
    )


PROMPT = _profile(10, reliable=True)
SAY = _profile(10, reliable=True, latched=True)
MISSION = _profile(1, reliable=True, latched=True)
FAILURE = _profile(50, reliable=True)
DETECTIONS = _profile(5, reliable=False)
PERCEPTION_EVENT = _profile(10, reliable=False)
ANNOTATED = _profile(1, reliable=False)
CRITIC = _profile(10, reliable=True)
CHUNK = _profile(1, reliable=True)
MOTOR_COMMAND = _profile(1, reliable=True)
KERNEL_STATUS = _profile(1, reliable=True, latched=True)
SKILL_STATE = _profile(1, reliable=True, latched=True)
SENSOR = _profile(5, reliable=False)
"""Same as rclpy's sensor-data profile: a late image is worth nothing."""
DIAGNOSTICS = _profile(10, reliable=True)

"""A quality of service is one that some node speaks with: what none uses would only mislead."""

import re
from pathlib import Path

from rclpy.qos import QoSProfile

from openral.ros import qos

ROOT = Path(__file__).resolve().parents[3]
NODES = ("openral", "reasoner_node", "perception_node", "skill_runner_node", "sim_node")


def test_every_profile_is_used_by_a_node():
    declared = {name for name, value in vars(qos).items() if isinstance(value, QoSProfile)}
    code = "".join(
        path.read_text(encoding="utf-8")
        for folder in (*NODES, "explorer_node")
        for path in (ROOT / folder).rglob("*.py")
    )
    assert declared
    assert declared == set(re.findall(r"\bqos\.([A-Z_]+)\b", code))

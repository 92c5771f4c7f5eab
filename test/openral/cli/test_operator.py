"""What the operator hears of who is in the graph."""

import pytest
import rclpy
from openral_msgs.msg import DetectionArray, MissionState
from rclpy.context import Context
from rclpy.node import Node

from openral.bringup.domain import isolate
from openral.bringup.processes import NAMESPACE
from openral.cli.operator import Operator
from openral.ros import qos

NOTICED_S = 20.0


@pytest.fixture
def domain(monkeypatch):
    environ = {}
    isolate(environ)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    return int(environ["ROS_DOMAIN_ID"])


@pytest.mark.parametrize(
    ("kind", "topic", "profile", "present"),
    [
        (MissionState, "mission", qos.MISSION, "reasoner_present"),
        (DetectionArray, "perception/catalogue/detections", qos.DETECTIONS, "perception_present"),
    ],
)
def test_a_node_is_present_as_long_as_it_publishes(domain, kind, topic, profile, present):
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    node = Node("one", namespace=NAMESPACE, context=context)
    try:
        with Operator() as operator:
            operator.spin(0.05)
            heard = operator.observed
            assert not getattr(heard, present)
            publisher = node.create_publisher(kind, topic, profile)
            assert operator.spin_until(lambda: getattr(heard, present), NOTICED_S)
            node.destroy_publisher(publisher)
            assert operator.spin_until(lambda: not getattr(heard, present), NOTICED_S)
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)

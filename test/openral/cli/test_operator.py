"""What the operator hears of who is in the graph."""

import pytest
import rclpy
from openral_msgs.msg import MissionState
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


def test_a_reasoner_is_present_as_long_as_somebody_publishes_missions(domain):
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    reasoner = Node("reasoner_node", namespace=NAMESPACE, context=context)
    try:
        with Operator() as operator:
            operator.spin(0.05)
            assert not operator.observed.reasoner_present
            mission = reasoner.create_publisher(MissionState, "mission", qos.MISSION)
            assert operator.spin_until(lambda: operator.observed.reasoner_present, NOTICED_S)
            reasoner.destroy_publisher(mission)
            assert operator.spin_until(lambda: not operator.observed.reasoner_present, NOTICED_S)
    finally:
        reasoner.destroy_node()
        rclpy.shutdown(context=context)

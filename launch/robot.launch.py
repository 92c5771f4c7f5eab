"""openral without a robot: the real one's driver serves the same topics. Never arms."""

from launch import LaunchDescription
from openral.bringup.launch import description
from openral.bringup.processes import robot_processes


def generate_launch_description() -> LaunchDescription:
    """Called by ROS 2 launch."""
    return description(robot_processes, may_arm=False)

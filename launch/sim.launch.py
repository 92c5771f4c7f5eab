"""openral with the simulated robot: `ros2 launch openral sim.launch.py seed:=3 arm:=true`."""

from launch import LaunchDescription
from openral.bringup.launch import description
from openral.bringup.processes import sim_processes


def generate_launch_description() -> LaunchDescription:
    """Called by ROS 2 launch."""
    return description(sim_processes)

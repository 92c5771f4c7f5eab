"""What runs, declared once, and the two ways to run it: a supervisor or ROS 2 launch."""

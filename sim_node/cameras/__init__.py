"""What the robot sees: rendered and published by a process of its own."""

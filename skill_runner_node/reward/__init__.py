"""Says how far a pick-and-place is, by what the cameras see and the gripper feels."""

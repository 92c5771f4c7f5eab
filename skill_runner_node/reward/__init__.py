"""Says how far a pick-and-place is: what the cameras see and what the gripper feels, nothing else."""

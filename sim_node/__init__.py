"""The embedded robot: a Franka Panda at a table, in MuJoCo."""

import os

# MuJoCo picks its GL library when it is first imported; a simulator on a robot's computer has no
# display to draw on.
os.environ.setdefault("MUJOCO_GL", "egl")
# Mesa's software renderer starts a thread per core; one is faster for pictures this small, and
# leaves the other cores to the physics.
os.environ.setdefault("LP_NUM_THREADS", "1")

"""The embedded robot: a Franka Panda at a table, in MuJoCo."""

import ctypes.util
import os

# MuJoCo picks its GL library when it is first imported; a simulator on a robot's computer has no
# display to draw on. Without that library the import itself would fail: physics needs no picture,
# and the renderer says what is missing.
_egl = ctypes.util.find_library("EGL") and (
    ctypes.util.find_library("OpenGL") or ctypes.util.find_library("GL")
)
if os.environ.setdefault("MUJOCO_GL", "egl") == "egl" and not _egl:
    os.environ["MUJOCO_GL"] = "disabled"
# Mesa's software renderer starts a thread per core; one is faster for pictures this small, and
# leaves the other cores to the physics.
os.environ.setdefault("LP_NUM_THREADS", "1")

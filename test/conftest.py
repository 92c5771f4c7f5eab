"""What holds for every test: processes that a test starts can be interrupted, MuJoCo can draw."""

import signal

# MuJoCo takes its GL library at its first import, which may be a test's of the arm's kinematics;
# this package names it.
import sim_node  # noqa: F401

# A shell that runs the tests in the background has SIGINT ignored in them, and what they start
# would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

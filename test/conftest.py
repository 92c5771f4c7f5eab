"""What holds for every test: processes that a test starts can be interrupted."""

import signal

# A shell that runs the tests in the background has SIGINT ignored in them, and what they start
# would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

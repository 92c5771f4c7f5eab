"""What the `openral` command's exit status says."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit status of every `openral` command."""

    OK = 0
    NOT_DONE = 1
    """The mission ended with work left, a service said no, or a replay decided otherwise."""
    USAGE = 2
    """Wrong arguments or a configuration that cannot be used."""
    NOT_READY = 3
    """A node did not answer in time, or what runs the nodes ended unasked."""
    STOPPED = 4
    """The mission was stopped: safety, a dead node, or the operator."""
    REFUSED = 5
    """The reasoner refused the prompt."""
    DEADLINE = 6
    """The mission did not end in time."""
    DISAGREED = 7
    """The mission said "done" and the referee does not agree."""
    UNJUDGED = 8
    """The mission said "done" and the referee could not judge it."""
    NO_MEANS = 9
    """The machine said no: a full disk, a folder that cannot be written, a reader that is gone."""
    CRASHED = 10
    """The replay crashed or hung: its last line says where."""
    INTERRUPTED = 130
    """Ctrl-C, SIGTERM, or the terminal was closed."""

"""The one error of the set-up."""

from __future__ import annotations


class SetupError(Exception):
    """The set-up cannot go on; the message is one line that says what to do."""

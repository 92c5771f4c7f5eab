"""The errors that openral raises: typed, and always with expected, got and what to do."""

from __future__ import annotations


class OpenralError(Exception):
    """Base of every error that openral raises on purpose."""


class ConfigError(OpenralError):
    """A parameter, file or environment variable cannot be used: the node must not start."""


class InputError(OpenralError):
    """Something from outside (message, image, reply, file) is not what it has to be.

    Attributes:
        expected: What would have been accepted.
        got: What came instead.
        do: What the reader can do about it; may be empty.
    """

    def __init__(self, expected: str, got: str, do: str = "") -> None:
        self.expected = expected
        self.got = got
        self.do = do
        super().__init__(f"expected {expected}, got {got}" + (f"; {do}" if do else ""))

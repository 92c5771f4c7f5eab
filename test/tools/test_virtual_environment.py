"""A failed installation is explained in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from bare_ros.virtual_environment import explain_failure

LOG = Path("log/setup/pip.log")


@pytest.mark.parametrize(
    "output",
    [
        "WARNING: Retrying ... NewConnectionError('...: [Errno -3] Temporary failure in name "
        "resolution')\nERROR: No matching distribution found for numpy",
        "ERROR: Could not install: HTTPSConnectionPool: Read timed out.",
        "... ProxyError('Cannot connect to proxy.', ...",
    ],
)
def test_no_network_is_said_as_such(output: str) -> None:
    line = explain_failure(output, LOG)
    assert "cannot reach the Python package registry" in line
    assert "\n" not in line


def test_any_other_failure_gives_pips_first_error() -> None:
    output = (
        "Collecting x\nERROR: Ignored the following versions ...\n"
        "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES\nERROR: more\n"
    )
    line = explain_failure(output, LOG)
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in line
    assert "more" not in line
    assert str(LOG) in line


def test_a_failure_without_words_still_names_the_log() -> None:
    assert explain_failure("", LOG) == (
        f"pip could not install requirements.lock: no error said (log: {LOG})"
    )

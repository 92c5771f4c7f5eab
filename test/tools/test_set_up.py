"""What `tools/setup` does to an environment that is there already."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bare_ros import __main__ as set_up
from bare_ros import prefix, stamp, wheel_paths


def test_a_changed_command_reaches_an_environment_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools, venv = set_up.TOOLS, tmp_path / ".venv"
    (venv / "bin").mkdir(parents=True)
    monkeypatch.setattr(set_up, "VENV", venv)
    monkeypatch.setattr(set_up, "has_sourced_ros", lambda _environ: False)
    repairs = Path(wheel_paths.__file__)
    wanted = stamp.wanted_stamp(venv, tools / "requirements.lock", repairs, prefix.sources(tools))
    stamp.write_stamp(venv, replace(wanted, scripts="older"))
    command = venv / "bin" / "openral"
    command.write_text("older")

    set_up.set_up()

    assert command.read_bytes() == (tools / "openral").read_bytes()
    assert stamp.read_stamp(venv) == wanted
    command.write_text("the user's own")
    set_up.set_up()  # nothing is left to do
    assert command.read_text() == "the user's own"

"""What makes the virtual environment a prefix like an installed ROS: scripts to source and run."""

from __future__ import annotations

import shutil
from pathlib import Path

_SOURCED = '# Makes `source install/setup.bash` enough.\n. "{tools}/env.sh"\n'
_EMPTY = "# colcon takes a folder with this file for a ROS prefix. In bash, source tools/env.sh.\n"


def sources(tools: Path) -> tuple[Path, ...]:
    """The files that decide what `complete` writes."""
    return (Path(__file__), tools / "openral")


def complete(venv: Path, tools: Path) -> None:
    """Writes the scripts that colcon and the user look for into `venv`."""
    (venv / "local_setup.bash").write_text(_SOURCED.format(tools=tools), encoding="utf-8")
    for name in ("local_setup.sh", "local_setup.zsh"):
        (venv / name).write_text(_EMPTY, encoding="utf-8")
    command = venv / "bin" / "openral"
    shutil.copyfile(tools / "openral", command)
    command.chmod(0o755)

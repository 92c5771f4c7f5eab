"""Makes the virtual environment and installs the lock into it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from .failure import SetupError

#: What pip prints when it does not reach the registry at all.
_NO_NETWORK = re.compile(
    r"Failed to establish a new connection|NewConnectionError|ConnectTimeoutError"
    r"|Temporary failure in name resolution|Name or service not known|No address associated"
    r"|Network is unreachable|Connection refused|ProxyError|Read timed out"
)

#: Settings of pip that would put the packages somewhere else.
_MISLEADING = ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PYTHONPATH", "PYTHONHOME")


def make(venv: Path) -> None:
    """A new, empty virtual environment at `venv`; whatever was there is removed."""
    if venv.is_symlink():
        venv.unlink()
    elif venv.exists():
        shutil.rmtree(venv)
    made = subprocess.run(
        [sys.executable, "-I", "-m", "venv", str(venv)], capture_output=True, text=True
    )
    if made.returncode != 0:
        said = (made.stdout + made.stderr).strip().splitlines() or ["nothing said"]
        raise SetupError(f"could not make a virtual environment in {venv}: {said[-1]}")


def install(venv: Path, lock: Path, log: Path) -> None:
    """Installs exactly what `lock` names, by hash; pip's output goes to `log`."""
    environment = {key: value for key, value in os.environ.items() if key not in _MISLEADING}
    command = [
        *(str(venv / "bin" / "python"), "-I", "-m", "pip", "install"),
        *("--no-deps", "--no-compile", "--require-hashes", "--requirement", str(lock)),
        # The Panda's wheel, models only, is marked for Python before 3.13.
        "--ignore-requires-python",
        *("--no-input", "--disable-pip-version-check", "--retries", "2", "--progress-bar", "off"),
    ]
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as output:
        code = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        ).returncode
    if code != 0:
        raise SetupError(explain_failure(log.read_text(encoding="utf-8"), log))


def explain_failure(output: str, log: Path) -> str:
    """One line that says why pip failed."""
    if _NO_NETWORK.search(output):
        return f"cannot reach the Python package registry: connect, then run again (log: {log})"
    errors = [line for line in output.splitlines() if line.startswith("ERROR:")]
    errors = [line for line in errors if "Ignored the following versions" not in line]
    reason = errors[0].removeprefix("ERROR:").strip() if errors else "no error said"
    return f"pip could not install requirements.lock: {reason} (log: {log})"

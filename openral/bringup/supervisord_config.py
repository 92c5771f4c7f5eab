"""The supervisor's configuration: the declared processes in the words of supervisord."""

from __future__ import annotations

import hashlib
import os
import shlex
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import yaml

from openral.bringup import installed
from openral.bringup.parameter_files import parameter_files
from openral.bringup.processes import NAMESPACE, Process, environment
from openral.bringup.run_folder import RunFolder
from openral.bringup.tether import tethered
from openral.errors import ConfigError

STOP_WAIT_S = 5
"""After SIGTERM, before SIGKILL."""

# sun_path of unix(7) holds 108 bytes, the terminating zero among them, and supervisor binds
# "<path>.<pid>" before it renames.
_SOCKET_PATH_MAX = 107 - len(".4194304")

_LOG_BYTES = "20MB"

# The supervisor ends the group of the highest priority first, and its processes all at once; who is
# in none is a group of its own. 999 is supervisor's own default.
_FIRST_GROUP = "ends_first"
_PRIORITY, _PRIORITY_OF_LAST = 999, 1


def socket_path(folder: RunFolder) -> Path:
    """The supervisor's unix socket: in the run folder, or the temporary one for a long path."""
    path = folder.supervisor / "supervisor.sock"
    if len(os.fsencode(path)) <= _SOCKET_PATH_MAX:
        return path
    digest = hashlib.sha256(os.fsencode(folder.path)).hexdigest()[:16]
    return Path(tempfile.gettempdir(), f"openral-{os.getuid()}-{digest}.sock")


def command(process: Process, folder: RunFolder) -> list[str]:
    """The process's command line; its overrides go through a parameter file, kept with the run.

    Raises:
        ConfigError: If the executable or a parameter file is missing, or a file gives a parameter
            twice.
    """
    line = [str(installed.executable(process.package, process.executable)), "--ros-args"]
    line += ["-r", f"__ns:={NAMESPACE}"]
    for path in parameter_files(process):
        line += ["--params-file", str(path)]
    if process.overrides:
        line += ["--params-file", str(_override_file(process, folder))]
    return line


def _override_file(process: Process, folder: RunFolder) -> Path:
    path = folder.supervisor / f"{process.name}.yaml"
    values = {"/**": {"ros__parameters": dict(process.overrides)}}
    path.write_text(yaml.safe_dump(values, sort_keys=True), encoding="utf-8")
    return path


def render(
    processes: Sequence[Process],
    folder: RunFolder,
    environ: Mapping[str, str],
    command_of: Callable[[Process, RunFolder], Sequence[str]] = command,
) -> str:
    """The supervisor's configuration.

    Every process leads its own process group and is tethered to the supervisor.

    Raises:
        ConfigError: If a path cannot be written into the configuration, or a file is missing.
    """
    socket = socket_path(folder)
    pid_file = folder.supervisor / "supervisord.pid"
    lines = [
        "[unix_http_server]",
        f"file={_escaped(str(socket))}",
        "chmod=0700",
        "[supervisord]",
        "nodaemon=true",
        "silent=true",
        "minfds=256",
        f"logfile={_escaped(str(folder.logs / 'supervisord.log'))}",
        "logfile_maxbytes=0",
        f"pidfile={_escaped(str(pid_file))}",
        f"childlogdir={_escaped(str(folder.logs))}",
        "[rpcinterface:supervisor]",
        "supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface",
    ]
    first = [process.name for process in processes if not process.ends_last]
    if first:
        lines += [f"[group:{_FIRST_GROUP}]", f"programs={','.join(first)}", f"priority={_PRIORITY}"]
    for process in processes:
        run = tethered(
            command_of(process, folder),
            parent=f"@{pid_file}",
            signal_name="SIGKILL",
            niceness=process.niceness,
        )
        variables = ",".join(
            f'{name}="{_escaped(value)}"' for name, value in environment(process, environ).items()
        )
        lines += [
            f"[program:{process.name}]",
            f"command={_escaped(shlex.join(run))}",
            f"environment={variables}",
            f"autorestart={'true' if process.respawn else 'false'}",
            f"priority={_PRIORITY_OF_LAST if process.ends_last else _PRIORITY}",
            # A bad configuration ends within a second: three tries, then FATAL, never a busy loop.
            "startsecs=1",
            "startretries=3",
            "stopsignal=TERM",
            f"stopwaitsecs={STOP_WAIT_S}",
            "stopasgroup=true",
            "killasgroup=true",
            "redirect_stderr=true",
            f"stdout_logfile={_escaped(str(folder.logs / (process.name + '.log')))}",
            f"stdout_logfile_maxbytes={_LOG_BYTES}",
            "stdout_logfile_backups=1",
        ]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    """`text` as a value of supervisord's INI dialect: it expands '%' and cuts at ' ;' and ' #'."""
    if any(mark in text for mark in ("\n", "\r", " ;", "\t;", " #", "\t#", '"')):
        raise ConfigError(
            f"{text!r}: a path or a model's name must have no quote, line break, ' ;' or ' #'"
        )
    return text.replace("%", "%%")

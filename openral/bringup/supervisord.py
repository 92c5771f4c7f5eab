"""Runs the declared processes under `supervisor` (supervisord), reached through its socket."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import xmlrpc.client
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError

from openral.bringup.processes import Process
from openral.bringup.run_folder import RunFolder
from openral.bringup.stack_file import start_ticks
from openral.bringup.supervisord_config import STOP_WAIT_S, command, render, socket_path
from openral.bringup.tether import tethered
from openral.errors import OpenralError

START_TIMEOUT_S = 15.0
"""For the supervisor's socket to answer."""
ANSWER_TIMEOUT_S = 3.0
"""For one answer; the supervisor does nothing that takes it longer."""


class StackError(OpenralError):
    """The processes could not be started, asked or stopped."""


@dataclass(frozen=True)
class ProcessStatus:
    """One process as the supervisor sees it.

    Attributes:
        name: As declared.
        state: supervisor's state name: RUNNING, STARTING, BACKOFF, EXITED, FATAL, STOPPED …
        pid: 0 when it does not run.
        exit_status: Of the last end.
        log: Path of its log.
    """

    name: str
    state: str
    pid: int
    exit_status: int
    log: str


class _UnixConnection(HTTPConnection):
    """HTTP over a unix socket: whoever holds the socket and says nothing may not hold us up."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=ANSWER_TIMEOUT_S)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(ANSWER_TIMEOUT_S)
        self.sock.connect(str(self._path))


class _UnixTransport(xmlrpc.client.Transport):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def make_connection(self, host: object) -> HTTPConnection:
        del host
        return _UnixConnection(self._path)


class SupervisedStack:
    """A running supervisor and its processes, reached through its socket.

    Args:
        folder: The run folder that it was started in.
        owned: The supervisor's own process when this program started it.
    """

    def __init__(self, folder: RunFolder, owned: subprocess.Popen[bytes] | None = None) -> None:
        self.folder = folder
        self._owned = owned

    def _call(self, method: str, *arguments: Any) -> Any:
        transport = _UnixTransport(socket_path(self.folder))
        try:
            server = xmlrpc.client.ServerProxy("http://localhost", transport=transport)
            return getattr(server, method)(*arguments)
        except (OSError, HTTPException, xmlrpc.client.Error, ExpatError) as error:
            raise StackError(f"no supervisor answers in {self.folder.path}: {error}") from None
        finally:
            transport.close()

    @property
    def pid(self) -> int:
        """Process id of the supervisor.

        Raises:
            StackError: If it does not answer.
        """
        return int(self._call("supervisor.getPID"))

    def is_running(self) -> bool:
        """True while the supervisor answers."""
        try:
            return bool(self._call("supervisor.getState")["statename"] == "RUNNING")
        except StackError:
            return False

    def processes(self) -> tuple[ProcessStatus, ...]:
        """Every process as it is now.

        Raises:
            StackError: If the supervisor does not answer.
        """
        return tuple(
            ProcessStatus(
                name=str(info["name"]),
                state=str(info["statename"]),
                pid=int(info["pid"]),
                exit_status=int(info["exitstatus"]),
                log=str(info["stdout_logfile"]),
            )
            for info in self._call("supervisor.getAllProcessInfo")
        )

    def process(self, name: str) -> ProcessStatus:
        """One process as it is now.

        Raises:
            StackError: If there is none of this name, or the supervisor does not answer.
        """
        found = {status.name: status for status in self.processes()}
        if name not in found:
            raise StackError(f"process {name!r} is unknown; the processes are {', '.join(found)}")
        return found[name]

    def stop(self, timeout_s: float = STOP_WAIT_S + 5.0) -> None:
        """Ends every process, then the supervisor. Does nothing when it is down already.

        Raises:
            StackError: If it is not down after `timeout_s`, and this program may not kill it.
        """
        try:
            pid = self.pid
            self._call("supervisor.shutdown")
        except StackError:
            if self._owned is None:
                return
            pid = self._owned.pid
        if self._owned is not None:
            try:
                self._owned.wait(timeout_s)
            except subprocess.TimeoutExpired:
                # Its children are tethered to it: they die with it.
                self._owned.kill()
                self._owned.wait()
            return
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            if start_ticks(pid) is None:
                return
            time.sleep(0.05)
        raise StackError(f"supervisor {pid} still runs {timeout_s:.0f} s after its shutdown")


def start(
    processes: Sequence[Process],
    folder: RunFolder,
    environ: Mapping[str, str],
    *,
    detached: bool = False,
    command_of: Callable[[Process, RunFolder], Sequence[str]] = command,
) -> SupervisedStack:
    """Starts the supervisor and, with it, every process.

    Call it from the main thread: a thread's end counts as the parent's death (prctl(2)).

    Args:
        processes: What to run.
        folder: Where configuration, socket and logs go.
        environ: The environment that all processes inherit.
        detached: Outlives this program; else everything ends with this program, SIGKILL included.
        command_of: Gives a process's command line.

    Raises:
        ConfigError: If something to run is missing.
        StackError: If the supervisor does not come up.
    """
    config = folder.supervisor / "supervisord.conf"
    config.write_text(render(processes, folder, environ, command_of), encoding="utf-8")
    line = [sys.executable, "-m", "supervisor.supervisord", "-n", "-c", str(config)]
    if not detached:
        line = tethered(line, parent=os.getpid(), signal_name="SIGTERM")
    with (folder.logs / "supervisord.out").open("wb") as out:
        owned = subprocess.Popen(
            line,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=dict(environ),
            cwd=folder.path,
            # Ctrl-C is for the program in front, which then stops the stack in order.
            start_new_session=True,
        )
    stack = SupervisedStack(folder, owned)
    up = False
    try:
        deadline = time.monotonic() + START_TIMEOUT_S
        while not (up := stack.is_running()):
            if owned.poll() is not None:
                why = _last_line(folder.logs / "supervisord.out")
                raise StackError(f"the supervisor did not start: {why}")
            if time.monotonic() > deadline:
                raise StackError(
                    f"the supervisor did not answer within {START_TIMEOUT_S:.0f} s on"
                    f" {socket_path(folder)}; see {folder.logs}"
                )
            time.sleep(0.05)
    finally:
        # Also where Ctrl-C ends the wait: a detached one has nobody else to end it.
        if not up and owned.poll() is None:
            owned.kill()  # its children are tethered to it: they die with it
            owned.wait()
    return stack


def _last_line(path: Path) -> str:
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    return next((line for line in reversed(lines) if line.strip()), f"see {path}")

"""Runs the declared processes under `supervisor` (supervisord), reached through its socket."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import xmlrpc.client
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from signal import SIGINT, SIGTERM
from typing import Any
from xml.parsers.expat import ExpatError

from openral.bringup.processes import Process
from openral.bringup.run_folder import RunFolder
from openral.bringup.session import Leader, StackError, end
from openral.bringup.supervisord_config import STOP_WAIT_S, command, render, socket_path
from openral.bringup.tether import tethered

START_TIMEOUT_S = 15.0
"""For the supervisor's socket to answer."""
ANSWER_TIMEOUT_S = 3.0
"""For one answer; on a machine that is not overloaded it takes some milliseconds."""
STOP_TIMEOUT_S = 2 * STOP_WAIT_S + 5.0
"""For the supervisor to end its processes in order: all at once, and then what ends last."""

_ON_REQUEST = (0, -SIGTERM, -SIGINT)
"""Exit statuses of a supervisor that somebody told to end, before or after it could listen."""


class SlowAnswerError(StackError):
    """The supervisor did not answer in time. It may be busy: ask again."""


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


def wake(folder: RunFolder) -> None:
    """Has the supervisor in `folder`, if there is one, look at once at what has ended.

    It may notice only at the next of its rounds, one a second, that a process is gone, for which
    what ends last waits. Whoever knocks at its socket begins a round.
    """
    with socket.socket(socket.AF_UNIX) as knock, suppress(OSError):
        knock.setblocking(False)
        knock.connect(str(socket_path(folder)))


class SupervisedStack:
    """A running supervisor and its processes, reached through its socket.

    Args:
        folder: The run folder that it was started in.
        owned: The supervisor's own process when this program started it.
    """

    def __init__(self, folder: RunFolder, owned: subprocess.Popen[bytes] | None = None) -> None:
        self.folder = folder
        self._owned = owned
        self._leader = Leader.of(owned.pid) if owned is not None else None

    def _call(self, method: str, *arguments: Any) -> Any:
        transport = _UnixTransport(socket_path(self.folder))
        try:
            server = xmlrpc.client.ServerProxy("http://localhost", transport=transport)
            return getattr(server, method)(*arguments)
        # With its queue of callers full, a unix socket says at once that it would block.
        except (TimeoutError, BlockingIOError):
            raise SlowAnswerError(
                f"the supervisor in {self.folder.path} gave no answer within {ANSWER_TIMEOUT_S:g} s"
            ) from None
        except (OSError, HTTPException, xmlrpc.client.Error, ExpatError) as error:
            raise StackError(f"no supervisor answers in {self.folder.path}: {error}") from None
        finally:
            transport.close()

    @property
    def pid(self) -> int:
        """Process id of the supervisor.

        Raises:
            StackError: If this program did not start it, and it does not answer.
        """
        if self._owned is not None:
            return self._owned.pid
        return int(self._call("supervisor.getPID"))

    def is_running(self) -> bool:
        """True while the supervisor answers."""
        try:
            return bool(self._call("supervisor.getState")["statename"] == "RUNNING")
        except StackError:
            return False

    def ended(self) -> str:
        """How a supervisor that this program started ended; empty while it runs, however slow."""
        status = self._owned.poll() if self._owned is not None else None
        return "" if status is None else f"the supervisor ended with status {status}"

    def ended_on_request(self) -> bool:
        """True if it ended as somebody told it to: by `openral stop`, SIGTERM or Ctrl-C."""
        return self._owned is not None and self._owned.poll() in _ON_REQUEST

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

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> None:
        """Ends every process, then the supervisor, which need not answer to be ended.

        SIGTERM is a supervisor's word to end all in order; what is left after `timeout_s` [s] is
        killed. Does nothing when all is down already.

        Raises:
            StackError: If a process is left even then, or a supervisor that this program did not
                start is there and does not say which process it is.
        """
        try:
            leader = self._leader or Leader.of(self.pid)
        except SlowAnswerError:
            raise
        except StackError:
            return
        end(leader, SIGTERM, timeout_s, lambda: wake(self.folder))
        if self._owned is not None:
            self._owned.wait()


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

"""The process that renders, as the simulator sees it: started, watched, ended.

It is one of its own because a writer that shares memory with its readers, as images need, may wait
a third of a second for one of them; the physics may not.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from pydantic import BaseModel, ConfigDict

from openral.bringup.tether import tethered
from openral.errors import ConfigError
from openral.realtime import schedule_as_usual
from sim_node.parameters import SimParameters

READY = b"ready"
"""What the process answers once its GL context stands; anything else says why it cannot."""

_MODULE = "sim_node.cameras.node"
# The same code as here, whatever lies in the folder that it was started from: with `-c` as with
# `-m` Python puts that folder first, and before 3.11 there is no variable against it.
_START = """
import sys
path, module = sys.argv[1:3]
del sys.argv[1:3]
sys.path[:] = path.splitlines()
import runpy
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""
_ANSWER_SIZE = 4096
_LOOK_S = 0.1  # [s] between two looks for a reason to give up waiting
_END_S = 2.0  # [s] to end by itself


class Orders(BaseModel):
    """What the process is told, in its first argument.

    Attributes:
        parameters: of the simulator: they decide the scene.
        memory: descriptor of the `StateWriter`'s memory.
        answer: descriptor of the pipe that takes its answer.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    parameters: SimParameters
    memory: int
    answer: int


class Restarts:
    """How often something may be started again: `limit` times in any `window` [s]."""

    def __init__(self, limit: int, window: float) -> None:
        self._window = window
        self._past: deque[float] = deque(maxlen=limit)

    def allow(self, now: float) -> bool:
        """Whether once more is allowed; then it counts."""
        if len(self._past) == self._past.maxlen and now - self._past[0] < self._window:
            return False
        self._past.append(now)
        return True


def ros_arguments(argv: Sequence[str]) -> list[str]:
    """The part of a command line that names, remaps and parametrises ROS nodes."""
    return list(argv[argv.index("--ros-args") :]) if "--ros-args" in argv else []


class CameraProcess:
    """One camera process at a time; call it from the main thread.

    A thread's end counts as the parent's death (prctl(2)), and the process ends with its parent,
    SIGKILL included.

    Args:
        parameters: of the simulator.
        memory: descriptor of the states to render.
        arguments: ROS arguments of the simulator.
        environ: of the process.
    """

    def __init__(
        self,
        parameters: SimParameters,
        memory: int,
        arguments: Sequence[str],
        environ: Mapping[str, str],
        *,
        module: str = _MODULE,
    ) -> None:
        self._parameters = parameters
        self._memory = memory
        self._arguments = list(arguments)
        self._environ = dict(environ)
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._answer: int | None = None

    @property
    def pid(self) -> int | None:
        """Of the process that runs, or ran last."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start it, at the usual priority whatever this thread's is."""
        self._forget_answer()
        answer, told = os.pipe()
        orders = Orders(parameters=self._parameters, memory=self._memory, answer=told)
        path = "\n".join(filter(None, sys.path))
        command = [sys.executable, "-c", _START, path, self._module, orders.model_dump_json()]
        command += self._arguments
        policy, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
        schedule_as_usual()
        try:
            self._process = subprocess.Popen(
                tethered(command, parent=os.getpid(), signal_name="SIGKILL"),
                stdin=subprocess.DEVNULL,
                pass_fds=(self._memory, told),
                env=self._environ,
            )
        finally:
            os.sched_setscheduler(0, policy, parameters)
            os.close(told)
        self._answer = answer

    def wait_ready(self, go_on: Callable[[], bool]) -> None:
        """Wait for its answer while `go_on` holds.

        Raises:
            ConfigError: it says why it cannot, or it ended without a word.
        """
        if self._answer is None:
            return
        while not select.select([self._answer], [], [], _LOOK_S)[0]:
            if not go_on():
                return
        answer = os.read(self._answer, _ANSWER_SIZE)
        self._forget_answer()
        if answer != READY:
            raise ConfigError(
                answer.decode(errors="replace") or "the camera process does not start"
            )

    def ended(self) -> str | None:
        """How it ended, in words; None: it runs, or was never started."""
        status = None if self._process is None else self._process.poll()
        if status is None:
            return None
        how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        # It has ended: the pipe holds all that it will ever say.
        answer = b"" if self._answer is None else os.read(self._answer, _ANSWER_SIZE)
        self._forget_answer()
        return how if answer in (b"", READY) else f"{how}: {answer.decode(errors='replace')}"

    def stop(self) -> None:
        """End it and wait for it."""
        self._forget_answer()
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _forget_answer(self) -> None:
        if self._answer is not None:
            os.close(self._answer)
            self._answer = None

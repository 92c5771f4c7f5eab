"""The mission: a queue of tasks, each pending → active → verifying → done or abandoned.

Every transition returns a new state and refuses, typed, what the life does not allow. Two ways lead
back out of `done`, and only the final look takes them: `revoke` and `reopen`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol

from openral.errors import OpenralError


class IllegalTransitionError(OpenralError):
    """A task or mission was asked for a step that its state does not allow."""


class TaskPhase(str, Enum):
    """Life of a task."""

    PENDING = "pending"
    ACTIVE = "active"
    VERIFYING = "verifying"
    DONE = "done"
    ABANDONED = "abandoned"


class MissionPhase(str, Enum):
    """Life of a mission."""

    ACTIVE = "active"
    DONE = "done"
    INCOMPLETE = "incomplete"
    STOPPED = "stopped"


ENDED = (TaskPhase.DONE, TaskPhase.ABANDONED)


class Subtask(Protocol):
    """What a decomposition says about one task."""

    @property
    def object_ref(self) -> str: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102


@dataclass(frozen=True)
class TaskState:
    """One task.

    Attributes:
        depth: 0 from the first decomposition, one more per subdivision.
        attempts: Skill runs started for it.
        progress: Last progress that a reward monitor reported, in [0, 1]; None = none yet.
        active_since: When it last became active [s]; None = it is not.
        elapsed_s: Active time before that [s].
    """

    task_id: int
    object_ref: str
    text: str
    phase: TaskPhase = TaskPhase.PENDING
    depth: int = 0
    attempts: int = 0
    progress: float | None = None
    verdict: str = ""
    reason: str = ""
    active_since: float | None = None
    elapsed_s: float = 0.0

    def elapsed(self, now: float) -> float:
        """Active time so far [s]."""
        return self.elapsed_s + (0.0 if self.active_since is None else now - self.active_since)


@dataclass(frozen=True)
class MissionState:
    """An operator's goal and its tasks. At most one task is active or verifying."""

    mission_id: str
    goal: str
    phase: MissionPhase
    tasks: tuple[TaskState, ...]
    started_at: float
    decomposed: bool = False
    message: str = ""

    @classmethod
    def from_prompt(cls, mission_id: str, goal: str, now: float) -> MissionState:
        """A mission of one active task, the goal itself, until a decomposition replaces it."""
        seed = TaskState(1, "", goal, TaskPhase.ACTIVE, active_since=now)
        return cls(mission_id, goal, MissionPhase.ACTIVE, (seed,), now)

    @property
    def current(self) -> int | None:
        """Index of the task that is active or verifying."""
        for index, task in enumerate(self.tasks):
            if task.phase in (TaskPhase.ACTIVE, TaskPhase.VERIFYING):
                return index
        return None

    @property
    def current_task(self) -> TaskState | None:
        """The task that is active or verifying."""
        index = self.current
        return None if index is None else self.tasks[index]

    @property
    def active(self) -> bool:
        """Whether the mission goes on."""
        return self.phase is MissionPhase.ACTIVE

    def in_phase(self, phase: TaskPhase) -> tuple[TaskState, ...]:
        """The tasks of one phase, in order."""
        return tuple(task for task in self.tasks if task.phase is phase)

    def decompose(
        self,
        subtasks: Iterable[Subtask],
        unavailable: Iterable[tuple[str, str]],
        now: float,
    ) -> MissionState:
        """Replaces the seed by its subtasks; what is unavailable is abandoned at once."""
        self._require(not self.decomposed, "decompose a goal that was decomposed already")
        next_id = self._next_id()
        tasks = [TaskState(next_id + i, sub.object_ref, sub.text) for i, sub in enumerate(subtasks)]
        self._require(bool(tasks), "decompose into no task")
        next_id += len(tasks)
        tasks += [
            TaskState(
                next_id + i, ref, f"{ref}: {reason}", TaskPhase.ABANDONED,
                verdict="abandoned", reason=reason,
            )
            for i, (ref, reason) in enumerate(unavailable)
        ]  # fmt: skip
        return replace(self, tasks=tuple(tasks), decomposed=True).activate_next(now)

    def subdivide_active(
        self, subtasks: Iterable[Subtask], max_depth: int, now: float
    ) -> MissionState:
        """Replaces the active task in place by subtasks one level deeper."""
        index, task = self._current(TaskPhase.ACTIVE, "subdivide")
        self._require(
            task.depth < max_depth, f"subdivide below depth {max_depth}, task is at {task.depth}"
        )
        next_id = self._next_id()
        new = tuple(
            TaskState(next_id + i, sub.object_ref, sub.text, depth=task.depth + 1)
            for i, sub in enumerate(subtasks)
        )
        self._require(bool(new), "subdivide into no task")
        tasks = self.tasks[:index] + new + self.tasks[index + 1 :]
        return replace(self, tasks=tasks).activate_next(now)

    def activate_next(self, now: float) -> MissionState:
        """The first pending task becomes active; unchanged where none is pending."""
        self._require(self.current is None, "activate a second task")
        for index, task in enumerate(self.tasks):
            if task.phase is TaskPhase.PENDING:
                return self._with(index, replace(task, phase=TaskPhase.ACTIVE, active_since=now))
        return self

    def begin_attempt(self) -> MissionState:
        """Counts a skill run of the active task."""
        index, task = self._current(TaskPhase.ACTIVE, "start an attempt")
        return self._with(index, replace(task, attempts=task.attempts + 1))

    def note_progress(self, progress: float | None) -> MissionState:
        """Keeps what the reward monitor said about the current task."""
        index = self.current
        if index is None or progress is None:
            return self
        return self._with(index, replace(self.tasks[index], progress=progress))

    def begin_verifying(self) -> MissionState:
        """The skill ended; whether the task is done has to be found out."""
        index, task = self._current(TaskPhase.ACTIVE, "verify")
        return self._with(index, replace(task, phase=TaskPhase.VERIFYING))

    def resume_active(self, reason: str) -> MissionState:
        """The verdict sends the task back for another try."""
        index, task = self._current(TaskPhase.VERIFYING, "resume")
        return self._with(
            index, replace(task, phase=TaskPhase.ACTIVE, verdict="ladder", reason=reason)
        )

    def complete_active(self, verdict: str, reason: str, now: float) -> MissionState:
        """The verdict passed."""
        index, task = self._current(TaskPhase.VERIFYING, "complete")
        return self._with(index, _ended(task, TaskPhase.DONE, verdict, reason, now))

    def abandon_active(self, reason: str, now: float) -> MissionState:
        """The task is given up."""
        index = self.current
        self._require(index is not None, "abandon a task where none is active")
        assert index is not None
        return self._with(
            index, _ended(self.tasks[index], TaskPhase.ABANDONED, "abandoned", reason, now)
        )

    def revoke(self, task_id: int, reason: str) -> MissionState:
        """The final look contradicts a task that was done: it is abandoned."""
        index, task = self._done(task_id)
        return self._with(
            index, replace(task, phase=TaskPhase.ABANDONED, verdict="abandoned", reason=reason)
        )

    def reopen(self, task_id: int, reason: str) -> MissionState:
        """The final look contradicts a task that was done: it is tried again."""
        index, task = self._done(task_id)
        return self._with(
            index, replace(task, phase=TaskPhase.PENDING, verdict="ladder", reason=reason)
        )

    def end(self, phase: MissionPhase, message: str, now: float) -> MissionState:
        """Ends the mission; what is not done by then is abandoned."""
        self._require(self.active, f"end a mission that is {self.phase.value}")
        self._require(phase is not MissionPhase.ACTIVE, "end a mission as active")
        tasks = tuple(
            task
            if task.phase in ENDED
            else _ended(task, TaskPhase.ABANDONED, "abandoned", task.reason or message, now)
            for task in self.tasks
        )
        unfinished = any(task.phase is not TaskPhase.DONE for task in tasks)
        self._require(
            not (phase is MissionPhase.DONE and unfinished), "call a mission done with tasks undone"
        )
        return replace(self, phase=phase, tasks=tasks, message=message)

    def _next_id(self) -> int:
        # Tasks that were replaced are gone from the queue, so their ids count by the largest known.
        return max(task.task_id for task in self.tasks) + 1

    def _current(self, phase: TaskPhase, what: str) -> tuple[int, TaskState]:
        index = self.current
        self._require(index is not None, f"{what}: no task is current")
        assert index is not None
        task = self.tasks[index]
        self._require(
            task.phase is phase, f"{what}: expected a task {phase.value}, got {task.phase.value}"
        )
        return index, task

    def _done(self, task_id: int) -> tuple[int, TaskState]:
        self._require(self.current is None, "take back a done task while another is active")
        for index, task in enumerate(self.tasks):
            if task.task_id == task_id and task.phase is TaskPhase.DONE:
                return index, task
        raise IllegalTransitionError(f"task {task_id} is not done")

    def _with(self, index: int, task: TaskState) -> MissionState:
        self._require(self.active, f"change a mission that is {self.phase.value}")
        return replace(self, tasks=(*self.tasks[:index], task, *self.tasks[index + 1 :]))

    def _require(self, condition: bool, what: str) -> None:
        if not condition:
            raise IllegalTransitionError(f"mission {self.mission_id!r} cannot {what}")


def _ended(task: TaskState, phase: TaskPhase, verdict: str, reason: str, now: float) -> TaskState:
    return replace(
        task, phase=phase, verdict=verdict, reason=reason,
        elapsed_s=task.elapsed(now), active_since=None,
    )  # fmt: skip

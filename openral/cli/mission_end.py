"""Decides when a mission that a prompt asked for has ended, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from openral.cli.exit_code import ExitCode
from openral.cli.observed import Mission, Said
from openral.missions import NOT_TAKEN

FINAL_WORD_GRACE_S = 5.0
"""A mission that ended owes its final word within this time."""
ANSWER_GRACE_S = 3.0
"""A goal becomes a mission within this time; after it, mere words were the whole answer."""

_REFUSALS = (NOT_TAKEN, "refused")


class Ending(Enum):
    """How the answer to a prompt ended."""

    DONE = "done"
    INCOMPLETE = "incomplete"
    STOPPED = "stopped"
    REFUSED = "refused"
    ANSWERED = "answered"
    DEADLINE = "deadline"

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that tells it."""
        return {
            Ending.DONE: ExitCode.OK,
            Ending.INCOMPLETE: ExitCode.NOT_DONE,
            Ending.STOPPED: ExitCode.STOPPED,
            Ending.REFUSED: ExitCode.REFUSED,
            Ending.ANSWERED: ExitCode.OK,
            Ending.DEADLINE: ExitCode.DEADLINE,
        }[self]


@dataclass(frozen=True)
class End:
    """How it ended, in one line for a person."""

    ending: Ending
    words: str


class MissionWatch:
    """Watches one prompt's mission.

    Args:
        prompted_at: When the prompt was sent [s, listener's clock].
        prompt_stamp: The same instant on the speaker's clock [s]; older says are history.
        before: The mission as it was then.
        deadline_s: Longest time to wait for the end [s].
        prompt_id: The `trace_id` that the prompt carried; a refusal gives it back. Empty = none.
    """

    def __init__(
        self,
        prompted_at: float,
        prompt_stamp: float,
        before: Mission | None,
        deadline_s: float,
        prompt_id: str = "",
    ) -> None:
        self._prompted_at = prompted_at
        self._prompt_stamp = prompt_stamp
        self._before_id = before.mission_id if before is not None else ""
        self._before_ran = before is not None and before.state == "ACTIVE"
        self._deadline_s = deadline_s
        self._prompt_id = prompt_id
        self._ended_at: float | None = None

    def end(self, mission: Mission | None, says: Sequence[Said], now: float) -> End | None:
        """The end, once there is one: by the mission's state and final word, or the deadline."""
        new = mission if mission is not None and mission.mission_id != self._before_id else None
        if (refusal := self._refusal(says, new)) is not None:
            return End(Ending.REFUSED, refusal.text)  # whichever mission there is goes on
        word = self._final_word(says, new)
        if new is not None and new.has_ended:
            if self._ended_at is None:
                self._ended_at = now
            if word is not None or now - self._ended_at >= FINAL_WORD_GRACE_S:
                said = word.text if word is not None else f"{new.message} (no final word)"
                return End(_ending_of(new.state), said)
        elif new is None and word is not None:
            if word.kind == "refused" or not self._before_ran:
                # Nothing was begun for this prompt.
                return End(Ending.REFUSED, word.text)
            if mission is not None and mission.has_ended:
                # The words ended the mission that was running, as "stop" does.
                return End(_ending_of(mission.state), word.text)
        elif new is None and not self._before_ran and now - self._prompted_at >= ANSWER_GRACE_S:
            answers = [
                said.text
                for said in says
                if not self._is_history(said) and not self._is_anothers_refusal(said)
            ]
            if answers:
                return End(Ending.ANSWERED, answers[-1])
        if now - self._prompted_at >= self._deadline_s:
            doing = f"mission {new.state.lower()}" if new is not None else "no mission began"
            return End(Ending.DEADLINE, f"no end after {self._deadline_s:.0f} s: {doing}")
        return None

    def _refusal(self, says: Sequence[Said], new: Mission | None) -> Said | None:
        for said in says:
            if self._is_history(said) or said.kind not in _REFUSALS:
                continue
            if self._prompt_id and said.trace_id == self._prompt_id:
                return said
            # Without a mark it may be this prompt's, unless that became a mission.
            if new is None and said.kind == NOT_TAKEN and not said.trace_id:
                return said
        return None

    def _final_word(self, says: Sequence[Said], new: Mission | None) -> Said | None:
        for said in reversed(says):
            if not said.is_final or self._is_history(said):
                continue
            if new is None and said.kind != "done" and not self._is_anothers_refusal(said):
                return said
            if new is not None and said.trace_id in ("", new.mission_id):
                return said
        return None

    def _is_anothers_refusal(self, said: Said) -> bool:
        """True of a prompt that somebody else sent, or of a mission that is yet to be heard of."""
        mine = ("", self._prompt_id, self._before_id)
        return said.kind in _REFUSALS and said.trace_id not in mine

    def _is_history(self, said: Said) -> bool:
        return said.heard_at < self._prompted_at or 0.0 < said.stamp < self._prompt_stamp


def _ending_of(state: str) -> Ending:
    return {"DONE": Ending.DONE, "INCOMPLETE": Ending.INCOMPLETE}.get(state, Ending.STOPPED)

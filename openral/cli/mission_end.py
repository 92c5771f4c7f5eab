"""Decides when a mission that a prompt asked for has ended, and how."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum

from openral.cli.exit_code import ExitCode
from openral.cli.observed import Mission, Observed, Said
from openral.missions import NOT_TAKEN

FINAL_WORD_GRACE_S = 5.0
"""A mission that ended owes its final word within this time."""

REASONER_GONE_S = 30.0
"""A reasoner that left is started again within this time, on a slow machine too, or not at all."""

RESTARTED = "Stopped: the reasoner started anew and knows nothing of this goal."
"""What is told of a goal whose reasoner died."""
GONE = (
    f"The reasoner is gone and has not come back within {REASONER_GONE_S:.0f} s: what became of "
    "this goal is not known, and a skill that it began may run to its own end."
)
"""What is told of a goal whose reasoner died for good."""

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

    Missions carry the goal, not the prompt's mark: the first new one with the prompt's words is the
    prompt's own, and stays it whatever mission follows. Words that answer a prompt without a
    mission carry its mark.

    Args:
        prompted_at: When the prompt was sent [s, listener's clock].
        prompt_stamp: The same instant on the speaker's clock [s]; older says are history.
        before: The mission as it was then.
        deadline_s: Longest time to wait for the end [s].
        prompt_id: The `trace_id` that the prompt carried; a refusal or an answer gives it back.
            Empty = none: mere words are then nobody's answer.
        goal: The prompt's words as a mission shows them; empty = any new mission is the prompt's.
    """

    def __init__(
        self,
        prompted_at: float,
        prompt_stamp: float,
        before: Mission | None,
        deadline_s: float,
        prompt_id: str = "",
        goal: str = "",
    ) -> None:
        self._prompted_at = prompted_at
        self._prompt_stamp = prompt_stamp
        self._before_id = before.mission_id if before is not None else ""
        self._before_ran = before is not None and before.state == "ACTIVE"
        self._deadline_s = deadline_s
        self._prompt_id = prompt_id
        self._goal = goal
        self._own: Mission | None = None
        self._others: set[str] = set()
        self._ended_at: float | None = None
        self._gone_at: float | None = None

    def is_history(self, said: Said) -> bool:
        """Whether it was said before the prompt: whoever joins late hears the last words again."""
        return said.heard_at < self._prompted_at or 0.0 < said.stamp < self._prompt_stamp

    def end_by(self, heard: Observed, now: float) -> End | None:
        """As `end`, by all that was heard until `now` [s]."""
        return self.end(heard.mission, heard.says, now, reasoner_present=heard.reasoner_present)

    def end(
        self,
        mission: Mission | None,
        says: Sequence[Said],
        now: float,
        *,
        reasoner_present: bool = True,
    ) -> End | None:
        """The end, once there is one: by the mission's state and final word, or the deadline.

        Args:
            mission: The newest that was heard.
            says: All that was said.
            now: [s], listener's clock.
            reasoner_present: Whether anybody publishes missions.
        """
        self._note(mission)
        if reasoner_present:
            self._gone_at = None
        elif self._gone_at is None:
            self._gone_at = now
        new = [said for said in says if not self.is_history(said)]
        if (refusal := self._refusal(new)) is not None:
            return End(Ending.REFUSED, refusal.text)  # whichever mission there is goes on
        if (answer := self._answer(new)) is not None:
            return End(Ending.ANSWERED, answer.text)
        if mission is not None:
            own = self._own
            ended = (
                self._end_of_own(own, mission, new, now)
                if own is not None
                else self._end_without_own(mission, new, now)
            )
            if ended is not None:
                return ended
        gone = self._gone_at is not None and now - self._gone_at >= REASONER_GONE_S
        late = now - self._prompted_at >= self._deadline_s
        if (gone or late) and (word := self._final_word(new)) is not None:
            return End(_ending_by(word), word.text)  # the state that belongs to it never came
        if gone:
            return End(Ending.STOPPED, GONE)
        if late:
            doing = f"mission {self._own.state.lower()}" if self._own else "no mission began"
            return End(Ending.DEADLINE, f"no end after {self._deadline_s:.0f} s: {doing}")
        return None

    def _note(self, mission: Mission | None) -> None:
        """Takes in the newest mission: the prompt's own, another one, or the one before."""
        if mission is None or mission.mission_id in ("", self._before_id):
            return
        if self._own is not None:
            if mission.mission_id == self._own.mission_id:
                self._own = mission
        elif self._goal in ("", mission.goal):
            self._own = mission
        else:
            self._others.add(mission.mission_id)

    def _end_of_own(
        self, own: Mission, mission: Mission, says: Sequence[Said], now: float
    ) -> End | None:
        """The end of the prompt's own mission; `mission` is the newest, which may be another."""
        followed = mission.mission_id != own.mission_id
        if not (own.has_ended or followed):
            return None
        if self._ended_at is None:
            self._ended_at = now
        # Beside another mission a word without a mark may be that one's.
        marks = (own.mission_id,) if followed else ("", own.mission_id)
        word = _last([said for said in says if said.is_final], marks)
        if word is None and now - self._ended_at < FINAL_WORD_GRACE_S:
            return None
        if own.has_ended:
            said = word.text if word is not None else f"{own.message} (no final word)"
            # A goal that was not taken on has a mission too, of which nothing was done.
            refused = word is not None and word.kind == "refused" and own.state != "DONE"
            return End(Ending.REFUSED if refused else _ending_of(own.state), said)
        # Its last state was overtaken by the next mission's first.
        if word is not None:
            return End(_ending_by(word), word.text)
        if not mission.mission_id:
            return End(Ending.STOPPED, RESTARTED)
        return End(Ending.STOPPED, f"another goal took its place: '{mission.goal}' (no final word)")

    def _end_without_own(self, mission: Mission, says: Sequence[Said], now: float) -> End | None:
        """The end of a prompt for which no mission was heard."""
        if not mission.mission_id and mission.heard_at > self._prompted_at:
            return End(Ending.STOPPED, RESTARTED)
        finals = [said for said in says if said.is_final]
        if mission.mission_id in self._others:
            known = ("", self._prompt_id, self._before_id, *self._others)
            unheard = [one for one in finals if one.trace_id not in known]
            unheard = [one for one in unheard if one.kind not in _REFUSALS]
            if unheard:
                # This prompt's mission ended before it was heard of, unless it is still to come.
                waited = now - unheard[-1].heard_at >= FINAL_WORD_GRACE_S
                return End(Ending.STOPPED, unheard[-1].text) if waited else None
        # "Done" is of the mission that was running: nothing was begun for this prompt.
        undone = [said for said in finals if said.kind != "done"]
        word = _last(undone, ("", self._prompt_id, self._before_id))
        if word is not None:
            if word.kind == "refused" or not self._before_ran:
                return End(Ending.REFUSED, word.text)
            # The words ended the mission that was running, as "stop" does.
            if mission.mission_id == self._before_id and mission.has_ended:
                return End(_ending_of(mission.state), word.text)
            overtaken = mission.mission_id in self._others
            if overtaken and now - word.heard_at >= FINAL_WORD_GRACE_S:
                return End(_ending_by(word), word.text)
        return None

    def _refusal(self, says: Sequence[Said]) -> Said | None:
        for said in says:
            if said.kind not in _REFUSALS:
                continue
            if self._prompt_id and said.trace_id == self._prompt_id:
                return said
            # Without a mark it may be this prompt's, unless that became a mission.
            if self._own is None and said.kind == NOT_TAKEN and not said.trace_id:
                return said
        return None

    def _answer(self, says: Sequence[Said]) -> Said | None:
        """Words about no mission that were said to this prompt, as to "what do you see?"."""
        infos = [said for said in says if said.kind == "info"]
        return _last(infos, (self._prompt_id,)) if self._prompt_id else None

    def _final_word(self, says: Sequence[Said]) -> Said | None:
        """The final word that names the prompt's own mission."""
        if self._own is None:
            return None
        return _last([said for said in says if said.is_final], (self._own.mission_id,))


def _last(says: Sequence[Said], marks: Collection[str]) -> Said | None:
    return next((said for said in reversed(says) if said.trace_id in marks), None)


def _ending_of(state: str) -> Ending:
    return {"DONE": Ending.DONE, "INCOMPLETE": Ending.INCOMPLETE}.get(state, Ending.STOPPED)


def _ending_by(word: Said) -> Ending:
    return Ending.DONE if word.kind == "done" else Ending.STOPPED

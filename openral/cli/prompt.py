"""`openral prompt "…"`: the operator's words, and with `--wait` what became of them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from openral.cli.mission_end import End, MissionWatch
from openral.cli.operator import Operator
from openral.errors import InputError, OpenralError
from openral.terminal_text import printable

REASONER_TIMEOUT_S = 10.0
"""For a reasoner to appear."""


class NoReasonerError(OpenralError):
    """Nobody listens to prompts."""


def checked(text: str) -> str:
    """The operator's words, if there are any and a message can carry them.

    Raises:
        InputError: They are empty, or no text.
    """
    if not text.strip():
        raise InputError(
            "words that say what to do", "an empty prompt", "try 'put the milk into the basket'"
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError("a prompt in UTF-8", repr(text[:80])) from None
    if "\0" in text:
        raise InputError("a prompt without zero characters", repr(text[:80]))
    return text


def send(operator: Operator, text: str, deadline_s: float) -> MissionWatch:
    """Sends the prompt once a reasoner listens, and returns the watch over its mission.

    Raises:
        NoReasonerError: If none listens.
    """

    def is_heard() -> bool:
        return operator.has_reasoner() and operator.observed.mission is not None

    if not operator.spin_until(is_heard, REASONER_TIMEOUT_S):
        raise NoReasonerError(
            f"no reasoner_node within {REASONER_TIMEOUT_S:.0f} s: is the system up in this "
            "ROS_DOMAIN_ID (`openral status`)?"
        )
    before = operator.observed.mission
    now = time.monotonic()
    # Others may prompt too: by this the reasoner's refusal is known as the answer to this prompt.
    prompt_id = f"prompt-{secrets.token_hex(8)}"
    stamp = operator.send_prompt(text, prompt_id)
    goal = printable(" ".join(text.split()))  # as the reasoner puts it, and as it is heard
    return MissionWatch(now, stamp, before, deadline_s, prompt_id, goal)


def wait(operator: Operator, watch: MissionWatch, on_say: Callable[[str, str], None]) -> End:
    """Hears the mission to its end; `on_say` takes kind and text of each line since the prompt."""
    told = len(operator.observed.says)
    while True:
        operator.spin(0.1)
        for said in operator.observed.says[told:]:
            if not watch.is_history(said):
                on_say(said.kind, said.text)
        told = len(operator.observed.says)
        end = watch.end_by(operator.observed, time.monotonic())
        if end is not None:
            return end

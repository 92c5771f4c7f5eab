"""The kinds of words that the reasoner says, and which of them end a mission. No ROS."""

from __future__ import annotations

from typing import Literal, get_args

FinalKind = Literal["done", "could_not_complete", "handoff", "refused"]
"""Exactly one such word ends each mission, and carries its id.

`refused` is also said to a prompt that became no mission: with the prompt's own trace_id, or none.
"""

SayKind = Literal["info", "not_taken", FinalKind]
"""openral_msgs/Prompt, `kind` on `say`.

`info`: of the mission whose id it carries; the answer to the prompt whose trace_id it carries; or a
warning to whoever listens, without either.
`not_taken`: a prompt was refused amid a mission, and changed nothing; it carries the prompt's own
trace_id, or none.
"""

NOT_TAKEN: SayKind = "not_taken"

FINAL_KINDS: frozenset[str] = frozenset(get_args(FinalKind))

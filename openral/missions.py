"""The kinds of words that the reasoner says, and which of them end a mission. No ROS."""

from __future__ import annotations

from typing import Literal, get_args

FinalKind = Literal["done", "could_not_complete", "handoff", "refused"]
"""Ends a mission; exactly one such word ends each, and carries the mission's id."""

SayKind = Literal["info", "not_taken", FinalKind]
"""openral_msgs/Prompt, `kind` on `say`; `not_taken`: a prompt was refused, and changed nothing."""

NOT_TAKEN: SayKind = "not_taken"

FINAL_KINDS: frozenset[str] = frozenset(get_args(FinalKind))

"""Which words end a mission."""

from __future__ import annotations

from typing import get_args

from openral.missions import FINAL_KINDS, SayKind


def test_four_kinds_end_a_mission_and_a_prompt_that_was_not_taken_is_none():
    assert {"done", "could_not_complete", "handoff", "refused"} == FINAL_KINDS
    assert set(get_args(SayKind)) - FINAL_KINDS == {"info", "not_taken"}

"""What is refused is counted and told."""

from __future__ import annotations

from reasoner_node.refusals import Refusals


def test_refusals_are_counted_by_kind_and_told_in_one_short_line():
    told: list[str] = []
    refusals = Refusals(told.append)
    refusals.refuse("Detection", "too\n many", 3)
    refusals.refuse("Detection", "x" * 1000)
    refusals.refuse("Prompt", "bad")
    assert told[0] == "refused Detection (3 so far): too many"
    assert told[1] == f"refused Detection (4 so far): {'x' * 300}"
    assert told[2] == "refused Prompt (1 so far): bad"

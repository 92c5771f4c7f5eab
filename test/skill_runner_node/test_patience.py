"""Patience counts what the runner itself gets done."""

from __future__ import annotations

from skill_runner_node.patience import Patience


def test_without_any_progress_it_runs_out_after_its_time() -> None:
    patience = Patience(10.0, 5.0)
    assert not patience.over(15.0, 0.0, None)
    assert patience.over(15.1, 0.0, None)


def test_only_farther_in_the_plan_counts() -> None:
    patience = Patience(0.0, 5.0)
    assert not patience.over(4.0, 0.4, None)
    # Back at 0.1 and again at 0.4: no farther than before.
    assert not patience.over(6.0, 0.1, None)
    assert not patience.over(9.0, 0.4, None)
    assert patience.over(9.1, 0.4, None)


def test_rows_count_one_by_one_and_a_new_motion_begins_at_its_first() -> None:
    patience = Patience(0.0, 5.0)
    assert not patience.over(4.0, 0.0, (7, 30))
    assert not patience.over(8.0, 0.0, (8, 0))
    assert not patience.over(13.0, 0.0, (8, 0))
    assert patience.over(13.1, 0.0, (8, 0))

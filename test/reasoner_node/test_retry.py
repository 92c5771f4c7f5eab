"""The caps that make recovery end."""

from __future__ import annotations

from reasoner_node.retry import RetryCap, TaskLocateBudget


def test_the_fourth_selection_of_a_kind_in_a_row_is_suppressed():
    cap = RetryCap(3)
    assert [cap.select("wait") for _ in range(5)] == [True, True, True, False, False]


def test_another_kind_starts_a_new_streak():
    cap = RetryCap(2)
    assert [cap.select(kind) for kind in "aabaa"] == [True] * 5


def test_a_material_shift_of_the_context_starts_a_new_streak():
    cap = RetryCap(2)
    cap.select("a")
    cap.select("a")
    cap.context_shifted()
    assert [cap.select("a") for _ in range(3)] == [True, True, False]


def test_three_looks_and_no_more():
    budget = TaskLocateBudget(3)
    assert [budget.spend() for _ in range(4)] == [True, True, True, False]
    assert budget.left == 0
    budget.reset()
    assert budget.left == 3

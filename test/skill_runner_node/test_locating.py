"""Answers of a detector carry the noun that was asked for."""

from __future__ import annotations

from skill_runner_node.locating import named, nouns
from skill_runner_node.policy import Box


def box(label: str, x: float = 0.0) -> Box:
    return Box(label, 0.9, x, 0.0, x + 10.0, 10.0)


def labels(query: str, *boxes: Box) -> list[str]:
    return [named_box.label for named_box in named(query, boxes)]


def test_a_query_is_a_comma_list() -> None:
    assert nouns(" milk , basket,, ") == ["milk", "basket"]


def test_labels_that_were_asked_for_stay() -> None:
    assert labels("milk, basket", box("milk"), box("basket")) == ["milk", "basket"]


def test_a_synonym_is_called_as_the_query_calls_it() -> None:
    assert labels("tin, basket", box("soup can"), box("basket")) == ["tin", "basket"]


def test_two_of_a_kind_both_carry_the_name() -> None:
    assert labels("tin", box("soup can"), box("soup can", 50.0)) == ["tin", "tin"]


def test_where_something_is_missing_nothing_is_renamed() -> None:
    assert labels("tin, basket", box("basket")) == ["basket"]


def test_names_are_never_swapped() -> None:
    assert labels("milk, basket", box("basket"), box("milk")) == ["basket", "milk"]

"""From nouns to labels."""

from __future__ import annotations

import pytest

from reasoner_node.brains.rules.nouns import clean, match, nearest

LABELS = ("milk", "mustard", "soup can", "cereal", "basket")


@pytest.mark.parametrize(
    ("noun", "label"),
    [
        ("milk", "milk"), ("red milk carton", "milk"), ("milk carton", "milk"),
        ("soup can", "soup can"), ("soup", "soup can"), ("can", "soup can"), ("cans", "soup can"),
        ("tomato soup can", "soup can"), ("mustard bottle", "mustard"), ("cornflakes", "cereal"),
        ("bin", "basket"), ("shopping basket", "basket"), ("unicorn", ""), ("", ""), ("the", ""),
        ("milk chocolate", ""), ("cereal bar", ""), ("mustard seeds", ""), ("milk 2", "milk"),
    ],
)  # fmt: skip
def test_one_label_or_none(noun, label):
    assert match(noun, LABELS).label == label


def test_a_noun_that_fits_two_labels_is_ambiguous():
    found = match("can", ("soup can", "tuna can"))
    assert found.label == ""
    assert found.labels == ("soup can", "tuna can")


def test_an_exact_name_wins_over_a_part():
    assert match("can", ("can", "soup can")).label == "can"


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("the milk", "milk"), ("The  Milk carton.", "milk carton"), ("a box of cereal", "cereal"),
        ("milk on the table", "milk"), ("milk that is near the edge", "milk"),
        ("basket on the left", "basket"), ("milk please", "milk"), ("soup_can", "soup can"),
        ("my", "my"), ("the", "the"),
    ],
)  # fmt: skip
def test_clean(text, noun):
    assert clean(text) == noun


def test_a_near_miss_is_offered_and_a_far_one_is_not():
    assert nearest("musterd", LABELS) == "mustard"
    assert nearest("unicorn", LABELS) == ""

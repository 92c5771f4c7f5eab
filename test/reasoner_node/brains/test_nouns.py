"""From nouns to labels."""

from __future__ import annotations

import pytest

from reasoner_node.brains.rules.nouns import (
    clean,
    is_label,
    is_manner,
    match,
    match_container,
    nearest,
    odd_beginning,
    without_manner,
)

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
        ("milk please", "milk"), ("soup_can", "soup can"), ("my", "my"), ("the", "the"),
        ("the milk carefully, please.", "milk"), ("basket one by one", "basket"),
    ],
)  # fmt: skip
def test_clean(text, noun):
    assert clean(text) == noun


@pytest.mark.parametrize(
    "text",
    ["milk on the table", "milk that is near the edge", "basket on the left", "milk next",
     "milk first", "milk over there", "milk away", "front of the basket"],
)  # fmt: skip
def test_what_places_or_limits_a_noun_stays_in_it(text):
    assert clean(text) == text


def test_articles_stay_without_manner():
    assert without_manner("An  Object, please.") == "an object"


def test_a_noun_with_two_labels_in_it_is_ambiguous():
    assert match("milk cereal", LABELS).labels == ("milk", "cereal")


@pytest.mark.parametrize(
    ("noun", "label"),
    [
        ("basket", "basket"), ("baskets", "basket"), ("big red basket", "basket"),
        ("bin", "basket"), ("shopping basket", "basket"), ("can", "soup can"), ("milk", "milk"),
        ("front of the basket", ""), ("left basket", ""), ("two basket", ""), ("basket handle", ""),
        ("basket box", ""), ("basket 2", ""), ("basket if it is empty", ""), ("milk box", "milk"),
        ("laundry basket", ""), ("new basket", ""), ("large wire basket", "basket"),
        ("milk basket", ""), ("cereal box", ""), ("box of cereal box", ""), ("soup", "soup can"),
        ("unicorn", ""), ("", ""),
    ],
)  # fmt: skip
def test_a_container_ends_with_what_it_is(noun, label):
    assert match_container(noun, LABELS).label == label


def test_a_container_may_be_named_by_its_last_words():
    assert match_container("basket", ("milk", "shopping basket")).label == "shopping basket"
    assert match_container("basket", ("wire basket", "shopping basket")).labels == (
        "wire basket",
        "shopping basket",
    )


def test_a_near_miss_is_offered_and_a_far_one_is_not():
    assert nearest("musterd", LABELS) == "mustard"
    assert nearest("unicorn", LABELS) == ""


@pytest.mark.parametrize("phrase", ["carefully", "slowly, please", "too", "one at a time", "thx!"])
def test_words_of_manner_alone_name_nothing(phrase):
    assert is_manner(phrase)
    assert not is_manner(f"milk {phrase}")


def test_a_label_is_known_word_for_word():
    assert is_label("Dr. Pepper", ("milk", "dr pepper"))
    assert is_label("energy_drink", ("energy drink",))
    assert not is_label("drink", ("energy drink",))
    assert not is_label("", ("",))


@pytest.mark.parametrize(
    ("noun", "word"),
    [
        ("blorf milk", "blorf"), ("tomato soup can", "tomato"), ("red milk carton", ""),
        ("milk", ""), ("soup can", ""), ("milk carton", ""), ("corn flakes", ""), ("big can", ""),
    ],
)  # fmt: skip
def test_a_word_before_a_label_may_be_a_verb(noun, word):
    assert odd_beginning(noun, LABELS) == word

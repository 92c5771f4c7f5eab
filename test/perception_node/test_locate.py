"""Queries: nouns become labels, collectives are refused with the valid names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openral.errors import ConfigError
from perception_node.detection import Box, TrackedDetection
from perception_node.locate import Query, QueryError, Vocabulary, answer, parse_query

VOCABULARY = Vocabulary(
    {
        "milk": ["milk carton", "carton"],
        "soup can": ["soup", "can of soup"],
        "basket": ["shopping basket"],
        "salt and pepper": [],
    }
)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("milk", ("milk",)),
        ("milk, basket", ("milk", "basket")),
        ("The Milk , a BASKET", ("milk", "basket")),
        ("Milk carton", ("milk",)),
        ("soup cans", ("soup can",)),
        ("the can of soup", ("soup can",)),
        ("baskets", ("basket",)),
        ("milk and the basket", ("milk", "basket")),
        ("milk, soup, and basket", ("milk", "soup can", "basket")),
        ("soup; milk", ("soup can", "milk")),
        ("milk, carton", ("milk",)),
        ("soup_can", ("soup can",)),
        ("salt and pepper", ("salt and pepper",)),
        ("milk,,", ("milk",)),
    ],
)
def test_nouns_become_labels(text: str, labels: tuple[str, ...]) -> None:
    assert parse_query(text, VOCABULARY) == Query(labels)


def test_an_unknown_noun_is_reported_beside_the_known_ones() -> None:
    assert parse_query("milk, teapot", VOCABULARY) == Query(("milk",), ("teapot",))


@pytest.mark.parametrize(
    "text",
    ["the groceries", "everything on the table", "all the milk", "milk, all the cups", "both cans"],
)
def test_a_collective_query_is_refused_with_the_valid_names(text: str) -> None:
    with pytest.raises(QueryError, match="collective") as refusal:
        parse_query(text, VOCABULARY)
    assert "milk, soup can, basket, salt and pepper" in str(refusal.value)


@pytest.mark.parametrize("text", ["", "  ", ",", "the", " , and , "])
def test_an_empty_query_is_refused_with_the_valid_names(text: str) -> None:
    with pytest.raises(QueryError, match="valid names are milk"):
        parse_query(text, VOCABULARY)


def test_two_labels_must_not_share_a_name() -> None:
    with pytest.raises(ConfigError, match="share the name 'Box'"):
        Vocabulary({"cereal": ["box"], "parcel": ["Box"]})
    with pytest.raises(ConfigError, match="empty name"):
        Vocabulary({"cereal": [" "]})


def seen(label: str, det_id: int, score: float = 0.9) -> TrackedDetection:
    return TrackedDetection(det_id, label, score, Box(0, 0, 10, 10))


def test_found_only_if_every_noun_was_seen() -> None:
    in_view = [seen("basket", 1), seen("milk", 2, 0.7), seen("milk", 3, 0.8)]
    full = answer(Query(("milk", "basket")), in_view, VOCABULARY)
    assert full.found
    assert [hit.det_id for hit in full.detections] == [3, 2, 1]
    part = answer(Query(("milk", "soup can")), in_view, VOCABULARY)
    assert not part.found
    assert [hit.det_id for hit in part.detections] == [3, 2]
    assert part.message == "not in view: soup can"


def test_an_unknown_noun_is_never_found_and_the_valid_names_are_given() -> None:
    result = answer(Query(("milk",), ("teapot",)), [seen("milk", 2)], VOCABULARY)
    assert not result.found
    assert [hit.det_id for hit in result.detections] == [2]
    assert "teapot" in result.message
    assert "milk, soup can, basket" in result.message


@pytest.mark.parametrize("digit", ["❷", "፪", "9" * 5000])
def test_a_digit_that_is_no_plain_number_is_refused_like_any_count(digit: str) -> None:
    with pytest.raises(QueryError, match="collective"):
        parse_query(f"{digit} cups", VOCABULARY)


@given(st.text(max_size=60))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    try:
        query = parse_query(text, VOCABULARY)
    except QueryError:
        return
    assert query.labels or query.unknown
    assert set(query.labels) <= set(VOCABULARY.labels)

"""Goals that the rules read, and goals that they refuse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner_node.brains.rules.goal import Goal, Move, NotUnderstood, parse_goal


def moves(text: str) -> tuple[Move, ...]:
    goal = parse_goal(text)
    assert isinstance(goal, Goal), goal
    return goal.moves


@pytest.mark.parametrize(
    ("text", "objects", "container"),
    [
        ("put the milk into the basket", ["milk"], "basket"),
        ("Put the milk in the basket.", ["milk"], "basket"),
        ("please place the soup can inside the basket", ["soup can"], "basket"),
        ("Could you move the cereal to the basket, please?", ["cereal"], "basket"),
        ("drop the mustard into the bin now", ["mustard"], "bin"),
        ("pick up the milk and put it in the basket", ["milk"], "basket"),
        ("grab the milk, then drop it into the basket", ["milk"], "basket"),
        ("take the mustard and the milk and put them into the basket",
         ["mustard", "milk"], "basket"),
        ("put the milk, the mustard and the cereal in the basket",
         ["milk", "mustard", "cereal"], "basket"),
        ("put both the milk and the mustard into the basket", ["milk", "mustard"], "basket"),
        ("move the milk and then the soup can to the basket", ["milk", "soup can"], "basket"),
        ("put the milk on the table into the basket", ["milk"], "basket"),
        ("put the milk that is on the table into the basket", ["milk"], "basket"),
        ("put the can of soup into the basket", ["soup"], "basket"),
        ("I want you to put the red milk carton into the basket carefully",
         ["red milk carton"], "basket"),
        ("now put the milk away into the basket", ["milk"], "basket"),
        ("put first the milk and then the cereal into the basket", ["milk", "cereal"], "basket"),
        ("put the milk into the basket on the table", ["milk"], "basket"),
        ("move the milk from the table to the basket", ["milk"], "basket"),
        ("take the milk off the table and put it into the basket", ["milk"], "basket"),
        ("put the milk which stands on the table into the basket", ["milk"], "basket"),
        ("put a milk into the basket", ["milk"], "basket"),
        ("put the kellogg's all-bran into the basket", ["kellogg's all-bran"], "basket"),
        ("put the stop sign into the shopping basket", ["stop sign"], "shopping basket"),
    ],
)  # fmt: skip
def test_named_objects(text, objects, container):
    assert moves(text) == (Move(tuple(objects), False, (), container),)


@pytest.mark.parametrize(
    "text",
    [
        "put all the objects on the table into the basket", "put everything into the basket",
        "put all objects in the basket", "place all of the items into the basket",
        "put the groceries into the basket", "clear the table into the basket",
        "tidy up the table into the basket", "put everything that is on the table in the basket",
        "put every object in the basket", "put all the groceries on the table into the basket",
        "please put all of them into the basket",
        "put the milk and everything else into the basket",
        "clean up the table: put everything in the basket",
        "put every item into the basket", "put each object into the basket",
        "put every one of the groceries into the basket", "put the rest into the basket",
        "put all the other objects into the basket", "put everything you can see into the basket",
        "put the rest of the groceries into the basket", "put everything left into the basket",
        "put all the groceries into the basket one by one", "put all into the basket please",
        "take everything off the table and put it into the basket",
    ],
)  # fmt: skip
def test_all_objects(text):
    assert moves(text) == (Move((), True, (), "basket"),)


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("put everything except the milk into the basket", ["milk"]),
        ("put everything into the basket except the milk", ["milk"]),
        ("put all objects but the milk into the basket", ["milk"]),
        ("put everything but not the milk into the basket", ["milk"]),
        ("put all the objects, except for the milk and the cereal, into the basket",
         ["milk", "cereal"]),
        ("put everything other than the soup can in the basket", ["soup can"]),
        ("put everything in the basket, not the milk", ["milk"]),
        ("put everything on the table, except the milk, into the basket", ["milk"]),
        ("put everything besides the milk into the basket", ["milk"]),
        ("put everything excluding the milk into the basket", ["milk"]),
        ("put everything aside from the milk into the basket", ["milk"]),
        ("put everything into the basket save for the milk", ["milk"]),
        ("put everything into the basket without the milk", ["milk"]),
    ],
)  # fmt: skip
def test_all_but_some(text, excluded):
    assert moves(text) == (Move((), True, tuple(excluded), "basket"),)


def test_two_containers():
    assert moves("put the milk into the basket and the cereal into the bin") == (
        Move(("milk",), False, (), "basket"),
        Move(("cereal",), False, (), "bin"),
    )


@pytest.mark.parametrize(
    "text",
    ["put the milk into the bin and the rest into the basket",
     "put the milk into the bin and everything else into the basket"],
)  # fmt: skip
def test_the_rest_is_without_what_goes_elsewhere(text):
    assert moves(text) == (
        Move(("milk",), False, (), "bin"),
        Move((), True, ("milk",), "basket"),
    )


def test_an_object_after_the_container_goes_there_too():
    assert moves("put the milk into the basket and then the mustard") == (
        Move(("milk",), False, (), "basket"),
        Move(("mustard",), False, (), "basket"),
    )


@pytest.mark.parametrize(
    "text",
    ["first put the milk into the basket, then put the cereal into the basket",
     "first put the milk into the basket, next put the cereal into the basket",
     "put the milk into the basket. Put the cereal into the basket.",
     "Put the milk into the basket! Then put the cereal into the basket."],
)  # fmt: skip
def test_two_sentences_in_one(text):
    assert moves(text) == (
        Move(("milk",), False, (), "basket"),
        Move(("cereal",), False, (), "basket"),
    )


@pytest.mark.parametrize(
    "text",
    ["dance for me", "put the milk", "milk", "don't put the milk into the basket",
     "do not touch the cereal", "never put the milk into the basket", "put it into the basket",
     "put them into the basket", "what is love", "put into the basket", "the milk into the basket",
     "put the milk into", "put something into the basket",
     "you must not put the milk into the basket",
     "put the milk except the cereal into the basket"],
)  # fmt: skip
def test_refused(text):
    refusal = parse_goal(text)
    assert isinstance(refusal, NotUnderstood)
    assert "put the milk into the basket" in refusal.why


def refused(text: str) -> str:
    refusal = parse_goal(text)
    assert isinstance(refusal, NotUnderstood), refusal
    assert "put the milk into the basket" in refusal.why
    return refusal.why


BESIDE = [
    "next to", "close to", "closer to", "near", "near to", "nearby", "adjacent to", "beside",
    "behind", "under", "underneath", "beneath", "below", "above", "over", "around", "against",
    "away from", "far from", "out of", "from", "outside", "outside of", "opposite", "across from",
    "in front of", "in back of", "to the left of", "to the right of", "on the left of",
    "on the left side of", "to the side of", "at the side of", "on the edge of", "at the back of",
    "in the corner of", "on top of", "on", "onto", "upon", "atop", "at", "at the bottom of",
    "in the middle of", "in the vicinity of", "toward", "towards", "past", "through", "by",
    "along with", "in between", "halfway to", "parallel to", "up to", "instead of", "rather than",
]  # fmt: skip
"""What may stand before "the basket" and puts nothing into it."""


@pytest.mark.parametrize("relation", BESIDE)
def test_a_place_beside_a_container_is_refused(relation):
    refused(f"put the milk {relation} the basket")
    refused(f"put the milk, {relation} the basket")
    refused(f"move everything {relation} the basket")
    refused(f"pick up the milk and put it {relation} the basket")
    refused(f"put the cereal into the bin and the milk {relation} the basket")


@given(st.sampled_from(BESIDE), st.sampled_from(["put the milk", "into the", "basket", ""]))
def test_a_relation_anywhere_makes_a_goal_another(relation, before):
    text = "put the milk into the basket"
    at = text.index(before) + len(before) if before else len(text)
    for inserted in (relation, f"{relation} the cereal"):
        goal = parse_goal(f"{text[:at]} {inserted} {text[at:]}")
        assert isinstance(goal, NotUnderstood), goal


@pytest.mark.parametrize(
    "text",
    ["put the milk between the basket and the cereal",
     "put the milk in between the basket and the cereal",
     "put the milk in-between the basket and the cereal",
     "put the milk next-to to the basket",
     "put the milk into the left basket", "put the milk into the other basket",
     "put the milk into two baskets", "put the milk into it",
     "put the milk here and the cereal into the basket",
     "put the milk on the table and the cereal into the basket",
     "put the milk into the basket and the cereal on the table",
     "put the milk into the basket and the cereal in front of you",
     "move the milk in the basket to the table", "put the milk in the basket onto the table",
     "take the milk from the basket", "take the milk from the basket to the table",
     "take the milk in the basket", "pick up the milk in the basket",
     "grab the milk in the basket", "lift the milk in the basket", "sort the milk in the basket",
     "put everything but in the basket", "put the milk anywhere but in the basket",
     "put the milk not in the basket"],
)  # fmt: skip
def test_another_place_is_refused(text):
    refused(text)


@pytest.mark.parametrize(
    "which",
    ["an object", "one object", "some object", "any object", "the object", "this object", "object",
     "an item", "one item", "the item", "a thing", "the thing", "a grocery item", "a product",
     "one of the groceries", "some of the groceries", "any of the groceries", "some groceries",
     "any groceries", "a few groceries", "several items", "many objects", "most of the groceries",
     "most objects", "half of the groceries", "half the groceries", "a couple of objects",
     "two objects", "the two objects", "2 objects", "two of the objects", "at least two objects",
     "at most one object", "exactly one object", "both objects", "another object",
     "the first object", "the other object", "the last of the groceries", "the red objects",
     "the biggest object",
     "the red ones", "one", "each", "only the groceries", "nearly all the groceries",
     "almost everything", "not all of the groceries", "no objects", "none of the groceries",
     "either of the objects", "the milk and an object", "the milk and one of the others",
     "all the objects that are red", "the objects that are near the edge",
     "the groceries at the front", "everything red", "everything with a lid",
     "everything except one", "everything except two objects", "everything except some of them",
     "everything except the groceries", "everything but the rest", "all of the milk and cereal"],
)  # fmt: skip
def test_what_does_not_say_which_is_not_all(which):
    refused(f"put {which} into the basket")


@pytest.mark.parametrize(
    "which",
    ["an object", "one of the groceries", "some of the groceries", "any object", "the object"],
)
def test_which_one_is_asked_back(which):
    assert refused(f"put {which} into the basket").startswith(
        f"'{which}' does not say which objects are meant. Name each of them"
    )


@pytest.mark.parametrize(
    "text",
    ["put the milk into the basket if it is full", "put the milk into the basket if you can",
     "put the milk into the basket when the light is on",
     "put the milk into the basket whenever you like", "if it is full put the milk into the basket",
     "put the milk into the basket unless it is open", "put the milk into the basket until noon",
     "put the milk into the basket while the cereal stays",
     "put the milk if it is full into the basket", "put only the milk into the basket",
     "put the milk only into the basket", "put the milk into the basket only",
     "put at least the milk into the basket", "put the milk that is not open into the basket",
     "put the milk that isn't open into the basket", "put no milk into the basket",
     "put neither the milk nor the cereal into the basket",
     "put the milk or the cereal into the basket", "put milk or cereal into the basket",
     "put either the milk or the cereal into the basket",
     "put the milk/cereal into the basket", "put the milk (the red one) into the basket",
     "put the milk instead of the cereal into the basket",
     "put the milk into the basket instead of the cereal",
     "put the milk rather than the cereal into the basket",
     "put the milk, not the cereal, into the basket", "put nothing but the milk into the basket"],
)  # fmt: skip
def test_a_condition_or_a_choice_is_refused(text):
    refused(text)


@pytest.mark.parametrize(
    "text",
    ["first the milk", "put the milk into the basket before the cereal",
     "put the milk into the basket after the cereal", "put the milk into the basket last",
     "put the milk and first the cereal into the basket",
     "put the milk and the cereal into the basket, the cereal first",
     "put the milk and the cereal into the basket, first the cereal",
     "put the milk into the basket twice", "put the milk into the basket three times",
     "put two milk into the basket", "put 2 milk into the basket",
     "put half the milk into the basket", "put two cans of soup into the basket",
     "put the second milk into the basket"],
)  # fmt: skip
def test_an_order_or_a_number_that_is_not_kept_is_refused(text):
    refused(text)


@pytest.mark.parametrize(
    "text",
    ["put everything into the basket and leave the milk", "put the milk in the basket and wait",
     "put the milk into the basket and eat the cereal",
     "put the milk into the basket and lift the cereal",
     "put the milk into the basket and push the cereal",
     "put the milk and take the cereal into the basket",
     "put everything into the basket without touching the cereal",
     "clear the table and put the milk into the basket",
     "take care not to put milk into the basket",
     "put everything into the basket but do not put the milk into it"],
)  # fmt: skip
def test_another_deed_is_refused(text):
    refused(text)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    assert isinstance(parse_goal(text), (Goal, NotUnderstood))

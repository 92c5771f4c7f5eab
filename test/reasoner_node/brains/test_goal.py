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
    ],
)  # fmt: skip
def test_all_but_some(text, excluded):
    assert moves(text) == (Move((), True, tuple(excluded), "basket"),)


def test_two_containers():
    assert moves("put the milk into the basket and the cereal into the bin") == (
        Move(("milk",), False, (), "basket"),
        Move(("cereal",), False, (), "bin"),
    )


def test_an_object_after_the_container_goes_there_too():
    assert moves("put the milk into the basket and then the mustard") == (
        Move(("milk",), False, (), "basket"),
        Move(("mustard",), False, (), "basket"),
    )


def test_two_sentences_in_one():
    assert moves("first put the milk into the basket, then put the cereal into the basket") == (
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


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    assert isinstance(parse_goal(text), (Goal, NotUnderstood))

"""A target that stands for many is told from one concrete object, whatever words surround it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openral.grounding import collective_phrase, is_collective_target

# Labels given by hand: does the phrase ask for more than one thing?
COLLECTIVE = """
the groceries
all the cups
everything on the table
the remaining items
both bottles
the objects on the table
every cup
each bottle
all of the cans
both of the bottles
the cups
cups
two cups
3 bottles
several cans
a few apples
many blocks
various toys
multiple boxes
the other cups
the others
the other two
the rest
the rest of the groceries
the remaining ones
the ones on the left
these
those boxes
them
stuff
the stuff on the table
all items
the dishes
the cutlery
the silverware
the laundry
some apples
a pile of plates
a couple of cups
a dozen eggs
a pair of socks
a set of bowls
a number of boxes
lots of cans
most of the cups
what is left on the table
what's left
whatever remains
anything on the table
put all the cups into the basket
pick up the groceries
please move everything into the basket
put the cups away
clear the table
tidy up the table
bring me both mugs
can you put all of them in the box
pick up the milk and then move all the cups
put the milk and the mustard into the basket
the milk and the mustard
move the boxes of cereal
pick each of the bottles and place it into the basket
gather the remaining objects
take the two bottles on the left
the knives
ALL THE CUPS
the red cups on the left
the food
put every last one of them into the basket
"""

SINGLE = """
move the all-purpose cleaner with both hands
the red cup
the bottle on the left
the box of cups
milk
the milk
the soup can
the cereal
cereal box
mustard
the mustard bottle
basket
a cup
the all purpose cleaner
the can of beans
a bag of chips
a bottle of pills
the bag of groceries
the box with all the screws
the trash can
the laundry basket
the dish rack
the other cup
the other one
the red one
the remaining cup
the last bottle
the first can
one of the cups
the glass
the scissors
a pair of scissors
the hummus
the camera lens
the gas canister
a bunch of bananas
cup 2
the 2 liter bottle
the two-handled mug
2% milk
the six-pack
the bottle next to the cups
the mug between the two bowls
the cup without handles
put the milk into the basket
pick up the milk
pick the milk and place it into the basket
put the milk next to the cups
please put the red cup on the shelf
move the milk away from everything
could you bring me the mustard
place the soup can in the basket with the other items
take the milk out of the box of groceries
open the drawer
lift the tray with two hands
using both arms, lift the box
wipe the table
look for the milk
the salt and pepper shaker
mac and cheese box
the book about all the birds
the jar full of pens
the cup left of the plates
the tallest box
the kids' cup
the baker's knife
the chess board
the whole pizza
the box that holds the forks
move the milk carefully
put it into the basket
the THE milk
"""


def phrases(block: str) -> list[str]:
    return [line for line in block.splitlines() if line]


def test_there_are_enough_labelled_phrases() -> None:
    assert len(phrases(COLLECTIVE)) >= 60
    assert len(phrases(SINGLE)) >= 60


@pytest.mark.parametrize("text", phrases(COLLECTIVE))
def test_what_stands_for_many_is_collective(text: str) -> None:
    assert is_collective_target(text)


@pytest.mark.parametrize("text", phrases(SINGLE))
def test_one_concrete_object_is_not_collective(text: str) -> None:
    assert not is_collective_target(text)


def test_the_refusal_can_quote_the_phrase() -> None:
    assert collective_phrase("put all the cups into the basket") == "all the cups"
    assert collective_phrase("put the milk into the basket") is None


def test_a_known_name_is_one_thing_even_in_the_plural() -> None:
    assert is_collective_target("the crackers")
    assert not is_collective_target("the crackers", known_names=["Crackers"])
    assert not is_collective_target("put the crackers into the basket", known_names=["crackers"])
    assert is_collective_target("all the crackers", known_names=["crackers"])


def test_two_known_names_in_a_row_are_several() -> None:
    names = ["milk", "mustard", "basket"]
    assert is_collective_target("put milk and mustard into the basket", names)
    assert is_collective_target("milk, mustard", names)
    assert not is_collective_target("put milk into the basket and release", names)


@pytest.mark.parametrize("text", ["", "   ", "?!", ",", "of", "the", "and and", "of of of"])
def test_empty_and_broken_text_is_not_collective(text: str) -> None:
    assert not is_collective_target(text)


@pytest.mark.parametrize(
    ("count", "many"),
    [("❷", True), ("❶", False), ("٣", True), ("1", False), ("001", False), ("9" * 5000, True)],
)
def test_a_number_counts_in_whatever_digits_it_is_written(count: str, many: bool) -> None:
    # Two black circles and Arabic-Indic 3; int() takes no circles and no 5000 digits.
    assert is_collective_target(f"{count} milk") is many


@given(st.text(max_size=80), st.lists(st.text(max_size=10), max_size=3))
def test_any_text_gets_an_answer(text: str, names: list[str]) -> None:
    assert is_collective_target(text, names) in (True, False)


WORDS = st.lists(
    st.sampled_from(
        ["the", "of", "and", "all", "two", "cups", "milk", "put", "pick", "on", ",", "left", "rest"]
    ),
    max_size=9,
)


@given(WORDS)
def test_case_and_spacing_do_not_change_the_answer(words: list[str]) -> None:
    plain, loud = " ".join(words), "  ".join(words).upper()
    assert is_collective_target(plain) == is_collective_target(loud)

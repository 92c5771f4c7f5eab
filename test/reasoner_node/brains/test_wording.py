"""Goals in plain words."""

from __future__ import annotations

import pytest

from reasoner_node.brains.rules.wording import clears_table, opened, plainly


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Hey robot, could you put the milk into the basket, please?",
         "put the milk into the basket"),
        ("I'd like you to put it in the bin. Thanks, robot!", "put it in the bin"),
        ("put the Dr. Pepper in", "put the dr pepper in"),
        ("put first the milk in the bin", "put the milk in the bin"),
        ("put the milk in the bin first", "put the milk in the bin"),
        ("put a in b and c in d first", "put a in b and c in d first"),
        ("put the milk first and then the cereal in", "put the milk and then the cereal in"),
        ("put the milk and the cereal first and then", "put the milk and the cereal first and"),
    ],
)  # fmt: skip
def test_what_is_said_around_a_goal(text, plain):
    assert opened(text).removesuffix(" then") == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("pick up the milk. Put it in the basket.", "put the milk in the basket"),
        ("grab a and put it in b, then take c and drop it into d",
         "put a in b, then put c into d"),
        ("take the milk in the bin and put it into the basket",
         "take the milk in the bin and put it into the basket"),
        ("pick and place the milk into the bin", "put the milk into the bin"),
        ("pick and place it into the bin", "pick and place it into the bin"),
        ("clear the table", "put everything"),
        ("clear the table by putting it all into the bin", "put it all into the bin"),
        ("clear the table: put the milk into the bin", "put the milk into the bin"),
        ("put the milk back in the bin", "put the milk in the bin"),
        ("put the milk in back of the bin", "put the milk in back of the bin"),
        ("put what's on the table into the bin", "put what's into the bin"),
        ("put all that's on the table into the bin", "put all into the bin"),
    ],
)  # fmt: skip
def test_one_way_of_saying_it(text, plain):
    assert plainly(text) == plain


def test_a_clearing_is_told_from_a_cleared_space():
    assert clears_table("please clear the table")
    assert not clears_table("put the milk into the basket")

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openral.terminal_text import printable


def test_plain_words_of_any_language_stay_as_they_are():
    words = "put the milk – Milch, lait, 牛奶 – into the basket [bold]now[/bold]"
    assert printable(words) == words


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\nb\tc\rd", "a b c d"),
        ("\x9b2J", r"\x9b2J"),
        ("bell\x07", r"bell\x07"),
        ("\u202eevil", r"\u202eevil"),
        ("\udcff", r"\udcff"),
        ("\0", r"\x00"),
    ],
)
def test_what_steers_a_terminal_is_shown(text, shown):
    assert printable(text) == shown


@given(st.text(st.characters()))
def test_nothing_but_printable_characters_is_left(text):
    assert printable(text).isprintable()


def test_a_long_text_is_cut_and_the_rest_counted():
    assert printable("x" * 1_000_000) == "x" * 4000 + " … (996000 more characters)"

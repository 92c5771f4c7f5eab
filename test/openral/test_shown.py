"""A value is shown in bounds."""

from __future__ import annotations

from openral.shown import shown


def test_a_short_value_is_shown_whole() -> None:
    assert shown({"a": [1, -2.5], "b": "text"}) == "{'a': [1, -2.5], 'b': 'text'}"


def test_a_long_text_is_cut() -> None:
    assert len(shown("x" * 9000)) == 120


def test_a_number_is_shown_up_to_128_bits() -> None:
    assert shown(2**128 - 1) == "340282366920938463463374607431768211455"
    assert shown(10**5000) == "a number beyond 128 bits"

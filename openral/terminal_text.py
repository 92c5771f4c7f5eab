"""Words of others, fit for a terminal or a log: a control sequence in them is shown, not obeyed."""

from __future__ import annotations

LONGEST = 4000
"""Characters that are shown of one text; the rest is counted."""


def printable(text: object, longest: int = LONGEST) -> str:
    """`text` in one line and without control characters: ESC becomes the four characters ``\\x1b``.

    Whatever is no printable character by Unicode is written as its escape: terminal controls, and
    marks that turn the direction of reading. Line breaks and tabs become spaces.
    """
    words = str(text)
    shown = "".join(_shown(char) for char in words[:longest])
    more = len(words) - longest
    return f"{shown} … ({more} more characters)" if more > 0 else shown


def _shown(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char in "\n\r\t" else char.encode("unicode_escape", "surrogatepass").decode()

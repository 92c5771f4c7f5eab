"""One way of saying a goal for many: courtesies, "pick up … and put it", "clear the table".

What is rewritten keeps its meaning; what is not recognised stays, to be refused later.

Usage::

    plainly("Please pick up the milk. Put it in the basket, thanks!")
    # "put the milk in the basket"
"""

from __future__ import annotations

import re

VERB = (
    r"(?:put|place|move|drop|bring|take|pack(?:\s+up)?|throw|load|transfer|stow|store|set|lay|toss|deposit"
    r"|collect|gather|sort|stash|pop|stick|clear|clean|tidy|carry|pick(?:\s+up)?|grab|get|lift|fetch)"
)
INTO = r"(?:into|inside of|inside|in to|within|in|to)"
SPLIT = re.compile(rf"\s+({INTO})\s+")
AND = re.compile(
    r"\s*(?:,|;|[.!](?=\s)|\band then\b|\band also\b|\band\b|&|\bplus\b|\bas well as\b|\bthen\b)\s*"
)
EXCEPT = re.compile(
    r",?\s*\b(?:except(?:\s+for)?|but(?:\s+(?:not|for|leave))?|other than|apart from|aside from"
    r"|besides|excluding|excepting|omitting|sparing|barring|leaving(?:\s+out)?|minus|sans|without"
    # "… and save the milk" is a deed.
    r"|with the exception of|(?<!and )(?<!then )(?<!also )(?<!& )save(?:\s+for)?|not)\s+"
)
_COURTESY = (
    r"please|pls|plz|kindly|hey|hi|hello|ok|okay|robot|now|so|then|and|finally|also"
    r"|just|go ahead and|can you|could you|would you|will you|i want you to|i need you to"
    r"|i would like you to|i'd like you to|you should|you must|let's|try to"
    r"|carefully|gently|slowly|quickly"
    rf"|make sure to|your task is to|next(?=[\s,:]+{VERB}\b)"
)
POLITE = re.compile(rf"^(?:(?:{_COURTESY})\b[\s,:]*)+")
# What comes first can be said at the front only: the objects are taken in the order of the words.
_OPENING = re.compile(rf"^(?:(?:{_COURTESY}|first)\b[\s,:]*)+")
_CLOSING = re.compile(
    r"(?:[\s,;.!]+(?:please|pls|plz|thanks|thank you|thx|cheers|for me|okay|ok|will you|right now"
    r"|right away|now)|,\s*robot)+$"
)
_PUT_FIRST = re.compile(rf"^({VERB})\s+first\s+")
_FIRST_AND_THEN = re.compile(
    rf"^({VERB}\s+(?:(?!\b(?:and|then|plus|{INTO})\b)[^,;.!&])+?)\s+first(?=,?\s+(?:and\s+)?then\b)"
)
_ALONE_FIRST = re.compile(
    rf"^((?:(?!\s{INTO}\s).)+\s{INTO}\s+(?:(?:the|a|my|your|this|that)\s+)?\w+)\s+first$"
)
"""With one container, of one word: what is put there first is all that is put."""
_TITLE = re.compile(r"\b(dr|mr|mrs|ms|st)\.(?=\s)")
_AWAY = re.compile(rf"\s+(?:away|back|down)(?=\s+{INTO}\s)")
_TABLE = r"(?:top of\s+)?(?:the|your|that|this)\s+(?:table|tabletop|desk|counter|scene)"
_THAT = r"(?:(?:that|which)\s+(?:is|are|stands?|lies?)|that's)"
SOURCE = re.compile(
    rf"\s+(?:(?:{_THAT}|(?:that|which)\s+(?:you see|you can see))\s+(?:on|at)\s+{_TABLE}"
    rf"|(?:from|off|of)\s+{_TABLE})(?=\s|$|[,.;:])"
)
"""Where objects are, not where they go."""
_PLACE = re.compile(
    rf"\s+(?:{_THAT}\s+)?(?:(?:on|at)\s+{_TABLE}|in (?:view|sight|front of you))(?=\s|$|[,.;:])"
)
"""Where objects are, or where they go."""
_BEGIN = r"(?P<begin>^|[,;.!]\s+|\b(?:and|then)\s+)"
_PICK_AND_PLACE = re.compile(
    rf"{_BEGIN}pick(?:\s+up)?(?:\s*,|\s+and)\s+(?:put|place|drop)\s+(?!(?:it|them|that|this)\b)"
)
_LIFT_AND_PUT = re.compile(
    rf"{_BEGIN}(?:pick\s+up|pick|grab|take|get|lift|fetch|collect|gather)\s+"
    rf"(?P<what>(?:(?!\s{INTO}\s).)+?)(?:\s+up)?\s*(?:[,;.!]|\band\b|\bthen\b)"
    rf"(?:\s*(?:,|\band\b|\bthen\b|\bplease\b))*\s*{VERB}\s+"
    rf"(?:(?:it|them|that|this|those)(?:\s+all|\s+both)?|all of them|both of them|each of them)\s+"
    rf"(?=(?:away\s+|back\s+|down\s+)?{INTO}\s)"
)
_CLEARING = re.compile(
    r"^(?:clear|clean|tidy)(?:\s+(?:up|off))?\s+(?:the\s+)?(?:table|tabletop|desk|counter)(?:\s+up|\s+off)?"
)
_CLEARING_FIRST = re.compile(rf"{_CLEARING.pattern}\s*(?:[:;,.!]|\band\b)+\s*(?={VERB}\s)")
_CLEARING_BY = re.compile(rf"{_CLEARING.pattern}\s*,?\s*by\s+(?:putting|placing|moving|dropping)\b")


def opened(text: str) -> str:
    """The text in small letters without what is said before and after a goal."""
    plain = _TITLE.sub(r"\1", " ".join(text.lower().replace("’", "'").split())).strip(" .!?")
    plain = _CLOSING.sub("", _OPENING.sub("", plain)).strip(" .!?")
    return _ALONE_FIRST.sub(r"\1", _FIRST_AND_THEN.sub(r"\1", _PUT_FIRST.sub(r"\1 ", plain)))


def plainly(text: str) -> str:
    """The goal with "put" alone wherever that is all it says."""
    plain = _without_source(opened(text))
    plain = _PICK_AND_PLACE.sub(r"\g<begin>put ", plain)
    plain = _LIFT_AND_PUT.sub(r"\g<begin>put \g<what> ", plain)
    plain = _CLEARING_BY.sub("put", _CLEARING_FIRST.sub("", _AWAY.sub("", plain)))
    return _CLEARING.sub("put everything", plain)


def clears_table(text: str) -> bool:
    """Whether the goal begins with clearing the table, which asks for all objects."""
    return bool(_CLEARING.match(opened(text)))


def _without_source(text: str) -> str:
    """The text without where the objects are, unless nothing else names a place."""
    for found in reversed(list(SOURCE.finditer(text))):
        text = _without(text, found)
    for found in reversed(list(_PLACE.finditer(text))):
        before = AND.split(text[: found.start()])[-1]
        after = text[found.end() :]
        # Elsewhere it may be where one is to go: "the cereal on the table and the milk into …".
        if SPLIT.search(before) or SPLIT.match(after) or EXCEPT.match(after):
            text = _without(text, found)
    return text


def _without(text: str, found: re.Match[str]) -> str:
    rest = " ".join((text[: found.start()] + " " + text[found.end() :]).split())
    return rest if SPLIT.search(rest) else text

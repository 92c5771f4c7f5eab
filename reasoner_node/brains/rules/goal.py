"""Reads a goal: which objects, all but which, into which container. Deterministic, English, small.

Usage::

    parse_goal("put everything except the milk into the basket")
    # Goal(moves=(Move(objects=(), all_objects=True, excluded=("milk",), container="basket"),))
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reasoner_node.brains.rules.nouns import clean

UNDERSTOOD = (
    "I understand goals like 'put the milk into the basket', 'put the milk and the cereal into the "
    "basket' or 'put all the objects except the milk into the basket'."
)
_VERB = (
    r"(?:put|place|move|drop|bring|take|pack|throw|load|transfer|stow|store|set|lay|toss|deposit"
    r"|collect|gather|sort|stash|pop|stick|clear|clean|tidy|carry|pick(?:\s+up)?|grab|get|lift|fetch)"
)
_POLITE = re.compile(
    r"^(?:(?:please|kindly|hey|hi|hello|ok|okay|robot|now|so|then|first|and|next|finally"
    r"|just|go ahead and|can you|could you|would you|will you|i want you to|i need you to"
    r"|i would like you to|i'd like you to|you should|you must|let's|try to"
    r"|make sure to|your task is to)\b[\s,:]*)+"
)
_NEGATED = re.compile(
    r"\b(?:don't|do not|dont|never|must not|mustn't|shouldn't|should not|cannot|can't)\b"
)
_INTO = r"(?:into|inside of|inside|in to|within|onto|on to|on top of|in|on|to)"
_SPLIT = re.compile(rf"\s+{_INTO}\s+")
_SOURCE = re.compile(
    r"\s+(?:(?:that|which)\s+(?:is|are|you see|you can see|stands?|lies?)\s+)?"
    r"(?:(?:on|from|off|of|at)\s+(?:top of\s+)?(?:the|your|that|this)\s+"
    r"(?:table|tabletop|desk|counter|scene)|in (?:view|sight|front of you))(?=\s|$|,)"
)
_EXCEPT = re.compile(
    r",?\s*\b(?:except(?:\s+for)?|but(?:\s+(?:not|for|leave))?|other than|apart from|aside from|"
    r"besides|excluding|without|save for|not)\s+"
)
_AND = re.compile(
    r"\s*(?:,|;|\band then\b|\band also\b|\band\b|&|\bplus\b|\bas well as\b|\bthen\b)\s*"
)
_PICK_AND_PLACE = re.compile(
    rf"^(?:pick\s+up|pick|grab|take|get|lift|fetch)\s+(?P<what>.+?)(?:\s+up)?\s*(?:,|\band\b|\bthen\b)+\s*"
    rf"(?:then\s+)?{_VERB}\s+(?:it|them|that|this|those|all of them|both of them|each of them)\s+"
    rf"(?P<where>{_INTO}\s+.+)$"
)
_NEXT_VERB = re.compile(rf"^(?:{_VERB})(?:\s+(?=\S)|$)")
_TRAILING_POLITE = re.compile(
    r"(?:[\s,]+(?:please|thanks|thank you|for me|okay|ok|will you|now))+$"
)
_CLEARING = re.compile(
    r"^(?:clear|clean|tidy)(?:\s+(?:up|off))?\s+(?:the\s+)?(?:table|tabletop|desk|counter)(?:\s+up|\s+off)?"
)
_CLEARING_FIRST = re.compile(rf"{_CLEARING.pattern}\s*(?:[:;,]|\band\b|\bby\b)+\s*(?={_VERB}\s)")
_EVERYTHING = re.compile(
    r"^(?:everything|all|every object|every item|each object|every thing|all of (?:it|them)"
    r"|(?:all |all of |each of |every one of )?(?:the |these |those |of the )*"
    r"(?:other |remaining |visible )*(?:objects?|items?|things?|stuff|groceries|grocery items"
    r"|products?|rest|remaining ones|others))"
    r"(?:\s+(?:you (?:can )?see|visible|there|here|else|left|remaining))*$"
)

_POINTING = frozenset(
    ("it", "them", "that", "this", "those", "these", "one", "ones", "something", "anything", "some")
)


@dataclass(frozen=True)
class Move:
    """One clause of a goal.

    Attributes:
        objects: Nouns as the operator said them, without articles.
        all_objects: Whether all visible objects are meant instead.
        excluded: Nouns to leave where they are.
        container: Noun of the container.
    """

    objects: tuple[str, ...]
    all_objects: bool
    excluded: tuple[str, ...]
    container: str


@dataclass(frozen=True)
class Goal:
    """What the operator wants."""

    moves: tuple[Move, ...]


@dataclass(frozen=True)
class NotUnderstood:
    """Why a goal cannot be read, in words for the operator."""

    why: str


def parse_goal(text: str) -> Goal | NotUnderstood:
    """The goal behind a prompt, or why there is none."""
    plain = " ".join(text.lower().replace("’", "'").split()).strip(" .!?")
    plain = _TRAILING_POLITE.sub("", _POLITE.sub("", plain))
    exclusions = _EXCEPT.search(plain)
    if _NEGATED.search(plain[: exclusions.start()] if exclusions else plain):
        return NotUnderstood(f"I do not act on goals that say what not to do. {UNDERSTOOD}")
    if not re.match(rf"{_VERB}\b", plain):
        return NotUnderstood(f"I do not know what to do with '{text}'. {UNDERSTOOD}")
    plain = _without_source(plain)
    together = _PICK_AND_PLACE.match(plain)
    if together:
        plain = f"put {together['what']} {together['where']}"
    plain = _CLEARING_FIRST.sub("", plain)
    if _CLEARING.match(plain):
        plain = _CLEARING.sub("put everything", plain)
    plain, trailing = _trailing_exclusion(plain)
    moves: list[Move] = []
    for what, where in _clauses(plain):
        move = _move(what, where, trailing)
        if isinstance(move, NotUnderstood):
            return move
        moves.append(move)
    if not moves:
        return NotUnderstood(
            f"The goal '{text}' names no container to put things into. {UNDERSTOOD}"
        )
    return Goal(tuple(moves))


def _without_source(text: str) -> str:
    """Drops "on the table" where it says which objects are meant, not where they go."""
    for found in reversed(list(_SOURCE.finditer(text))):
        rest = text[: found.start()] + " " + text[found.end() :]
        if _SPLIT.search(rest) or _CLEARING.match(text):
            text = " ".join(rest.split())
    return text


def _trailing_exclusion(text: str) -> tuple[str, tuple[str, ...]]:
    """Cuts an exclusion that follows the container: "into the basket except the milk"."""
    parts = _SPLIT.split(text)
    found = _EXCEPT.search(parts[-1]) if len(parts) > 1 else None
    if not found:
        return text, ()
    excluded = parts[-1][found.end() :]
    start = len(text) - len(parts[-1]) + found.start()
    return text[:start], _nouns(excluded)


def _clauses(text: str) -> list[tuple[str, str]]:
    """Pairs of objects and container: "milk into the basket and cereal into the bin" gives two."""
    pieces = _SPLIT.split(text)
    if len(pieces) < 2:
        return []
    clauses: list[tuple[str, str]] = []
    what = pieces[0]
    for index, piece in enumerate(pieces[1:], start=1):
        if index == len(pieces) - 1:
            where, *more = _AND.split(piece, maxsplit=1)
            clauses.append((what, where))
            if more and more[0].strip():
                # "put the milk into the basket and then the mustard"
                clauses.append((more[0], where))
        else:
            where, *more = _AND.split(piece, maxsplit=1)
            clauses.append((what, where))
            what = more[0] if more else ""
    return clauses


def _move(what: str, where: str, trailing: tuple[str, ...]) -> Move | NotUnderstood:
    what = _POLITE.sub("", what.strip())
    what = _NEXT_VERB.sub("", what).strip()
    container = clean(where)
    what, *exclusions = _EXCEPT.split(what, maxsplit=1)
    excluded = (_nouns(exclusions[0]) if exclusions else ()) + trailing
    phrase = what.strip(" ,")
    if not phrase or not container:
        return NotUnderstood(f"A goal has to name objects and a container. {UNDERSTOOD}")
    if _EVERYTHING.match(phrase):
        return Move((), True, excluded, container)
    nouns = _nouns(phrase)
    if any(_EVERYTHING.match(noun) for noun in nouns):
        return Move((), True, excluded, container)
    unclear = [noun for noun in nouns if noun in _POINTING]
    if not nouns or unclear:
        named = unclear[0] if unclear else phrase
        return NotUnderstood(
            f"'{named}' does not say which objects are meant. Name each of them, or say 'all the "
            f"objects'. {UNDERSTOOD}"
        )
    if excluded:
        return NotUnderstood(f"Exceptions go with 'all the objects' only. {UNDERSTOOD}")
    return Move(nouns, False, (), container)


def _nouns(text: str) -> tuple[str, ...]:
    pieces = [clean(_POLITE.sub("", part)) for part in _AND.split(text)]
    if len(pieces) > 1:
        # "both the milk and the mustard" names two, "both bottles" names none.
        pieces[0] = clean(pieces[0].removeprefix("both "))
    return tuple(dict.fromkeys(piece for piece in pieces if piece))

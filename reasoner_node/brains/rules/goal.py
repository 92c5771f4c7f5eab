"""Reads a goal: which objects, all but which, into which container. Deterministic, English, small.

What is not read to its last word is refused: no goal is taken for a simpler one.

Usage::

    parse_goal("put everything except the milk into the basket")
    # Goal(moves=(Move(objects=(), all_objects=True, excluded=("milk",), container="basket"),))
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from reasoner_node.brains.rules.foreign import foreign_word
from reasoner_node.brains.rules.nouns import clean, without_manner

UNDERSTOOD = (
    "I understand goals like 'put the milk into the basket', 'put the milk and the cereal into the "
    "basket' or 'put all the objects except the milk into the basket'."
)
_VERB = (
    r"(?:put|place|move|drop|bring|take|pack|throw|load|transfer|stow|store|set|lay|toss|deposit"
    r"|collect|gather|sort|stash|pop|stick|clear|clean|tidy|carry|pick(?:\s+up)?|grab|get|lift|fetch)"
)
_COURTESY = (
    r"please|kindly|hey|hi|hello|ok|okay|robot|now|so|then|and|finally|also"
    r"|just|go ahead and|can you|could you|would you|will you|i want you to|i need you to"
    r"|i would like you to|i'd like you to|you should|you must|let's|try to"
    rf"|make sure to|your task is to|next(?=[\s,:]+{_VERB}\b)"
)
_POLITE = re.compile(rf"^(?:(?:{_COURTESY})\b[\s,:]*)+")
# What comes first can be said at the front only: the objects are taken in the order of the words.
_OPENING = re.compile(rf"^(?:(?:{_COURTESY}|first)\b[\s,:]*)+")
_PUT_FIRST = re.compile(rf"^({_VERB})\s+first\s+")
_NEGATED = re.compile(
    r"\b(?:don't|do not|dont|never|must not|mustn't|shouldn't|should not|cannot|can't)\b"
)
_INTO = r"(?:into|inside of|inside|in to|within|in|to)"
_SPLIT = re.compile(rf"\s+({_INTO})\s+")
_AWAY = re.compile(rf"\s+away(?=\s+{_INTO}\s)")
_LIFTING = re.compile(r"^(?:pick|grab|take|get|lift|fetch|clear|clean|tidy|sort)\b")
"""What such a verb finds "in the basket" lies there already."""
_TABLE = r"(?:top of\s+)?(?:the|your|that|this)\s+(?:table|tabletop|desk|counter|scene)"
_SOURCE = re.compile(
    rf"\s+(?:(?:that|which)\s+(?:is|are|stands?|lies?|you see|you can see)\s+(?:on|at)\s+{_TABLE}"
    rf"|(?:from|off|of)\s+{_TABLE})(?=\s|$|[,.;:])"
)
"""Where objects are, not where they go."""
_PLACE = re.compile(
    rf"\s+(?:(?:that|which)\s+(?:is|are|stands?|lies?)\s+)?"
    rf"(?:(?:on|at)\s+{_TABLE}|in (?:view|sight|front of you))(?=\s|$|[,.;:])"
)
"""Where objects are, or where they go."""
_EXCEPT = re.compile(
    r",?\s*\b(?:except(?:\s+for)?|but(?:\s+(?:not|for|leave))?|other than|apart from|aside from|"
    r"besides|excluding|without|save for|not)\s+"
)
_AND = re.compile(
    r"\s*(?:,|;|[.!](?=\s)|\band then\b|\band also\b|\band\b|&|\bplus\b|\bas well as\b|\bthen\b)\s*"
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
_MANY_THINGS = r"(?:objects|items|things|stuff|groceries|grocery items|products)"
_ONE_THING = r"(?:object|item|thing|grocery item|product)"
_SCOPE = r"(?:\s+(?:you (?:can )?see|visible|there|here|left|remaining|else))*"
_EVERYTHING = re.compile(
    rf"^(?:every\s?thing|all|all of (?:it|them|these|those)"
    r"|every one of (?:them|these|those)"
    rf"|(?:every|each)\s+(?:other\s+)?{_ONE_THING}"
    rf"|(?:(?:all|each|every one) of (?:the|these|those|your|my)\s+"
    rf"|(?:all\s+)?(?:(?:the|these|those|your|my)\s+)?)"
    rf"(?:(?:other|remaining|visible)\s+)*{_MANY_THINGS}"
    rf"|(?:all (?:of )?)?the\s+(?:rest|others|remaining ones)"
    rf"|the\s+rest of (?:them|(?:the|these|those)\s+{_MANY_THINGS})){_SCOPE}$"
)
_REST = re.compile(r"\b(?:else|rest|others?|remaining|left)\b")
_SOME_OF_THEM = re.compile(
    rf"\b(?:{_MANY_THINGS}|{_ONE_THING}|grocery|everything|ones?|rest|others?)$"
)
"""A noun for any object, with less before it than says that all are meant."""

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
    plain = _PUT_FIRST.sub(r"\1 ", _TRAILING_POLITE.sub("", _OPENING.sub("", plain)))
    exclusions = _EXCEPT.search(plain)
    if _NEGATED.search(plain[: exclusions.start()] if exclusions else plain):
        return NotUnderstood(f"I do not act on goals that say what not to do. {UNDERSTOOD}")
    if not re.match(rf"{_VERB}\b", plain):
        return NotUnderstood(f"I do not know what to do with '{text}'. {UNDERSTOOD}")
    plain = _AWAY.sub("", _without_source(plain))
    together = _PICK_AND_PLACE.match(plain)
    if together:
        plain = f"put {together['what']} {together['where']}"
    cleared = bool(_CLEARING.match(plain))
    plain = _CLEARING.sub("put everything", _CLEARING_FIRST.sub("", plain))
    plain, trailing = _trailing_exclusion(plain)
    moves: list[Move] = []
    others: list[int] = []
    for clause in _clauses(plain):
        move = _move(clause, trailing)
        if isinstance(move, NotUnderstood):
            return move
        if move.all_objects and _REST.search(clause.what):
            others.append(len(moves))
        moves.append(move)
    if not moves:
        return _no_container(plain, text)
    if cleared and not any(move.all_objects for move in moves):
        return NotUnderstood(
            f"A cleared table asks for all objects, and the rest of the goal for few. {UNDERSTOOD}"
        )
    return Goal(_sparing_named(moves, others))


def _no_container(plain: str, text: str) -> NotUnderstood:
    foreign = foreign_word(clean(re.sub(rf"^{_VERB}\s+", "", plain)))
    if foreign:
        return NotUnderstood(f"I do not understand '{foreign}' in '{text}'. {UNDERSTOOD}")
    return NotUnderstood(f"The goal '{text}' names no container to put things into. {UNDERSTOOD}")


def _sparing_named(moves: list[Move], others: list[int]) -> tuple[Move, ...]:
    """In "the milk into the bin and the rest into the basket" the rest is without the milk."""
    for index in others:
        rest = moves[index]
        elsewhere = [move for move in moves if move.container != rest.container]
        named = [noun for move in elsewhere for noun in move.objects]
        moves[index] = replace(rest, excluded=tuple(dict.fromkeys((*rest.excluded, *named))))
    return tuple(moves)


def _without_source(text: str) -> str:
    """Drops "on the table" where it says which objects are meant, not where they go."""
    for found in reversed(list(_SOURCE.finditer(text))):
        text = _without(text, found)
    for found in reversed(list(_PLACE.finditer(text))):
        before = _AND.split(text[: found.start()])[-1]
        after = text[found.end() :]
        # Elsewhere it may be where one is to go: "the cereal on the table and the milk into …".
        if _SPLIT.search(before) or _SPLIT.match(after) or _EXCEPT.match(after):
            text = _without(text, found)
    return text


def _without(text: str, found: re.Match[str]) -> str:
    rest = " ".join((text[: found.start()] + " " + text[found.end() :]).split())
    return rest if _SPLIT.search(rest) else text


def _trailing_exclusion(text: str) -> tuple[str, tuple[str, ...]]:
    """Cuts an exclusion that follows the container: "into the basket except the milk"."""
    parts = _SPLIT.split(text)
    found = _EXCEPT.search(parts[-1]) if len(parts) > 1 else None
    if not found:
        return text, ()
    start = len(text) - len(parts[-1]) + found.start()
    return text[:start], _excluded(parts[-1][found.end() :])


@dataclass(frozen=True)
class _Clause:
    """Objects, preposition and container as said; the last two are empty without a container."""

    what: str
    preposition: str
    where: str


def _clauses(text: str) -> list[_Clause]:
    """Objects with their container: "milk into the basket and cereal into the bin" gives two."""
    what, *pairs = _SPLIT.split(text)
    clauses: list[_Clause] = []
    for preposition, piece in zip(pairs[::2], pairs[1::2], strict=True):
        where, *more = _AND.split(piece, maxsplit=1)
        clauses.append(_Clause(what, preposition, where))
        what = more[0].strip() if more else ""
    if clauses and what:
        # "put the milk into the basket and then the mustard", but not "… and lift the mustard"
        last = clauses[-1]
        own_verb = _NEXT_VERB.match(_POLITE.sub("", what))
        clauses.append(
            _Clause(what, "", "") if own_verb else _Clause(what, last.preposition, last.where)
        )
    return clauses


def _move(clause: _Clause, trailing: tuple[str, ...]) -> Move | NotUnderstood:
    spoken = _POLITE.sub("", clause.what.strip())
    if clause.preposition in ("in", "within", "inside") and _LIFTING.match(spoken):
        return NotUnderstood(
            f"'{clause.preposition} {clause.where}' may say where the objects are or where they "
            f"go. Say 'into'. {UNDERSTOOD}"
        )
    what, *exclusions = _EXCEPT.split(_NEXT_VERB.sub("", spoken).strip(), maxsplit=1)
    excluded = (_excluded(exclusions[0]) if exclusions else ()) + trailing
    phrase = what.strip(" ,")
    container = clean(clause.where)
    if not phrase or not container:
        return NotUnderstood(f"A goal has to name objects and a container. {UNDERSTOOD}")
    pieces = _pieces(phrase)
    everything = [piece for piece in pieces if _EVERYTHING.match(piece)]
    named = [piece for piece in pieces if piece not in everything]
    refusal = _not_plain((*named, *excluded, clause.where)) if pieces else _unclear(phrase)
    if refusal:
        return refusal
    if everything:
        return Move((), True, _cleaned(excluded), container)
    if excluded:
        return NotUnderstood(f"Exceptions go with 'all the objects' only. {UNDERSTOOD}")
    return Move(_cleaned(named), False, (), container)


def _not_plain(pieces: Iterable[str]) -> NotUnderstood | None:
    """Why one of the pieces is no plain noun, if one is not."""
    for piece in pieces:
        noun = clean(piece)
        if not noun or noun in _POINTING or _SOME_OF_THEM.search(noun):
            return _unclear(piece)
        foreign = foreign_word(noun)
        if foreign:
            return NotUnderstood(f"I do not understand '{foreign}' in '{piece}'. {UNDERSTOOD}")
    return None


def _unclear(piece: str) -> NotUnderstood:
    return NotUnderstood(
        f"'{piece}' does not say which objects are meant. Name each of them, or say 'all the "
        f"objects'. {UNDERSTOOD}"
    )


def _excluded(text: str) -> tuple[str, ...]:
    """What an exception names; its words as they are where it names nothing."""
    return _pieces(text) or (text,)


def _pieces(text: str) -> tuple[str, ...]:
    """The parts of a list, each with its articles: they tell one object from all."""
    pieces = [_POLITE.sub("", part).strip() for part in _AND.split(text)]
    if len(pieces) > 1:
        # "both the milk and the mustard" names two, "both bottles" names none.
        pieces[0] = pieces[0].removeprefix("both ")
    return tuple(without_manner(piece) for piece in pieces if re.search(r"\w", piece))


def _cleaned(pieces: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clean(piece) for piece in pieces))

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
from reasoner_node.brains.rules.nouns import (
    clean,
    is_label,
    is_manner,
    odd_beginning,
    without_manner,
)
from reasoner_node.brains.rules.wording import (
    AND,
    EXCEPT,
    INTO,
    POLITE,
    SOURCE,
    SPLIT,
    VERB,
    clears_table,
    opened,
    plainly,
)

UNDERSTOOD = (
    "I understand goals like 'put the milk into the basket', 'put the milk and the cereal into the "
    "basket' or 'put all the objects except the milk into the basket'."
)
_NEGATED = re.compile(
    r"\b(?:don't|do not|dont|never|must not|mustn't|shouldn't|should not|cannot|can't)\b"
)
_LIFTING = re.compile(r"^(?:pick|grab|take|get|lift|fetch|clear|clean|tidy|sort)\b")
"""What such a verb finds "in the basket" lies there already."""
_NEXT_VERB = re.compile(rf"^{VERB}(?:\s+(?=\S)|$)")
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
_PART_OF_SEVERAL = re.compile(
    r"^(?:all|both|each|every one|either|any|some|one) of\b|^(?:it|them|these|those) (?:all|both)$"
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
    """What the operator wants.

    Attributes:
        moves: The clauses, in order.
        taken_in: Nouns that a clause for all objects names besides: "the milk and everything else".
    """

    moves: tuple[Move, ...]
    taken_in: tuple[str, ...] = ()


@dataclass(frozen=True)
class NotUnderstood:
    """Why a goal cannot be read, in words for the operator."""

    why: str


def parse_goal(text: str, labels: Iterable[str] = ()) -> Goal | NotUnderstood:
    """The goal behind a prompt, or why there is none.

    Args:
        text: The operator's words.
        labels: Names of what is in view; said word for word, each is a noun whatever it is made of.
    """
    known = tuple(labels)
    spoken = opened(text)
    exclusions = EXCEPT.search(spoken)
    if _NEGATED.search(spoken[: exclusions.start()] if exclusions else spoken):
        return NotUnderstood(f"I do not act on goals that say what not to do. {UNDERSTOOD}")
    plain = plainly(text)
    if not re.match(rf"{VERB}\b", plain):
        if not _names_only(plain, known):
            return NotUnderstood(f"I do not know what to do with '{text}'. {UNDERSTOOD}")
        plain = f"put {plain}"
    plain, trailing = _trailing_exclusion(plain)
    clauses = _clauses(plain)
    if not clauses:
        return _no_container(plain, text)
    readings: list[_Reading] = []
    for clause in clauses:
        reading = _read(clause, trailing, known)
        if isinstance(reading, NotUnderstood):
            return reading
        readings.append(reading)
    refusal = _not_together(clauses, readings, clears_table(text))
    if refusal:
        return refusal
    taken_in = tuple(noun for reading in readings for noun in reading.taken_in)
    return Goal(_sparing_named(readings), taken_in)


def _names_only(text: str, known: tuple[str, ...]) -> bool:
    """Whether a goal without a verb begins with what is surely a noun: "milk into the basket"."""
    what, *places = SPLIT.split(text)
    pieces = _pieces(EXCEPT.split(what, maxsplit=1)[0])
    sure = [piece for piece in pieces if _EVERYTHING.match(piece) or is_label(clean(piece), known)]
    return bool(places and pieces) and len(sure) == len(pieces)


def _no_container(plain: str, text: str) -> NotUnderstood:
    """Why a goal without "into" is none."""
    what = re.sub(rf"\s+(?:away|{INTO})$", "", SOURCE.sub("", _NEXT_VERB.sub("", plain)))
    for piece in (piece for part in EXCEPT.split(what) for piece in _pieces(part)):
        foreign = "" if _EVERYTHING.match(piece) else foreign_word(clean(piece))
        # A word that the operator did not say is one of the rewriting's.
        if foreign and re.search(rf"(?<!\w){re.escape(foreign)}(?!\w)", opened(text)):
            return _foreign(foreign, text)
    return NotUnderstood(f"The goal '{text}' names no container to put things into. {UNDERSTOOD}")


def _trailing_exclusion(text: str) -> tuple[str, tuple[str, ...]]:
    """Cuts an exclusion that follows the container: "into the basket except the milk"."""
    parts = SPLIT.split(text)
    found = EXCEPT.search(parts[-1]) if len(parts) > 1 else None
    if not found:
        return text, ()
    start = len(text) - len(parts[-1]) + found.start()
    return text[:start], _excluded(parts[-1][found.end() :])


@dataclass(frozen=True)
class _Clause:
    """Objects, preposition and container as said; `follows`: the container is the last clause's."""

    what: str
    preposition: str
    where: str
    follows: bool = False


@dataclass(frozen=True)
class _Reading:
    """A clause's move, the nouns that its "everything" takes in, and whether it is a rest."""

    move: Move
    taken_in: tuple[str, ...] = ()
    rest: bool = False


def _clauses(text: str) -> list[_Clause]:
    """Objects with their container: "milk into the basket and cereal into the bin" gives two."""
    what, *pairs = SPLIT.split(text)
    clauses: list[_Clause] = []
    for preposition, piece in zip(pairs[::2], pairs[1::2], strict=True):
        where, *more = AND.split(piece, maxsplit=1)
        clauses.append(_Clause(what, preposition, where))
        what = more[0].strip() if more else ""
    if clauses and _pieces(what):
        # "put the milk into the basket and then the mustard", but not "… and lift the mustard"
        last = clauses[-1]
        clauses.append(_Clause(what, last.preposition, last.where, follows=True))
    return clauses


def _read(
    clause: _Clause, trailing: tuple[str, ...], known: tuple[str, ...]
) -> _Reading | NotUnderstood:
    spoken = POLITE.sub("", clause.what.strip())
    # "pop tarts" may be a thing that is there.
    named_first = is_label(_pieces(spoken)[0], known) if _pieces(spoken) else False
    verb = None if named_first else _NEXT_VERB.match(spoken)
    lifted = clause.preposition in ("in", "within", "inside") and _LIFTING.match(spoken)
    if lifted and verb and not clause.follows:
        return NotUnderstood(
            f"'{clause.preposition} {clause.where}' may say where the objects are or where they "
            f"go. Say 'into'. {UNDERSTOOD}"
        )
    if verb and clause.follows:
        return NotUnderstood(f"'{spoken}' names no container to put things into. {UNDERSTOOD}")
    what, *exclusions = EXCEPT.split(spoken[verb.end() if verb else 0 :].strip(), maxsplit=1)
    excluded = (_excluded(exclusions[0]) if exclusions else ()) + trailing
    phrase = what.strip(" ,")
    container = clean(clause.where)
    if exclusions and not phrase:
        return _foreign(spoken.split()[0], spoken)
    if not phrase or not container:
        return NotUnderstood(f"A goal has to name objects and a container. {UNDERSTOOD}")
    pieces = _pieces(phrase)
    if not pieces:
        return _unclear(phrase)
    everything = [piece for piece in pieces if _EVERYTHING.match(piece)]
    named = [piece for piece in pieces if piece not in everything]
    refusal = (
        _not_nouns(named, known, behind_verb=bool(verb) and named[:1] == list(pieces[:1]))
        or _not_nouns(excluded, known, behind_verb=False)
        or _not_nouns((clause.where,), known, behind_verb=True)
    )
    if refusal:
        return refusal
    if everything:
        # Behind "everything" a noun may as well be an exception in words not known here.
        if named and not (_REST.search(everything[0]) and pieces[-1] == everything[0]):
            return _beside_everything(named[0])
        rest = any(_REST.search(piece) for piece in everything)
        return _Reading(Move((), True, _cleaned(excluded), container), _cleaned(named), rest)
    if excluded:
        return NotUnderstood(f"Exceptions go with 'all the objects' only. {UNDERSTOOD}")
    return _Reading(Move(_cleaned(named), False, (), container))


def _not_together(
    clauses: list[_Clause], readings: list[_Reading], cleared: bool
) -> NotUnderstood | None:
    """Why the clauses of a goal, each of them understood, do not go together."""
    moves = [reading.move for reading in readings]
    everything = any(move.all_objects for move in moves)
    if cleared and not everything:
        return NotUnderstood(
            f"A cleared table asks for all objects, and the rest of the goal for few. {UNDERSTOOD}"
        )
    if clauses[-1].follows and everything and not moves[-1].all_objects:
        return _beside_everything(moves[-1].objects[0])
    return None


def _beside_everything(noun: str) -> NotUnderstood:
    return NotUnderstood(
        f"'{noun}' beside all the objects may be one to move or one to leave. Say 'except' before "
        f"what is to stay. {UNDERSTOOD}"
    )


def _sparing_named(readings: list[_Reading]) -> tuple[Move, ...]:
    """In "the milk into the bin and the rest into the basket" the rest is without the milk."""
    moves = [reading.move for reading in readings]
    for index, reading in enumerate(readings):
        if reading.rest:
            rest = reading.move
            elsewhere = [move for move in moves if move.container != rest.container]
            named = [noun for move in elsewhere for noun in move.objects]
            moves[index] = replace(rest, excluded=tuple(dict.fromkeys((*rest.excluded, *named))))
    return tuple(moves)


def _not_nouns(
    pieces: Iterable[str], known: tuple[str, ...], *, behind_verb: bool
) -> NotUnderstood | None:
    """Why one of the pieces is no plain noun, if one is not; `behind_verb` is said of the first."""
    for piece in pieces:
        noun = clean(piece)
        if not noun or noun in _POINTING or _SOME_OF_THEM.search(noun):
            return _unclear(piece)
        bare = noun == without_manner(piece)
        # "drink" alone may be an order, "the drink" and "energy drink" are none.
        if not (is_label(noun, known) and (" " in noun or not bare)):
            if _PART_OF_SEVERAL.match(noun):
                return _unclear(piece)
            foreign = foreign_word(noun, bare=bare, behind_verb=behind_verb)
            if not foreign and bare and not behind_verb:
                foreign = odd_beginning(noun, known)
            if foreign:
                return _foreign(foreign, piece)
        behind_verb = False
    return None


def _foreign(word: str, phrase: str) -> NotUnderstood:
    return NotUnderstood(f"I do not understand '{word}' in '{phrase}'. {UNDERSTOOD}")


def _unclear(piece: str) -> NotUnderstood:
    return NotUnderstood(
        f"'{piece}' does not say which objects are meant. Name each of them, or say 'all the "
        f"objects'. {UNDERSTOOD}"
    )


def _excluded(text: str) -> tuple[str, ...]:
    """What an exception names; its words as they are where it names nothing."""
    # "except the milk and then the cereal": the cereal may be one to move.
    later = re.search(r"\bthen\s.*", text)
    return (later.group(),) if later else _pieces(text) or (text,)


def _pieces(text: str) -> tuple[str, ...]:
    """The parts of a list, each with its articles: they tell one object from all."""
    pieces = [POLITE.sub("", part).strip() for part in AND.split(text)]
    if len(pieces) > 1:
        # "both the milk and the mustard" names two, "both bottles" names none.
        pieces[0] = pieces[0].removeprefix("both ")
    named = [piece for piece in pieces if re.search(r"\w", piece) and not is_manner(piece)]
    return tuple(without_manner(piece) for piece in named)


def _cleaned(pieces: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clean(piece) for piece in pieces))

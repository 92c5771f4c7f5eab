"""From the operator's noun to a label that is seen: exact, by its words, by a synonym."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

_ARTICLE = re.compile(
    r"^(?:(?:the|a|an|this|that|my|your|our|his|her|their|its|some|one)\s+|(?:box|carton|bottle|can|tin"
    r"|pack|packet|package|jar|piece|bag) of\s+)+"
)
_MANNER = (
    r"(?:please|pls|plz|too|as well|also|right now|right away|now|immediately|at once|asap"
    r"|(?:very )?(?:carefully|gently|slowly|quickly)|together|again|for me"
    r"|one by one|one at a time|one after (?:the other|another)"
    r"|thanks|thank you|thx|cheers)"
)
_TAIL = re.compile(rf"\s+{_MANNER}$")
_ONLY_MANNER = re.compile(rf"{_MANNER}(?:[\s,]+{_MANNER})*")
_SIGNS = " ,.;:!?'\""
SYNONYMS: dict[str, tuple[str, ...]] = {
    "basket": ("bin", "crate", "hamper", "container", "shopping basket"),
    "cereal": ("cornflakes", "corn flakes", "muesli", "granola"),
    "soup can": ("soup", "tin", "soup tin", "canned soup"),
    "mustard": ("mustard bottle", "condiment"),
    "milk": ("milk carton", "milk box"),
}
"""Other words for the labels of common groceries; a detector's own synonyms are asked by a look."""

_VESSELS = frozenset(
    (
        *("bag", "bottle", "box", "brick", "can", "carton", "container", "jar"),
        *("pack", "package", "packet", "tin", "tube"),
    )
)
"""What groceries come in: "milk carton" is the milk."""

_DESCRIBING = frozenset(
    (
        *("red", "blue", "green", "yellow", "white", "black", "brown", "orange", "grey", "gray"),
        *("pink", "purple", "big", "large", "small", "little", "tall", "short", "long", "wide"),
        *("deep", "round", "square", "full", "empty", "open", "wire", "wicker"),
        *("plastic", "metal", "wooden", "shopping", "grocery"),
    )
)
"""What tells a thing from its like and makes no other of it, as "laundry" does of a basket."""


@dataclass(frozen=True)
class Match:
    """What a noun may stand for: one label, several, or none."""

    labels: tuple[str, ...]

    @property
    def label(self) -> str:
        """The one label; empty where there is none or more than one."""
        return self.labels[0] if len(self.labels) == 1 else ""


def clean(noun: str) -> str:
    """The noun without articles and words of manner; what places or limits it stays in it."""
    text = without_manner(noun)
    while True:
        shorter = without_manner(_ARTICLE.sub("", text))
        if shorter == text or not shorter:
            return text
        text = shorter


def without_manner(phrase: str) -> str:
    """The phrase in plain letters and without what says how: "please", "slowly", "one by one"."""
    text = " ".join(phrase.lower().replace("_", " ").split()).strip(_SIGNS)
    while True:
        shorter = _TAIL.sub("", text).strip(_SIGNS)
        if shorter == text or not shorter:
            return text
        text = shorter


def is_manner(phrase: str) -> bool:
    """Whether a phrase says how and names nothing: "slowly, please"."""
    return bool(_ONLY_MANNER.fullmatch(phrase.strip(_SIGNS)))


def is_label(noun: str, labels: Iterable[str]) -> bool:
    """Whether a noun is one of the labels, word for word."""
    wanted = _words(noun)
    return bool(wanted) and any(_words(label) == wanted for label in labels)


def odd_beginning(noun: str, labels: Iterable[str]) -> str:
    """A first word before a label that may be a verb as well as an adjective; empty = none.

    "barring milk" may be a kind of milk or spare it.
    """
    wanted = _words(noun)
    if len(wanted) < 2 or wanted[0] in _DESCRIBING:
        return ""
    named = [set(_words(label)) for label in labels if _words(label)]
    within = [words for words in named if words <= set(wanted)]
    odd = bool(within) and not any(wanted[0] in words for words in within)
    return noun.split()[0] if odd else ""


def match(noun: str, labels: Iterable[str]) -> Match:
    """Labels that a noun may stand for, best kind of agreement first.

    Exact; then all words of the label in the noun, as what it is about ("the red milk carton" →
    milk, and "milk chocolate" is no milk); then all words of the noun in the label ("can" → soup
    can); then a synonym.
    """
    candidates = list(dict.fromkeys(labels))
    wanted = _words(noun)
    if not wanted:
        return Match(())
    exact = [label for label in candidates if _words(label) == wanted]
    if exact:
        return Match(tuple(exact))
    if any(_names(wanted, _words(label)) for label in candidates):
        # "milk cereal" may be either of two that are there, or a third.
        return Match(tuple(label for label in candidates if set(_words(label)) <= set(wanted)))
    within = [label for label in candidates if set(wanted) <= set(_words(label))]
    if within:
        return Match(tuple(within))
    return Match(tuple(_synonymous(wanted, candidates)))


def match_container(noun: str, labels: Iterable[str]) -> Match:
    """Labels that a container's noun may stand for, best kind of agreement first.

    Exact; then the label behind plain adjectives ("the big red basket", but not "the laundry
    basket"); then the label's last words ("basket" → shopping basket); then a synonym. Unlike an
    object's, a container's noun ends with what it is: "cereal box" is a box, and "basket handle"
    no basket.
    """
    candidates = list(dict.fromkeys(labels))
    wanted = _words(noun)
    if not wanted:
        return Match(())
    exact = [label for label in candidates if _words(label) == wanted]
    described = [label for label in candidates if _described(wanted, _words(label))]
    shortened = [label for label in candidates if _ends_with(_words(label), wanted)]
    return Match(tuple(exact or described or shortened or _synonymous(wanted, candidates)))


def _described(wanted: tuple[str, ...], label: tuple[str, ...]) -> bool:
    return _ends_with(wanted, label) and _DESCRIBING.issuperset(wanted[: -len(label)])


def _ends_with(words: tuple[str, ...], end: tuple[str, ...]) -> bool:
    return bool(end) and words[-len(end) :] == end


def _synonymous(wanted: tuple[str, ...], labels: Iterable[str]) -> list[str]:
    return [
        label
        for label in labels
        if any(_words(other) == wanted for other in SYNONYMS.get(label, ()))
    ]


def _names(wanted: tuple[str, ...], label: tuple[str, ...]) -> bool:
    """True if the noun's last word, which says what it is, belongs to the label or is a vessel."""
    head = wanted[-1]
    return set(label) <= set(wanted) and (head in label or head in _VESSELS or head.isdecimal())


def nearest(noun: str, labels: Iterable[str]) -> str:
    """A label that is spelt nearly like the noun, to ask back with; empty = none."""
    found = difflib.get_close_matches(noun.lower(), list(labels), n=1, cutoff=0.7)
    return found[0] if found else ""


def _words(text: str) -> tuple[str, ...]:
    return tuple(_singular(word) for word in re.findall(r"[a-z0-9]+", text.lower()))


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word

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
_TAIL = re.compile(
    r"\s+(?:(?:that|which) (?:is|are|stands?|lies?|sits?)\b.*"
    r"|(?:from|off|on|over|at|in|near|beside|next to|behind|by) (?:the |your |that |this )?"
    r"(?:table|tabletop|desk|counter|front|back|left|right|middle|corner|side|floor|scene|view"
    r"|there|here)\b.*|over (?:t?here)|(?:t?here)|please|too|as well|also"
    r"|now|carefully|gently|slowly|quickly|first|next|away|again|for me|right now)$"
)
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


@dataclass(frozen=True)
class Match:
    """What a noun may stand for: one label, several, or none."""

    labels: tuple[str, ...]

    @property
    def label(self) -> str:
        """The one label; empty where there is none or more than one."""
        return self.labels[0] if len(self.labels) == 1 else ""


def clean(noun: str) -> str:
    """The noun without articles, places on the table and polite words."""
    text = " ".join(noun.lower().replace("_", " ").split()).strip(" ,.;:!?'\"")
    while True:
        shorter = _TAIL.sub("", _ARTICLE.sub("", text)).strip(" ,.;:!?'\"")
        if shorter == text or not shorter:
            return text
        text = shorter


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
    inside = [label for label in candidates if _names(wanted, _words(label))]
    if inside:
        return Match(tuple(inside))
    within = [label for label in candidates if set(wanted) <= set(_words(label))]
    if within:
        return Match(tuple(within))
    synonyms = [
        label
        for label in candidates
        if any(_words(other) == wanted for other in SYNONYMS.get(label, ()))
    ]
    return Match(tuple(synonyms))


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

"""Which objects an operator's words ask to be put into the basket, for the referee's question.

Apart from the reasoner on purpose: what checks its result must not share its reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_ALL = re.compile(r"\b(all|every|everything|groceries|each|both|table)\b")
_EXCEPT = re.compile(r"\b(except|but|without|apart from|other than)\b")
_BASKET = re.compile(r"\b(basket|bin|away)\b")


def prompted_objects(prompt: str, labels: Iterable[str]) -> frozenset[str] | None:
    """Labels that have to lie in the basket afterwards.

    Args:
        prompt: The operator's words.
        labels: Objects on the table, as the record names them.

    Returns:
        None where the words ask for something else than the basket: the referee cannot judge that.
    """
    text = " ".join(prompt.lower().replace("_", " ").split())
    if not _BASKET.search(text):
        return None
    wanted, _, spared = [*_EXCEPT.split(text, maxsplit=1), "", ""][:3]
    named = {label for label in labels if _names(wanted, label)}
    if not named and _ALL.search(wanted):
        named = set(labels)
    named -= {label for label in labels if _names(spared, label)}
    return frozenset(named) if named else None


def _names(text: str, label: str) -> bool:
    """True if `text` holds the label's words, or its first: "soup" for "soup can"."""
    words = label.lower().replace("_", " ").split()
    return any(re.search(rf"\b{re.escape(word)}\b", text) for word in (" ".join(words), words[0]))

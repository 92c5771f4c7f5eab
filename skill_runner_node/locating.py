"""Answers of `locate_in_view` as boxes that carry the noun that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from skill_runner_node.policy import Box


def nouns(query: str) -> list[str]:
    """The nouns of a comma list."""
    return [noun.strip() for noun in query.split(",") if noun.strip()]


def named(query: str, boxes: Sequence[Box]) -> tuple[Box, ...]:
    """The boxes under the names that the query used.

    A detector answers with its own labels, in the order of the query. Where it found as many labels
    as there are nouns, the first label is the first noun's; where not, only equal names count.
    """
    asked = nouns(query)
    labels = list(dict.fromkeys(box.label for box in boxes))
    if len(labels) == len(asked):
        names = dict(zip(labels, asked, strict=True))
        if all(noun not in labels or names[noun] == noun for noun in asked):
            return tuple(replace(box, label=names[box.label]) for box in boxes)
    return tuple(boxes)

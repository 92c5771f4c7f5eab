"""Turns a question ("the milk, a basket") into catalogue labels, and detections into an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from openral.errors import ConfigError, InputError
from openral.grounding import collective_phrase, tokens
from perception_node.detection import TrackedDetection

_ARTICLES = frozenset(("the", "a", "an", "my", "your", "this", "that", "some"))
_SEPARATORS = re.compile(r"[,;\n]")
_AND = re.compile(r"\s+(?:and|&|or|plus)\s+", re.IGNORECASE)


class QueryError(InputError):
    """A query names nothing that could be looked for one by one."""


@dataclass(frozen=True)
class Query:
    """A query's nouns.

    Attributes:
        labels: Labels asked for, each once, in the query's order.
        unknown: Nouns that no name fits.
    """

    labels: tuple[str, ...]
    unknown: tuple[str, ...] = ()


class Vocabulary:
    """The names that a detector knows: labels and their synonyms, in any case and number."""

    def __init__(self, synonyms: Mapping[str, Iterable[str]]) -> None:
        """Args: `synonyms` holds the synonyms of each label.

        Raises:
            ConfigError: Two labels share a name.
        """
        self.labels: tuple[str, ...] = tuple(synonyms)
        self._label_of: dict[str, str] = {}
        for label, others in synonyms.items():
            for name in (label, *others):
                self._add(name, label)

    def _add(self, name: str, label: str) -> None:
        key = _plain(name)
        if not key:
            raise ConfigError(f"the catalogue entry '{label}' has an empty name")
        other = self._label_of.setdefault(key, label)
        if other != label:
            raise ConfigError(
                f"the catalogue entries '{other}' and '{label}' share the name '{name}':"
                " give it to one of them"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """Every label and synonym, in lower case."""
        return tuple(self._label_of)

    def label_of(self, noun: str) -> str | None:
        """The label that a noun means, or None."""
        plain = _plain(noun)
        for form in (plain, *_singulars(plain)):
            label = self._label_of.get(form)
            if label is not None:
                return label
        return None


def _plain(noun: str) -> str:
    words = tokens(noun)
    while words and words[0] in _ARTICLES:
        words = words[1:]
    return " ".join(word for word in words if word not in (",", ";", ":", ".", "!", "?"))


def _singulars(noun: str) -> list[str]:
    """Forms that `noun` may be the plural of: "boxes" → "boxe", "box"."""
    forms = []
    if noun.endswith("ies"):
        forms.append(noun[:-3] + "y")
    if noun.endswith("s") and not noun.endswith("ss"):
        forms.append(noun[:-1])
    if noun.endswith("es"):
        forms.append(noun[:-2])
    return forms


def parse_query(text: str, vocabulary: Vocabulary) -> Query:
    """The labels that a comma list of concrete nouns asks for.

    Raises:
        QueryError: The query is empty or collective; says which names are valid.
    """
    valid = "valid names are " + ", ".join(vocabulary.labels)
    labels: list[str] = []
    unknown: list[str] = []
    for noun in _nouns(text, vocabulary):
        label = vocabulary.label_of(noun)
        if label is not None:
            labels.append(label)
            continue
        collective = collective_phrase(noun, vocabulary.names)
        if collective is not None:
            raise QueryError(
                "concrete nouns, one or a comma list", f"the collective '{collective}'", valid
            )
        unknown.append(noun)
    if not labels and not unknown:
        raise QueryError("concrete nouns, one or a comma list", repr(text[:80]), valid)
    return Query(tuple(dict.fromkeys(labels)), tuple(dict.fromkeys(unknown)))


def _nouns(text: str, vocabulary: Vocabulary) -> list[str]:
    """The pieces of a comma list; "milk and basket" is split only where no name holds the "and"."""
    nouns: list[str] = []
    for piece in _SEPARATORS.split(text):
        stripped = re.sub(r"^(?:and|or)\b", "", piece.strip(), flags=re.IGNORECASE)
        if not _plain(stripped):
            continue
        parts = _AND.split(stripped)
        whole = vocabulary.label_of(stripped) is not None or len(parts) == 1
        nouns.extend([stripped] if whole else [part for part in parts if _plain(part)])
    return nouns


@dataclass(frozen=True)
class Answer:
    """Answer to a query from one image: `found` only if every noun was seen."""

    found: bool
    detections: tuple[TrackedDetection, ...]
    message: str


def answer(query: Query, seen: Sequence[TrackedDetection], vocabulary: Vocabulary) -> Answer:
    """What of `query` is in `seen`, best score first, and what is missing."""
    wanted = [found for found in seen if found.label in query.labels]
    hits = tuple(sorted(wanted, key=lambda hit: (query.labels.index(hit.label), -hit.score)))
    missing = [label for label in query.labels if all(hit.label != label for hit in hits)]
    notes = []
    if missing:
        notes.append("not in view: " + ", ".join(missing))
    if query.unknown:
        names = ", ".join(vocabulary.labels)
        notes.append(f"unknown: {', '.join(query.unknown)}; valid names are {names}")
    return Answer(not notes, hits, "; ".join(notes) or "in view")

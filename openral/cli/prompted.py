"""Which objects an operator's words ask to be put into the basket, for the referee's question.

Apart from the reasoner on purpose: what checks its result must not share its reading. So the words
are read another way: every one has to be known here, and they have to stand in an order that can
mean nothing else. Otherwise there is no answer: the referee must not call a right mission wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_TABLE = r"(?:the |your )?(?:table|tabletop|desk|counter)"
_BASKET = r"(?:(?:the|a|my|your|this|that) )?(?:shopping )?(?:basket|bin)"
_PUT = r"(?:put|place|drop|move|pack|throw|load|bring|carry|store|stow)"
_PHRASES = (
    (
        "-",
        rf"(?:from|off) {_TABLE}|that(?: is| are|'s) on {_TABLE}"
        r"|(?:hey|hi|hello|ok|okay)(?: robot)?"
        r"|(?<!.)robot(?=[,:!])|(?<=, )robot(?=[\s.!]*$)|let's|right now|next(?=,? (?:put|place)\b)"
        r"|can you|could you|would you|will you|i (?:want|need) you to|i(?: would|'d) like you to"
        r"|thank you|for me|one by one|one at a time|as well|(?:back|down)(?= (?:into|in)\b)"
        r"|the|an|a|my|your|this|that|and|then|also|too|plus|please|now|first|finally|just|kindly"
        r"|carefully|gently|slowly|quickly|goes|go|belongs?|thanks|pls|thx|cheers",
    ),
    ("d", r"both"),
    (
        "a",
        r"everything(?: else)?(?: (?:that )?you (?:can )?see)?"
        r"|every (?:object|item|thing|product)|each (?:object|item|thing)|all of them"
        r"|(?:all (?:of )?)?(?:(?:the|these|those|your|my) )?(?:other |remaining |visible )?"
        r"(?:objects|items|things|stuff|groceries|products)|(?:all )?the (?:rest|others)",
    ),
    ("e", r"all"),
    ("c", rf"(?:clear|clean|tidy)(?: up| off)? {_TABLE}"),
    ("B", rf"(?:into|inside of|inside|to|within) {_BASKET}"),
    ("b", rf"in {_BASKET}"),
    ("w", r"away"),
    ("t", rf"on {_TABLE}"),
    (
        "x",
        r"(?:except|but|save)(?: for| not| leave)?|without|apart from|aside from|other than"
        r"|besides|excluding|excepting|minus|sans|not",
    ),
    ("i", rf"{_PUT} (?:it|them)(?: all)?"),
    ("I", rf"{_PUT} (?:both of them|them both)"),
    ("u", r"up"),
    ("p", r"by putting|pick(?: up)? and (?:put|place)|put|pack|store|stow|tidy|clear"),
    ("m", r"place|drop|move|throw|load|transfer|set|bring|carry|collect|gather"),
    ("l", r"pick(?: up)?|take|grab|get|lift|fetch"),
)
"""Letter and pattern of each kind of phrase.

- filler, d both, a all, e all (of what follows), c clear the table, B into the basket, b in it,
w away, t on the table, x except, i put it, I put both of them, u up, p put (away), m move, l lift;
and o is an object.
"""
_SIGNS = re.compile(r"[\s,.;:!?&]*")
_DESCRIBED = (
    r"(?:some )?"
    r"(?:(?:red|blue|green|yellow|white|black|brown|orange|big|large|small|little|tall|empty) )*"
    r"(?:(?:can|tin|carton|box|bottle|pack|packet|jar) of )?"
)
_VESSEL = r"(?: (?:can|tin|carton|box|bottle|pack|packet|jar))?"

_THINGS = r"(?:[oa]+t?)"
_INTO = r"(?:w?[Bb]t?|w)"
_ORDERS = (
    # Each may be followed by objects for the same basket: "… and then the mustard".
    rf"(?:(?:p?{_THINGS}{_INTO}|pw[oa]+|l[oa]+t?i{_INTO}|l[oa]+t?w?Bt?)+[oa]*)",
    rf"(?:p?at?xo+{_INTO}|p?at?{_INTO}xo+|pwaxo+|lat?xo+B)",
    rf"(?:lat?xo+i{_INTO}|lat?i{_INTO}xo+|lat?Bxo+)",
)
"""Of the letters: goals for the basket; then such with exceptions, put and lifted."""
_ORDER = re.compile("|".join(_ORDERS))


def prompted_objects(prompt: str, labels: Iterable[str]) -> frozenset[str] | None:
    """Labels that have to lie in the basket afterwards.

    Args:
        prompt: The operator's words.
        labels: Objects on the table, as the record names them.

    Returns:
        None where the words ask for something else than the basket, or are not understood: the
        referee cannot judge that.
    """
    known = tuple(labels)
    text = " ".join(prompt.lower().replace("_", " ").split())
    read = list(_read(text, known))
    order = _simplified("".join(letter for letter, _ in read))
    two_places = re.search(r"\bbin\b", text) and re.search(r"\bbasket\b", text)
    if two_places or not _ORDER.fullmatch(order):
        return None
    wanted, _, _ = order.partition("x")
    named = [label for letter, label in read if letter == "o"]
    before = wanted.count("o")
    moved = frozenset(known if "a" in wanted else named[:before])
    return moved - frozenset(named[before:] if "x" in order else ())


def _simplified(order: str) -> str:
    """The letters with fewer kinds; those stay that make no sense where they are."""
    # "Clear the table: put everything …" says it twice.
    order = re.sub(r"^c(?:[pm](?=[ae]))?", "pa", order).replace("paa", "pa").replace("pae", "pa")
    order = re.sub(r"d(?=oo)", "", order)
    # "Pick the milk up and put it …"; of two, "put both of them …".
    order = re.sub(r"(?<=l)([oa]+)u(?=[iI])", r"\1", order)
    order = re.sub(r"(?<=l)(oo)I", r"\1i", order)
    # "All the milk" is not all.
    order = re.sub(r"e(?!o)", "a", order)
    # What is moved or thrown away need not go into the basket.
    return order if re.search(r"m[^pml]*w(?![Bb])", order) else order.replace("m", "p")


def _read(text: str, labels: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Letter and label of each phrase but fillers; "?" where the text is not known any more."""
    names = _names(labels)
    patterns = [("o", rf"{_DESCRIBED}(?P<name>{_either(names)}){_VESSEL}")] if names else []
    patterns += _PHRASES
    at, things = _end_of_signs(text, 0), False
    while at < len(text):
        found = [
            (match.end(), letter, match)
            for letter, pattern in patterns
            if (match := re.compile(rf"(?:{pattern})\b(?!['’-])").match(text, at))
        ]
        if not found:
            yield "?", ""
            return
        # The longest phrase counts: "the groceries" before "the".
        end, letter, match = max(found, key=lambda one: one[0])
        if things and letter in "oae":
            yield "?", ""  # "the milk cereal": one thing, or two
            return
        if letter != "-":
            yield letter, names[match["name"]] if letter == "o" else ""
        at = _end_of_signs(text, end)
        things = letter in "oae" and not text[end:at].strip()


def _end_of_signs(text: str, at: int) -> int:
    match = _SIGNS.match(text, at)
    return match.end() if match else at


def _either(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


def _names(labels: tuple[str, ...]) -> dict[str, str]:
    """A label's words, and its first alone where it means no other: "soup" for "soup can"."""
    full = {" ".join(label.lower().replace("_", " ").split()): label for label in labels}
    firsts = [name.split(" ")[0] for name in full]
    short = {name.split(" ")[0]: label for name, label in full.items()}
    return {
        **{first: label for first, label in short.items() if first and firsts.count(first) == 1},
        **{name: label for name, label in full.items() if name},
    }

"""Tells a target that names one thing from one that stands for many.

A skill moves one object and a detector finds concrete nouns, so "all the cups" or "the groceries"
has to be split into single objects before it is acted on. The text is read as English imperative or
noun phrase, word by word: what counts is the *object* of the sentence ("the milk" in "put the milk
next to the cups"), and in it the head noun, so that "the box of cups" is one box.

Usage::

    is_collective_target("everything on the table")  # True
    is_collective_target("the box of cups")          # False
    is_collective_target("the crackers", known_names=["crackers"])  # False, a name
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ARTICLES = _words("the a an this that my your our his her their its another one any some")
_DETERMINERS = _ARTICLES | _words("these those such other others every each all both")

_MANY = _words(
    "all every each both everything everyone anything whatever these those them they others ones"
    " rest remainder"
)
"""Words that make a phrase stand for many, as its determiner or as its head."""

_COLLECTIVE_NOUNS = _words(
    "stuff cutlery silverware tableware dinnerware glassware crockery flatware kitchenware laundry"
    " clutter mess junk litter rubbish trash garbage produce furniture equipment merchandise"
    " inventory lot people men women children mice dice teeth feet geese"
)
"""Heads that stand for many without a plural s, and irregular plurals."""

_QUANTITY_NOUNS = _words(
    "pile heap couple lot lots number group set dozen collection batch handful assortment stack"
    " row rows bunch majority most many several few plenty rest remainder all both each every none"
    " pair pairs"
)
"""Before "of", these count what follows: "a pile of cups" are cups, "a box of cups" is one box."""

_GROWS_TOGETHER = _words("grapes bananas keys flowers roses herbs parsley cilantro")
"""What a "bunch of" is picked up as one thing."""

_ONE_DESPITE_S = _words(
    "scissors pliers tongs tweezers glasses sunglasses eyeglasses goggles binoculars headphones"
    " earphones jeans trousers pants shorts tights lens gas canvas atlas series species molasses"
    " nachos pringles cheerios less always towards"
)
_NUMBERS = _words("two three four five six seven eight nine ten eleven twelve twenty")
_UNITS = _words(
    "l ml cl liter litre liters litres oz ounce inch in cm mm m kg g gram lb pound pint quart"
    " gallon percent piece pack ply layer slice person way sided handled hole tier"
)

_NOT_A_QUANTIFIER = {
    "all": _words("purpose natural bran american"),
    "rest": _words("stop area"),
    "lot": _words("number"),
}
"""Names that begin with a word of many: all-purpose cleaner, All Bran."""

_POLITE = _words(
    "please now then next first finally also just ok okay hey robot kindly i we you want need like"
    " would could should must to try go let's lets help me and"
)
_ASKING = _words("can could would will")

_VERBS = _words(
    "pick put place move grab take get bring fetch find locate carry lift push pull drop set"
    " transfer insert stack throw clean wipe open close hand give deliver pour look search sort"
    " collect gather load unload pack return store hold grasp transport relocate remove show point"
    " deposit slide press turn rotate stow arrange organize organise release leave keep wash dump"
    " toss see check detect identify count pass reach touch retrieve position shift clear tidy"
)
_EMPTYING_VERBS = _words("clear tidy")
_SURFACES = _words(
    "table tabletop desk counter countertop shelf shelves surface room floor kitchen workspace area"
    " bench tray scene"
)

_BOUNDARIES = _words(
    "on in into onto to from at under about with near beside behind between inside that which who"
    " whose where over above below by for off out across around against through toward towards"
    " without within beneath underneath among atop along via containing holding full filled while"
    " until using because so if when before after is are was were lies sits stands"
    " away back down up together here there now please again too also"
)
"""Words after which the object's noun phrase is over."""

_LEADS_TO_OF = _words("left right front top bottom middle")
_HANDS = re.compile(
    r"\b(?:with|using|by|in|from|between)\s+(?:both|two|all|its|the|your|each)(?:\s+of)?"
    r"(?:\s+(?:its|the|your))?(?:\s+two)?\s+(?:hands?|arms?|grippers?|sides?|fingers?|ends?)\b"
)
_TOKEN = re.compile(r"[^\W_]+(?:[-'&./][^\W_]+)*'?%?|[,;:.!?]|&")
_SEPARATORS = frozenset(",;:.!?")


def tokens(text: str) -> list[str]:
    """Lower-case words and separators of `text`; compounds with hyphen or apostrophe stay whole."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("’", "'").replace("_", " ")
    return _TOKEN.findall(_HANDS.sub(" ", plain))


def is_collective_target(text: str, known_names: Iterable[str] = ()) -> bool:
    """Whether `text` asks for several things instead of one concrete object.

    Args:
        text: A noun phrase ("the red cup") or an instruction ("put the red cup into the basket").
        known_names: Names under which single objects are known now (catalogue labels, what is in
            view). One of them is one thing, even in the plural ("crackers"); two of them in a row
            are several.
    """
    return collective_phrase(text, known_names) is not None


def collective_phrase(text: str, known_names: Iterable[str] = ()) -> str | None:
    """The part of `text` that stands for several things, to quote in a refusal; None if none does.

    Args: as `is_collective_target`.
    """
    known = frozenset(" ".join(tokens(name)) for name in known_names) - {""}
    for clause, verb in _clauses(tokens(text)):
        phrase = _collective_in_clause(clause, verb, known)
        if phrase:
            return phrase
    return None


def _clauses(words: list[str]) -> Iterator[tuple[list[str], str]]:
    """Each instruction's words after its verb, with the verb ("" for a bare noun phrase)."""
    clause: list[str] = []
    verb = ""
    at_start = True
    index = 0
    while index < len(words):
        word = words[index]
        following = words[index + 1] if index + 1 < len(words) else ""
        if at_start and (
            word in _POLITE
            or word in _SEPARATORS
            or (word in _ASKING and following in ("you", "we", "i", "the"))
        ):
            index += 1
            continue
        if at_start and word in _VERBS and following != "of":
            verb = word
        else:
            clause.append(word)
        at_start = False
        if _starts_instruction(words, index + 1):
            yield clause, verb
            clause, verb, at_start = [], "", True
            index += 1
        index += 1
    yield clause, verb


def _starts_instruction(words: list[str], index: int) -> bool:
    """Whether `words[index]` joins a new instruction: "and place it", ", then move"."""
    if index >= len(words) or (
        words[index] not in _SEPARATORS and words[index] not in ("and", "then")
    ):
        return False
    while index < len(words) and (
        words[index] in _SEPARATORS
        or words[index] in ("and", "then", "afterwards", "finally", "next")
    ):
        index += 1
    return (
        index + 1 < len(words)
        and words[index] in _VERBS
        and words[index + 1] not in _SEPARATORS
        and words[index + 1] not in _VERBS | {"of", "and"}
    )


def _collective_in_clause(words: list[str], verb: str, known: frozenset[str]) -> str | None:
    while words and words[0] in _BOUNDARIES | {"me", "us"} and verb:
        words = words[1:]  # particle or indirect object: "pick up", "bring me"
    if words and words[0] in ("what", "what's") and {"left", "remains"} & set(words[1:3]):
        return " ".join(words)
    phrase = _noun_phrase(words)
    if verb in _EMPTYING_VERBS and phrase and phrase[-1] in _SURFACES:
        return " ".join([verb, *phrase])
    if _lists_several(words, known):
        return " ".join(words).replace(" ,", ",")
    if " ".join(_without_articles(phrase)) in known:
        return None
    if _stands_for_many(phrase, known):
        return " ".join(phrase)
    return None


def _noun_phrase(words: list[str]) -> list[str]:
    """The words up to the first preposition, relative clause or separator behind a noun."""
    phrase: list[str] = []
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        has_noun = any(seen not in _DETERMINERS for seen in phrase)
        ends = (
            word in _SEPARATORS
            or (word in _BOUNDARIES and (has_noun or phrase))
            or (word in _LEADS_TO_OF and following == "of" and has_noun)
            or (word == "next" and following == "to")
            or (word.endswith("ly") and has_noun and following not in ("of",) and not following)
        )
        if ends:
            if phrase:
                break
            continue
        phrase.append(word)
    return phrase


def _without_articles(phrase: list[str]) -> list[str]:
    start = 0
    while start < len(phrase) and phrase[start] in _ARTICLES:
        start += 1
    return phrase[start:]


def _lists_several(words: list[str], known: frozenset[str]) -> bool:
    """Whether several objects are named one by one: "the milk and the mustard"."""
    for index, word in enumerate(words[:-1]):
        if word in _BOUNDARIES:
            break
        if index and word in ("and", "&", ",", "plus", "or") and words[index + 1] in _DETERMINERS:
            return True
    if not known:
        return False
    pieces: list[list[str]] = [[]]
    for word in words:
        if word in ("and", "&", ",", "plus"):
            pieces.append([])
        elif word in _BOUNDARIES:
            break
        else:
            pieces[-1].append(word)
    named = [" ".join(_without_articles(piece)) for piece in pieces if piece]
    return len(named) > 1 and sum(name in known for name in named) > 1


def _stands_for_many(phrase: list[str], known: frozenset[str]) -> bool:
    if not phrase:
        return False
    if "of" in phrase[1:]:
        split = phrase.index("of", 1)
        return _many_of(phrase[:split], phrase[split + 1 :], known)
    for index, word in enumerate(phrase):
        following = phrase[index + 1] if index + 1 < len(phrase) else ""
        is_head = not following
        part_of_name = following in _NOT_A_QUANTIFIER.get(word, frozenset[str]())
        # Deeper inside a name ("the catch all tray") a word of many is no determiner.
        determines = all(before in _DETERMINERS for before in phrase[:index])
        if word in _MANY and not part_of_name and (is_head or determines):
            return True
        if word not in _DETERMINERS | _words("other next last first remaining only exactly"):
            break
    core = _without_articles(phrase)
    if not core:
        return False
    if _is_count(core[0]) and not (len(core) > 1 and core[1] in _UNITS):
        return True
    if " ".join(core) in known:
        return False
    head = _head(core)
    if head in ("remaining", "others", "two", "three", "four"):
        return (
            head == "remaining" or len(core) == 1 or core[0] in ("other", "first", "last", "next")
        )
    if head == "food" and len(core) == 1:
        return True
    return head in _COLLECTIVE_NOUNS or head in _MANY or _is_plural(head)


def _many_of(counted: list[str], complement: list[str], known: frozenset[str]) -> bool:
    """Whether "X of Y" stands for many: by X, unless X only counts Y."""
    core = _without_articles(counted)
    if not core:
        return False  # "one of the cups", "any of the cups"
    head = core[-1]
    if head not in _QUANTITY_NOUNS and not _is_count(head):
        return _stands_for_many(counted, known)
    last = _head(_without_articles(complement)) if complement else ""
    if head == "bunch" and last in _GROWS_TOGETHER:
        return False
    return not (head == "pair" and last in _ONE_DESPITE_S)


def _head(core: list[str]) -> str:
    """The head noun; a trailing number or letter is a name's index ("cup 2")."""
    if len(core) > 1 and (core[-1].isdigit() or len(core[-1]) == 1):
        return core[-2]
    return core[-1] if core else ""


def _is_count(word: str) -> bool:
    if not word.isdigit():
        return word in _NUMBERS
    # Digit by digit: int() takes neither ❷, which is one, nor thousands of them.
    value = "".join(str(unicodedata.digit(digit)) for digit in word)
    return value.lstrip("0") not in ("", "1")


def _is_plural(word: str) -> bool:
    if word in _ONE_DESPITE_S or len(word) < 4 or word.endswith("'s"):
        return False
    return word.endswith(("s", "s'")) and not word.endswith(("ss", "us", "is"))

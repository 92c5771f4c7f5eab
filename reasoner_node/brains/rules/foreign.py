"""Words that no plain noun phrase holds: where one is left over, a goal asks for something else.

Adjectives and nouns are an open class and are held against what is seen; these are the closed
ones. A goal is refused for each of them that the grammar has not read, so that "next to the
basket", "half of the milk" or "the basket if it is empty" is never taken for less than it says.
"""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_RELATIONS = _words(
    "next close closer closest near nearer nearest nearby adjacent beside besides behind under"
    " underneath beneath below above over between among amid around round about against along"
    " alongside opposite across past beyond through throughout toward towards from off out"
    " outside on onto upon atop up down upside by at with without of for like via per in into to"
    " inside within far further farther away apart aside parallel perpendicular relative"
    " attached vicinity proximity front left right back side edge rim brim lip top bottom corner"
    " middle centre center end half halfway here there anywhere somewhere elsewhere everywhere"
    " nowhere wherever where leftmost rightmost leftward rightward"
)
_ORDER_AND_NUMBER = _words(
    "first second third fourth fifth last next previous two three four five six seven eight"
    " nine ten eleven twelve dozen twenty hundred zero pair couple twice thrice times once"
    " several many much most more less fewer few least half quarter part parts partly partially"
    " nearly almost lot lots plenty majority enough exactly"
)
_CONDITIONS = _words(
    "if when whenever unless until till while only at least before after afterwards because"
    " since whether or nor either neither instead rather than as except but not no none nothing"
    " never other others another else same maybe perhaps otherwise provided unlike hardly"
    " different separate then"
)
_DETERMINERS = _words(
    "the a an this that these those my your our his her their its all every each both any some"
    " one ones which who whose what whatever whichever rest objects items things stuff groceries"
)
_PRONOUNS_AND_AUXILIARIES = _words(
    "i you we he she it they me us him them myself yourself itself everything everyone"
    " something anything is are was were be been being do does did has have had will would"
    " should could shall must might"
)
# Part of no name, wherever they stand: such as "the milk stays".
_VERBS = _words(
    "put putting take bring get fetch move carry throw toss leave leaving keep keeping skip"
    " spare spared sparing ignore ignored forget eat pour remove removing removed give find"
    " touching untouched wait stay stays remains remain go goes come exchange replace rotate"
    " hold holding save saving omit omitting omitted exclude excluding excluded except excepting"
    " excepted exempt avoid avoiding barring minus sans"
)
# Part of a name but at its beginning, where an order stands: "milk shake", "shake milk".
_DEEDS = _words(
    "open drink shake wash wipe push pull release touch fill swap close shut cut turn spin flip"
    " tip spill crush squeeze break smash hit kick reject refuse ditch discard lose look watch"
    " show tell say make cook heat stir add empty hide lower raise rinse stop halt cancel abort"
    " quit pause"
)
# They begin a name only behind a verb: "put pop tarts", but not "put milk and pop tarts".
_VERBS_OF_GOALS = _words(
    "place drop pack load transfer stow store set lay deposit collect gather sort stash pop stick"
    " clear clean tidy pick grab lift return hand pass check help use begin start end finish count"
    " dump bin trash freeze rest stand"
)
_FOREIGN = (
    _RELATIONS | _ORDER_AND_NUMBER | _CONDITIONS | _DETERMINERS | _PRONOUNS_AND_AUXILIARIES | _VERBS
)
_QUANTIFIERS = _words("all every each both")
"""Before a noun they make it stand for several, which is answered with what is in view."""
_ARTICLES = _words("the a an")
_DETERMINERS_OF_SEVERAL = _words("the these those my your our his her their its")
_WORD = re.compile(r"[\w'-]+")
_COMPOUNDS = re.compile(
    r"^side (?:dish|salad)\b|^round(?= (?:can|tin|box|jar|bottle|carton|basket|bin|container)\b)"
    r"|(?<=\w )zero$|\bhalf-fat\b|\bready-to-(?:eat|drink|cook|serve)\b"
)
"""Names with a foreign word in them."""


def foreign_word(noun: str, *, bare: bool = False, behind_verb: bool = True) -> str:
    """The first word or sign of a noun without its articles that belongs to none; empty = none.

    With the word before it where it is an article.

    Args:
        noun: In small letters.
        bare: Whether it was said without an article: then a verb can stand at its beginning.
        behind_verb: Whether a verb or a preposition stands before it: then less likely.
    """
    words = _COMPOUNDS.sub("", noun).split()
    if bare and words and (words[0] in _DEEDS or (not behind_verb and words[0] in _VERBS_OF_GOALS)):
        return words[0]
    if len(words) > 1 and words[0] in _QUANTIFIERS:
        words = words[2 if words[1] in _DETERMINERS_OF_SEVERAL else 1 :]
    for index, word in enumerate(words):
        parts = word.split("-") if "-" in word else []
        # "all-bran" is a name, "next-to" none. A number behind a noun tells namesakes apart.
        counts = word.isdecimal() and (index == 0 or index < len(words) - 1)
        if (
            word in _FOREIGN
            or word.endswith("n't")
            or counts
            or not _RELATIONS.isdisjoint(parts)
            or not _WORD.fullmatch(word)
        ):
            # "bar the milk": the word before the article is what is not understood.
            return f"{words[index - 1]} {word}" if index and word in _ARTICLES else word
    return ""

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
# Only such as name no thing: "stop sign", "pop tarts" and "tea set" are things.
_VERBS = _words(
    "put putting take bring get fetch move carry throw toss leave leaving keep keeping skip"
    " spare ignore forget eat drink push pull pour shake wash wipe remove removing release give"
    " find touch touching wait stay stays remains remain go goes come fill swap exchange replace"
    " rotate"
)
_FOREIGN = (
    _RELATIONS | _ORDER_AND_NUMBER | _CONDITIONS | _DETERMINERS | _PRONOUNS_AND_AUXILIARIES | _VERBS
)
_QUANTIFIERS = _words("all every each both")
"""Before a noun they make it stand for several, which is answered with what is in view."""
_WORD = re.compile(r"[\w'-]+")


def foreign_word(noun: str) -> str:
    """The first word or sign of a noun without its articles that belongs to none; empty = none."""
    words = noun.split()
    for index, word in enumerate(words):
        parts = word.split("-") if "-" in word else []
        # "all-bran" is a name, "next-to" none. A number behind a noun tells namesakes apart.
        counts = word.isdecimal() and (index == 0 or index < len(words) - 1)
        if index == 0 and word in _QUANTIFIERS and len(words) > 1:
            continue
        if (
            word in _FOREIGN
            or word.endswith("n't")
            or counts
            or not _RELATIONS.isdisjoint(parts)
            or not _WORD.fullmatch(word)
        ):
            return word
    return ""

"""Mutant schemata: one copy of the core that holds every mutant behind a switch.

`rewrite(name, text, first)` finds the mutants of a source file and answers the file with each of
them compiled in: `a < b` becomes `mut::less<17, 0>(a, b)`, which is `a <= b` while mutant 17 is
on. The operators are those of mutants.hpp. Lines keep their numbers.

The source must be formatted: a binary operator has white space on both sides, a template's bracket
has none. Texts and constant expressions are left as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cpp_source import Source, Token

# A binary operator, the function of mutants.hpp that stands for it, and what a mutant makes of it.
SWAPS = {
    "<": ("less", "<="),
    "<=": ("less_equal", "<"),
    ">": ("greater", ">="),
    ">=": ("greater_equal", ">"),
    "==": ("equal", "!="),
    "!=": ("unequal", "=="),
    "+": ("plus", "-"),
    "-": ("minus", "+"),
    "*": ("times", "/"),
    "/": ("over", "*"),
}
LOGIC = {"&&": ("both", "||"), "||": ("either", "&&")}
CONSTANT_LINE = re.compile(
    r"\bconstexpr\b|static_assert|^\s*(?:#|case |template|using |namespace )|\balignas\b"
    r"|^\s*\{\"|k\w+ = \d+,"
)
FIRST_VALUE = re.compile(r"^ +(?:Nanoseconds|double|bool|std::\w+) \w*[a-z] = [\w.]+;")
# A line that is one whole statement: a count, an assignment, a call.
STATEMENT = re.compile(
    r"^ +(?!(?:return|throw|using|delete|if|for|while|switch|do|else|case|const|auto|static)\b)"
    r"(?:(?:\+\+|--)[\w.\[\]()>-]+|[\w.\[\]()>-]+ [-+*/|&]?= [^=].*|[\w.>-]+\(.*\));$"
)
CONSTEXPR_FUNCTION = re.compile(r"\bconstexpr(?= [\w:]+ \w+\()")


@dataclass(frozen=True)
class Mutant:
    """One change of one place.

    Attributes:
        number: Switches it on.
        file: Name in `core/`.
        line: Counted from 1.
        kind: What was changed: comparison, logic, arithmetic, constant, check, statement.
        before: The line as it is.
        after: The line as it is tried.
    """

    number: int
    file: str
    line: int
    kind: str
    before: str
    after: str

    @property
    def text(self) -> str:
        """`file: before -> after`, by which survivors.txt names it."""
        return f"{self.file}: {self.before.strip()} -> {self.after.strip()}"


@dataclass
class Edit:
    """Texts to put in at a place; of equal places, the wider expression is outside."""

    at: int
    width: int
    text: str
    closes: bool


@dataclass
class Schemata:
    """The rewriting of one file."""

    name: str
    text: str
    first: int
    left_out: frozenset[int]
    mutants: list[Mutant] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Splits the text."""
        self._edits: list[Edit] = []
        self._replaced: dict[int, tuple[int, str]] = {}
        self._source = Source(self.name, self.text)

    def run(self) -> str:
        """The text with every mutant in it."""
        constant = self._source.template_arguments()
        for i, token in enumerate(self._source.tokens):
            if i in constant:
                continue
            if CONSTANT_LINE.search(self._source.line(token)) and not self._in_function(token):
                continue
            self._visit(i, token)
        self._drop_statements()
        return CONSTEXPR_FUNCTION.sub("inline", self._result())

    def _visit(self, i: int, token: Token) -> None:
        if token.spaced and token.text in SWAPS:
            self._swap(i, token)
        elif token.spaced and token.text in LOGIC:
            self._logic(i, token)
        elif token.text == "!" and token.kind == "mark":
            self._negation(i, token)
        elif token.text in ("true", "false") and not FIRST_VALUE.search(self._source.line(token)):
            other = "false" if token.text == "true" else "true"
            self._wrap(token, token, "flag", "constant", other)
        elif token.kind == "number" and self._is_value(i):
            self._wrap(token, token, "number", "constant", _larger(token.text))
        elif token.text == "if" and token.kind == "word":
            self._check(i)

    def _is_value(self, i: int) -> bool:
        """Whether a number is one at run time: no bound of an array, no template's argument."""
        token, line = self._source.tokens[i], self._source.line(self._source.tokens[i])
        if FIRST_VALUE.search(line) or _larger(token.text) == token.text or '"' in line:
            return False
        before = line[: token.start - self._source.starts[self._source.number(token) - 1]]
        return not re.search(r"^\s*(?:static )?(?:const )?[\w:<>]+ \w+\[$", before)

    def _swap(self, i: int, token: Token) -> None:
        left, right = self._source.operands(i)
        function, other = SWAPS[token.text]
        kind = "arithmetic" if token.text in "+-*/" else "comparison"
        number = self._note(token, kind, token.text, other)
        if number is None:
            return
        self._put(left, right, f"mut::{function}<{number}>(", ")")
        self._replaced[token.start] = (token.end, ",")

    def _logic(self, i: int, token: Token) -> None:
        left, right = self._source.operands(i)
        function, other = LOGIC[token.text]
        number = self._note(token, "logic", token.text, other)
        if number is None:
            return
        later = "[&]() -> bool { return static_cast<bool>("
        self._put(left, right, f"mut::{function}<{number}>({later}", "); })")
        self._replaced[token.start] = (token.end, f"); }}, {later}")

    def _negation(self, i: int, token: Token) -> None:
        last = self._source.after_postfix(i + 1)
        number = self._note(token, "logic", "!", "")
        if number is None:
            return
        self._put(token.start, self._source.tokens[last].end, f"mut::negation<{number}>(", ")")
        self._replaced[token.start] = (token.end, "")

    def _check(self, i: int) -> None:
        """The condition of an `if` as never met."""
        opening = i + 1
        if self._source.tokens[opening].text != "(":
            return
        closing = self._source.matching(opening)
        begin = opening
        for j in self._source.flat(opening + 1, closing):
            if self._source.tokens[j].text == ";":
                begin = j
        declared = [
            j for j in self._source.flat(begin + 1, closing) if self._source.tokens[j].text == "="
        ]
        if declared:
            name = self._source.tokens[declared[0] - 1].text
            condition = self.text[
                self._source.tokens[begin].end : self._source.tokens[closing].start
            ]
            number = self._note(self._source.tokens[begin + 1], "check", condition, "false")
            if number is not None:
                at = self._source.tokens[closing].start
                self._put(at, at, f"; mut::check<{number}>(static_cast<bool>({name}))", "")
            return
        start, end = self._source.tokens[begin].end, self._source.tokens[closing].start
        start += len(self.text[start:end]) - len(self.text[start:end].lstrip())
        condition = self.text[start:end]
        number = self._note(self._source.tokens[begin], "check", condition, "false", start)
        if number is not None:
            self._put(start, end, f"mut::check<{number}>(static_cast<bool>(", "))")

    def _wrap(self, first: Token, last: Token, function: str, kind: str, other: str) -> None:
        number = self._note(first, kind, first.text, other)
        if number is not None:
            self._put(first.start, last.end, f"mut::{function}<{number}>(", ")")

    def _drop_statements(self) -> None:
        depth_of = self._source.depths()
        for number, line in enumerate(self._source.lines, start=1):
            before = self._source.lines[number - 2].split("//")[0].rstrip() if number > 1 else ";"
            whole = not before or before[-1] in ";{}" or before.lstrip().startswith("//")
            code = line.split("//")[0].rstrip()
            if not whole or not STATEMENT.match(code) or CONSTANT_LINE.search(code):
                continue
            start = self._source.starts[number - 1] + len(line) - len(line.lstrip())
            if depth_of(start) != "function":
                continue
            mutant = self._add(number, "statement", line, "")
            if mutant is not None:
                end = self._source.starts[number - 1] + len(code)
                self._put(start, end, f"if (!mut::on({mutant})) ", "")

    def _in_function(self, token: Token) -> bool:
        """A constexpr function is made a plain one; its first line holds no other constant."""
        line = self._source.line(token)
        return bool(CONSTEXPR_FUNCTION.search(line)) and "{" in line

    def _note(
        self, token: Token, kind: str, before: str, after: str, at: int | None = None
    ) -> int | None:
        place = token.start if at is None else at
        number = self._source.number(token, place)
        line = self._source.lines[number - 1]
        column = place - self._source.starts[number - 1]
        end = min(column + len(before), len(line))
        return self._add(number, kind, line, line[:column] + after + line[end:])

    def _add(self, line: int, kind: str, before: str, after: str) -> int | None:
        number = self.first + len(self.mutants)
        if line in self.left_out:
            return None
        self.mutants.append(Mutant(number, self.name, line, kind, before, after))
        return number

    def _put(self, start: int, end: int, prefix: str, suffix: str) -> None:
        self._edits.append(Edit(start, end - start, prefix, closes=False))
        self._edits.append(Edit(end, end - start, suffix, closes=True))

    def _result(self) -> str:
        # At one place, first what ends there (inner before outer), then what begins (outer first).
        # Of the same expression twice, what was put in first is outside.
        def order(numbered: tuple[int, Edit]) -> tuple[int, int, int, int]:
            number, edit = numbered
            sign = 1 if edit.closes else -1
            return edit.at, not edit.closes, sign * edit.width, -sign * number

        out, at = [], 0
        edits = [edit for _, edit in sorted(enumerate(self._edits), key=order)]
        places = sorted({edit.at for edit in edits} | set(self._replaced))
        by_place: dict[int, list[str]] = {}
        for edit in edits:
            by_place.setdefault(edit.at, []).append(edit.text)
        for place in places:
            out.append(self.text[at:place])
            out += by_place.get(place, [])
            at = place
            if place in self._replaced:
                at, replacement = self._replaced[place]
                out.append(replacement)
        out.append(self.text[at:])
        return "".join(out)


def rewrite(name: str, text: str, first: int, left_out: frozenset[int]) -> tuple[str, list[Mutant]]:
    """The file with its mutants, numbered from `first`; none in the lines that are left out."""
    schemata = Schemata(name, text, first, left_out)
    return schemata.run(), schemata.mutants


def _larger(number: str) -> str:
    if re.fullmatch(r"\d+", number):
        return str(int(number) + 1)
    if re.fullmatch(r"\d+\.\d+|\d+e-?\d+", number):
        return f"({number} + 1)" if float(number) >= 0.001 else f"({number} * 10)"
    return number

"""Mutant schemata: one copy of the core that holds every mutant behind a switch.

`rewrite(name, text, first)` finds the mutants of a source file and answers the file with each of
them compiled in: `a < b` becomes `mut::less<17, 0>(a, b)`, which is `a <= b` while mutant 17 is
on. The operators are those of mutants.hpp. Lines keep their numbers.

The source must be formatted: a binary operator has white space on both sides, a template's bracket
has none. Texts and constant expressions are left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)|(?P<directive>\#[^\n]*)"
    r'|(?P<text>"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\')'
    r"|(?P<number>\d[\w.']*(?:(?<=[eE])[-+]\d+)?)|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<mark>::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)",
    re.DOTALL,
)
OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: opening for opening, close in OPENING.items()}
# How tightly a binary operator binds: smaller is tighter.
BINDS = {
    operator: tightness
    for tightness, operators in enumerate(
        ["* / %", "+ -", "<< >>", "< > <= >=", "== !=", "&", "^", "|", "&&", "||"]
    )
    for operator in operators.split()
}
STOPS = {",", ";", "?", ":", "=", "+=", "-=", "*=", "/=", "|=", "&=", "^="}
WORDS = {"return", "else", "case", "throw", "new"}
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
class Token:
    """A token with its place in the text and whether white space is on each side."""

    kind: str
    text: str
    start: int
    end: int
    spaced: bool = False


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
        """Splits the text into tokens and lines."""
        self._edits: list[Edit] = []
        self._replaced: dict[int, tuple[int, str]] = {}
        self._lines = self.text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        everything = list(_tokens(self.text))
        self._tokens = [t for t in everything if t.kind not in ("space", "directive")]

    def run(self) -> str:
        """The text with every mutant in it."""
        constant = self._template_arguments()
        for i, token in enumerate(self._tokens):
            if i in constant:
                continue
            if CONSTANT_LINE.search(self._line(token)) and not self._in_function(token):
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
        elif token.text in ("true", "false") and not FIRST_VALUE.search(self._line(token)):
            other = "false" if token.text == "true" else "true"
            self._wrap(token, token, "flag", "constant", other)
        elif token.kind == "number" and self._is_value(i):
            self._wrap(token, token, "number", "constant", _larger(token.text))
        elif token.text == "if" and token.kind == "word":
            self._check(i)

    def _is_value(self, i: int) -> bool:
        """Whether a number is one at run time: no bound of an array, no template's argument."""
        token, line = self._tokens[i], self._line(self._tokens[i])
        if FIRST_VALUE.search(line) or _larger(token.text) == token.text or '"' in line:
            return False
        before = line[: token.start - self._starts[self._number(token) - 1]]
        return not re.search(r"^\s*(?:static )?(?:const )?[\w:<>]+ \w+\[$", before)

    def _template_arguments(self) -> set[int]:
        """Tokens between a template's brackets: constants and types."""
        inside: set[int] = set()
        opened: list[int] = []
        for i, token in enumerate(self._tokens):
            if token.text == "<" and not token.spaced and not self._gap_before(i):
                opened.append(i)
            elif token.text in (";", "{"):
                opened.clear()
            elif opened and token.text in (">", ">>") and not self._gap_before(i):
                for _ in range(len(token.text)):
                    if opened:
                        inside.update(range(opened.pop(), i))
        return inside

    def _swap(self, i: int, token: Token) -> None:
        left, right = self._operands(i)
        function, other = SWAPS[token.text]
        kind = "arithmetic" if token.text in "+-*/" else "comparison"
        number = self._note(token, kind, token.text, other)
        if number is None:
            return
        self._put(left, right, f"mut::{function}<{number}>(", ")")
        self._replaced[token.start] = (token.end, ",")

    def _logic(self, i: int, token: Token) -> None:
        left, right = self._operands(i)
        function, other = LOGIC[token.text]
        number = self._note(token, "logic", token.text, other)
        if number is None:
            return
        later = "[&]() -> bool { return static_cast<bool>("
        self._put(left, right, f"mut::{function}<{number}>({later}", "); })")
        self._replaced[token.start] = (token.end, f"); }}, {later}")

    def _negation(self, i: int, token: Token) -> None:
        last = self._after_postfix(i + 1)
        number = self._note(token, "logic", "!", "")
        if number is None:
            return
        self._put(token.start, self._tokens[last].end, f"mut::negation<{number}>(", ")")
        self._replaced[token.start] = (token.end, "")

    def _check(self, i: int) -> None:
        """The condition of an `if` as never met."""
        opening = i + 1
        if self._tokens[opening].text != "(":
            return
        closing = self._matching(opening)
        begin = opening
        for j in self._flat(opening + 1, closing):
            if self._tokens[j].text == ";":
                begin = j
        declared = [j for j in self._flat(begin + 1, closing) if self._tokens[j].text == "="]
        if declared:
            name = self._tokens[declared[0] - 1].text
            condition = self.text[self._tokens[begin].end : self._tokens[closing].start]
            number = self._note(self._tokens[begin + 1], "check", condition, "false")
            if number is not None:
                at = self._tokens[closing].start
                self._put(at, at, f"; mut::check<{number}>(static_cast<bool>({name}))", "")
            return
        start, end = self._tokens[begin].end, self._tokens[closing].start
        start += len(self.text[start:end]) - len(self.text[start:end].lstrip())
        condition = self.text[start:end]
        number = self._note(self._tokens[begin], "check", condition, "false", start)
        if number is not None:
            self._put(start, end, f"mut::check<{number}>(static_cast<bool>(", "))")

    def _wrap(self, first: Token, last: Token, function: str, kind: str, other: str) -> None:
        number = self._note(first, kind, first.text, other)
        if number is not None:
            self._put(first.start, last.end, f"mut::{function}<{number}>(", ")")

    def _drop_statements(self) -> None:
        depth_of = self._depths()
        for number, line in enumerate(self._lines, start=1):
            before = self._lines[number - 2].split("//")[0].rstrip() if number > 1 else ";"
            whole = not before or before[-1] in ";{}" or before.lstrip().startswith("//")
            code = line.split("//")[0].rstrip()
            if not whole or not STATEMENT.match(code) or CONSTANT_LINE.search(code):
                continue
            start = self._starts[number - 1] + len(line) - len(line.lstrip())
            if depth_of(start) != "function":
                continue
            mutant = self._add(number, "statement", line, "")
            if mutant is not None:
                end = self._starts[number - 1] + len(code)
                self._put(start, end, f"if (!mut::on({mutant})) ", "")

    # -- places

    def _in_function(self, token: Token) -> bool:
        """A constexpr function is made a plain one; its first line holds no other constant."""
        line = self._line(token)
        return bool(CONSTEXPR_FUNCTION.search(line)) and "{" in line

    def _depths(self) -> Callable[[int], str]:
        """Answers whether a place is in the body of a function, of a type or of a namespace."""
        spans: list[tuple[int, int, str]] = []
        for i, token in enumerate(self._tokens):
            if token.text != "{":
                continue
            head = self.text[: token.start].rstrip()
            line_start = max(head.rfind(";"), head.rfind("}"), head.rfind("{")) + 1
            head = head[line_start:]
            words = re.sub(r"//[^\n]*", "", head).split()
            kind = "type" if {"struct", "class", "namespace", "enum", "union"} & set(words) else ""
            if not kind:
                kind = "function" if ")" in head or words[:1] in (["else"], ["do"]) else "list"
            spans.append((token.start, self._tokens[self._matching(i)].end, kind))

        def depth(at: int) -> str:
            inner = [s for s in spans if s[0] < at < s[1]]
            return max(inner, key=lambda span: span[0])[2] if inner else "namespace"

        return depth

    def _number(self, token: Token, at: int | None = None) -> int:
        place = token.start if at is None else at
        low, high = 0, len(self._starts) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._starts[middle] <= place else (low, middle)
        return low + 1

    def _line(self, token: Token) -> str:
        return self._lines[self._number(token) - 1]

    def _operands(self, i: int) -> tuple[int, int]:
        binds = BINDS[self._tokens[i].text]
        j = i
        while j > 0 and not self._ends(j - 1, binds, CLOSING, loose=True):
            j = self._matching_back(j - 1) if self._tokens[j - 1].text in CLOSING else j - 1
        k = i
        while not self._ends(k + 1, binds, OPENING, loose=False):
            k = self._matching(k + 1) if self._tokens[k + 1].text in OPENING else k + 1
        return self._tokens[j].start, self._tokens[k].end

    def _ends(self, j: int, binds: int, inner: dict[str, str], *, loose: bool) -> bool:
        """Whether an operand ends before token j."""
        token = self._tokens[j]
        if token.text in ("}", "{"):
            adjacent = token.text == "{" and not token.spaced and not self._gap_before(j)
            return not (adjacent and token.text in inner)
        if token.text in OPENING or token.text in CLOSING:
            return token.text not in inner
        if token.text in STOPS or token.text in WORDS:
            return True
        other = BINDS.get(token.text) if token.spaced else None
        if other is None:
            return False
        return other > binds if loose else other >= binds

    def _gap_before(self, j: int) -> bool:
        return self._tokens[j - 1].end != self._tokens[j].start

    def _after_postfix(self, j: int) -> int:
        """Last token of the primary expression at j with what is applied to it."""
        while True:
            if self._tokens[j].text in OPENING:
                j = self._matching(j)
            after = self._tokens[j + 1]
            if self._gap_before(j + 1) or after.text not in (".", "->", "::", "(", "["):
                return j
            j += 1 if after.text in OPENING else 2

    def _matching(self, i: int) -> int:
        opening = self._tokens[i].text
        depth = 0
        for j in range(i, len(self._tokens)):
            text = self._tokens[j].text
            depth += (text == opening) - (text == OPENING[opening])
            if depth == 0:
                return j
        raise ValueError(f"{self.name}: no end of {opening!r} at {self._number(self._tokens[i])}")

    def _matching_back(self, i: int) -> int:
        closing = self._tokens[i].text
        depth = 0
        for j in range(i, -1, -1):
            text = self._tokens[j].text
            depth += (text == closing) - (text == CLOSING[closing])
            if depth == 0:
                return j
        raise ValueError(f"{self.name}: no start of {closing!r}")

    def _flat(self, begin: int, end: int) -> Iterator[int]:
        """Tokens between two, without what is in brackets."""
        j = begin
        while j < end:
            yield j
            j = self._matching(j) + 1 if self._tokens[j].text in OPENING else j + 1

    # -- results

    def _note(
        self, token: Token, kind: str, before: str, after: str, at: int | None = None
    ) -> int | None:
        place = token.start if at is None else at
        number = self._number(token, place)
        line = self._lines[number - 1]
        column = place - self._starts[number - 1]
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


def _tokens(text: str) -> Iterator[Token]:
    found = list(TOKEN.finditer(text))
    for i, match in enumerate(found):
        around = [found[j].lastgroup for j in (i - 1, i + 1) if 0 <= j < len(found)]
        spaced = around == ["space", "space"]
        yield Token(match.lastgroup or "", match.group(), match.start(), match.end(), spaced)


def _larger(number: str) -> str:
    if re.fullmatch(r"\d+", number):
        return str(int(number) + 1)
    if re.fullmatch(r"\d+\.\d+|\d+e-?\d+", number):
        return f"({number} + 1)" if float(number) >= 0.001 else f"({number} * 10)"
    return number

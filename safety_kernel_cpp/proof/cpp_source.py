"""A formatted C++ source as tokens: where an expression begins and ends, and what a place is in.

A binary operator is one that has white space on both sides; a template's bracket has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

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


@dataclass
class Token:
    """A token with its place in the text and whether white space is on each side."""

    kind: str
    text: str
    start: int
    end: int
    spaced: bool = False


class Source:
    """The tokens and lines of a file.

    Attributes:
        text: All of it.
        lines: Its lines, without their ends.
        starts: Where each line begins in the text.
        tokens: What is neither white space nor a comment nor a directive.
    """

    def __init__(self, name: str, text: str) -> None:
        """Splits `text`; `name` is for messages."""
        self.name, self.text = name, text
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.tokens = [t for t in _tokens(text) if t.kind not in ("space", "directive")]

    def number(self, token: Token, at: int | None = None) -> int:
        """Line of a token, or of a place, counted from 1."""
        place = token.start if at is None else at
        low, high = 0, len(self.starts) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= place else (low, middle)
        return low + 1

    def line(self, token: Token) -> str:
        """The line that a token begins in."""
        return self.lines[self.number(token) - 1]

    def operands(self, i: int) -> tuple[int, int]:
        """Where the left operand of the binary operator i begins, and the right one ends."""
        binds = BINDS[self.tokens[i].text]
        j = i
        while j > 0 and not self._ends(j - 1, binds, CLOSING, loose=True):
            j = self._matching_back(j - 1) if self.tokens[j - 1].text in CLOSING else j - 1
        k = i
        while not self._ends(k + 1, binds, OPENING, loose=False):
            k = self.matching(k + 1) if self.tokens[k + 1].text in OPENING else k + 1
        return self.tokens[j].start, self.tokens[k].end

    def after_postfix(self, j: int) -> int:
        """Last token of the primary expression at j with what is applied to it."""
        while True:
            if self.tokens[j].text in OPENING:
                j = self.matching(j)
            after = self.tokens[j + 1]
            if self.gap_before(j + 1) or after.text not in (".", "->", "::", "(", "["):
                return j
            j += 1 if after.text in OPENING else 2

    def matching(self, i: int) -> int:
        """The bracket that closes the one at i."""
        opening = self.tokens[i].text
        depth = 0
        for j in range(i, len(self.tokens)):
            text = self.tokens[j].text
            depth += (text == opening) - (text == OPENING[opening])
            if depth == 0:
                return j
        raise ValueError(f"{self.name}: no end of {opening!r} at {self.number(self.tokens[i])}")

    def flat(self, begin: int, end: int) -> Iterator[int]:
        """Tokens between two, without what is in brackets."""
        j = begin
        while j < end:
            yield j
            j = self.matching(j) + 1 if self.tokens[j].text in OPENING else j + 1

    def template_arguments(self) -> set[int]:
        """Tokens between a template's brackets: constants and types."""
        inside: set[int] = set()
        opened: list[int] = []
        for i, token in enumerate(self.tokens):
            if token.text == "<" and not token.spaced and not self.gap_before(i):
                opened.append(i)
            elif token.text in (";", "{"):
                opened.clear()
            elif opened and token.text in (">", ">>") and not self.gap_before(i):
                for _ in range(len(token.text)):
                    if opened:
                        inside.update(range(opened.pop(), i))
        return inside

    def depths(self) -> Callable[[int], str]:
        """Answers whether a place is in the body of a function, of a type or of a namespace."""
        spans: list[tuple[int, int, str]] = []
        for i, token in enumerate(self.tokens):
            if token.text != "{":
                continue
            head = self.text[: token.start].rstrip()
            line_start = max(head.rfind(";"), head.rfind("}"), head.rfind("{")) + 1
            head = head[line_start:]
            words = re.sub(r"//[^\n]*", "", head).split()
            kind = "type" if {"struct", "class", "namespace", "enum", "union"} & set(words) else ""
            if not kind:
                kind = "function" if ")" in head or words[:1] in (["else"], ["do"]) else "list"
            spans.append((token.start, self.tokens[self.matching(i)].end, kind))

        def depth(at: int) -> str:
            inner = [s for s in spans if s[0] < at < s[1]]
            return max(inner, key=lambda span: span[0])[2] if inner else "namespace"

        return depth

    def _ends(self, j: int, binds: int, inner: dict[str, str], *, loose: bool) -> bool:
        """Whether an operand ends before token j."""
        token = self.tokens[j]
        if token.text in ("}", "{"):
            adjacent = token.text == "{" and not token.spaced and not self.gap_before(j)
            return not (adjacent and token.text in inner)
        if token.text in OPENING or token.text in CLOSING:
            return token.text not in inner
        if token.text in STOPS or token.text in WORDS:
            return True
        other = BINDS.get(token.text) if token.spaced else None
        if other is None:
            return False
        return other > binds if loose else other >= binds

    def gap_before(self, j: int) -> bool:
        """Whether white space or a comment is before token j."""
        return self.tokens[j - 1].end != self.tokens[j].start

    def _matching_back(self, i: int) -> int:
        closing = self.tokens[i].text
        depth = 0
        for j in range(i, -1, -1):
            text = self.tokens[j].text
            depth += (text == closing) - (text == CLOSING[closing])
            if depth == 0:
                return j
        raise ValueError(f"{self.name}: no start of {closing!r}")


def _tokens(text: str) -> Iterator[Token]:
    found = list(TOKEN.finditer(text))
    for i, match in enumerate(found):
        around = [found[j].lastgroup for j in (i - 1, i + 1) if 0 <= j < len(found)]
        spaced = around == ["space", "space"]
        yield Token(match.lastgroup or "", match.group(), match.start(), match.end(), spaced)

"""Keeps keys out of every text that leaves the process: logs, traces, messages, exceptions.

A provider's error may quote the key that it was sent, whole, cut or masked. `redact` replaces
every trace of a key that the environment holds, and everything that looks like a key.
"""

from __future__ import annotations

import base64
import logging
import os
import re
import string
import traceback
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

MASK = "[redacted]"

_SECRET_NAME = re.compile(r"(API_?KEY|_TOKEN|SECRET|PASSWORD|_CREDENTIALS?)$", re.IGNORECASE)
_MIN_SECRET = 8  # a shorter value would black out ordinary words
_FRAGMENT = 10  # this many characters of a key in a row are treated as the key
_FRAGMENTED_FROM = 20  # from this length on a value is a key, not a word, and its parts count

_LOOKS_LIKE_A_KEY = re.compile(
    r"""
    (?:\b(?:sk|pk|rk|xai|gsk|hf)[-_][A-Za-z0-9_\-*.•…]{6,})  # vendor prefix, cut or masked
    | (?<=bearer\ )[^\s'",;}\])]+                                      # Authorization: Bearer …
    | (?<=basic\ )[A-Za-z0-9+/]{12,}=*                                 # Authorization: Basic …
    | (?<=x-api-key:\ )[^\s'",;}\])]+
    | (?<=x-api-key['"]:\ ['"])[^\s'",;}\])]+
    | (?<=x-api-key['"],\ ['"])[^\s'",;}\])]+
    | (?<=://)[^\s/?\#'"]+(?=@)                                         # user:password of a URL
    """,
    re.IGNORECASE | re.VERBOSE,
)
_KEY_IN_A_QUERY = re.compile(
    r"[?&](?:[\w.-]{0,40}[_.-])?(?:api)?(?:key|token|secret|password|signature)=([^\s&#'\"]+)",
    re.IGNORECASE,
)
_CUT = re.compile(r"[*•]{2,}|…|\.{3,}")
_KEY_END = re.compile(r"[A-Za-z0-9_-]*\Z")
_KEY_START = re.compile(r"[A-Za-z0-9_-]*")
_FOLD = str.maketrans({c: c.lower() for c in string.ascii_uppercase})

_registered: set[str] = set()


def register_secret(value: str) -> None:
    """Remember `value` as a key for the life of the process, wherever it came from."""
    if len(value) >= _MIN_SECRET:
        _registered.add(value)


def known_secrets(environ: Mapping[str, str] | None = None) -> set[str]:
    """The values that `redact` hides: variables named like a key, and what was registered."""
    environ = os.environ if environ is None else environ
    named = {v.strip() for name, v in environ.items() if _SECRET_NAME.search(name)}
    return {v for v in named | _registered if len(v) >= _MIN_SECRET}


def redact(text: str, environ: Mapping[str, str] | None = None) -> str:
    """`text` without any key: whole, URL- or base64-encoded, in part, or cut with stars or dots.

    Args:
        text: Any text; returned unchanged where nothing in it is a key.
        environ: The variables to take keys from; default `os.environ`, read at every call.
    """
    secrets = known_secrets(environ)
    marked = bytearray(len(text))
    for start, end in _spans(text, secrets):
        marked[start:end] = b"\x01" * (end - start)
    if not any(marked):
        return text
    parts: list[str] = []
    position = 0
    for run in re.finditer(rb"\x01+", bytes(marked)):
        parts += [text[position : run.start()], MASK]
        position = run.end()
    return "".join(parts) + text[position:]


def _spans(text: str, secrets: set[str]) -> Iterable[tuple[int, int]]:
    for match in _LOOKS_LIKE_A_KEY.finditer(text):
        yield match.span()
    for match in _KEY_IN_A_QUERY.finditer(text):
        yield match.span(1)
    # Upper and lower case alike: headers and URLs are sometimes folded. Only ASCII, so that
    # positions in the folded text are positions in the text.
    folded = _fold(text)
    keys = {_fold(secret) for secret in secrets}
    forms = keys | {_fold(form) for secret in secrets for form in _encoded(secret)}
    yield from _whole(folded, forms)
    yield from _parts(folded, forms)
    if keys:
        yield from _cut(folded, keys)


def _encoded(secret: str) -> tuple[str, str]:
    return quote(secret, safe=""), base64.b64encode(secret.encode()).decode().rstrip("=")


def _whole(folded: str, forms: set[str]) -> Iterable[tuple[int, int]]:
    for form in forms:
        start = folded.find(form)
        while start >= 0:
            yield start, start + len(form)
            start = folded.find(form, start + 1)


def _parts(folded: str, forms: set[str]) -> Iterable[tuple[int, int]]:
    parts = {
        form[i : i + _FRAGMENT]
        for form in forms
        if len(form) >= _FRAGMENTED_FROM
        for i in range(len(form) - _FRAGMENT + 1)
    }
    if parts:
        for i in range(len(folded) - _FRAGMENT + 1):
            if folded[i : i + _FRAGMENT] in parts:
                yield i, i + _FRAGMENT


def _cut(folded: str, keys: set[str]) -> Iterable[tuple[int, int]]:
    """Keys quoted as `head****tail`, `head...` or `...tail`."""
    longest = max(len(key) for key in keys)
    for cut in _CUT.finditer(folded):
        # Only as far around the cut as a key can reach, so that long lines cost no more.
        head = _KEY_END.search(folded[max(0, cut.start() - longest) : cut.start()])
        tail = _KEY_START.match(folded[cut.end() : cut.end() + longest])
        before, after = head[0] if head else "", tail[0] if tail else ""
        for key in keys:
            starts = len(before) >= 3 and key.startswith(before)
            ends = len(after) >= 3 and key.endswith(after)
            if (starts and (ends or not after)) or (ends and not before):
                yield cut.start() - len(before), cut.end() + len(after)


def _fold(text: str) -> str:
    return text.translate(_FOLD)


def redact_logs() -> None:
    """Redact every record that Python's `logging` makes in this process, the SDKs' included.

    A record factory rather than a filter: a logger's filter does not see its children's records,
    and a handler's filter does not see the other handlers'. Safe to call again.
    """
    make = logging.getLogRecordFactory()
    if getattr(make, "redacts", False):
        return

    def factory(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = make(*args, **kwargs)
        try:
            message = record.getMessage()
        except Exception:  # logging itself reports a bad format, at the handler
            return record
        clean = redact(message)
        if clean != message:
            record.msg, record.args = clean, ()
        if record.exc_info and record.exc_info[0] is not None:
            # A formatter uses exc_text where it is set instead of formatting exc_info again.
            record.exc_text = redact("".join(traceback.format_exception(*record.exc_info))).rstrip()
        return record

    factory.redacts = True  # type: ignore[attr-defined]
    logging.setLogRecordFactory(factory)

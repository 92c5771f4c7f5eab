"""No key in any text."""

from __future__ import annotations

import base64
import logging
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openral.llm.redaction import MASK, known_secrets, redact, redact_logs, register_secret

KEY = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx/+9876543210"
PLAIN = "7f3c9a1e5b2d8046aa91"
ENV = {"ANTHROPIC_API_KEY": KEY, "LAB_TOKEN": PLAIN, "HOME": "/home/robot", "SHORT_API_KEY": "abc"}


@pytest.mark.parametrize(
    "text",
    [
        f"key {KEY}!",
        f"key {KEY.upper()}!",
        f"?key={quote(KEY, safe='')}&",
        f"Basic {base64.b64encode(KEY.encode()).decode()}",
        f"key {KEY[:20]} was cut",
        f"key {KEY[20:35]} was in the middle",
        f"key {KEY[:8]}****{KEY[-4:]}",
        f"key {KEY[:8]}…",
        f"key {PLAIN[:3]}...{PLAIN[-4:]}",
        f"key ****{PLAIN[-4:]} is invalid",
        f"'lab': '{PLAIN}'",
    ],
)
def test_a_key_is_hidden_whole_encoded_or_in_part(text: str) -> None:
    shown = redact(text, ENV)
    assert MASK in shown
    for start in range(len(KEY) - 9):
        assert KEY[start : start + 10].lower() not in shown.lower()
    assert KEY[-4:] not in shown
    assert PLAIN[-4:] not in shown


@pytest.mark.parametrize(
    "text",
    [
        "Headers({'authorization': 'Bearer zzzz-not-in-env'})",
        "{'x-api-key': 'zzzz-not-in-env'}",
        "x-api-key: zzzz-not-in-env",
        "[(b'x-api-key', 'x')] ('x-api-key', 'zzzz-not-in-env')",
        "sk-zzzz-not-in-env",
        "https://robot:zzzz-not-in-env@llm.example.com/v1",
        "https://robot:p@zzzz-not-in-env@llm.example.com/v1",
        "'https://zzzz-not-in-env@llm.example.com'",
        "https://llm.example.com/v1?a=b&api_key=zzzz-not-in-env",
        "https://llm.example.com/v1?token=zzzz-not-in-env#top",
    ],
)
def test_what_looks_like_a_key_is_hidden_even_if_no_variable_holds_it(text: str) -> None:
    assert "zzzz-not-in-env" not in redact(text, {})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "put the milk into the basket...",
        "a task-based mask",
        "wait... 3.5 s",
        "/home/robot",
        "abc",
        "https://llm.example.com:8000/v1?model=small&monkey=1",
        '{"url":"http://127.0.0.1:11434/v1","mail":"robot@example.com"}',
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert redact(text, ENV) == text


def test_only_variables_named_like_a_key_count() -> None:
    assert known_secrets({"A_SECRET": "long-enough", "PATH": "/usr/local/bin"}) >= {"long-enough"}
    assert "/usr/local/bin" not in known_secrets({"PATH": "/usr/local/bin"})


def test_a_registered_key_is_hidden_when_its_variable_is_gone() -> None:
    register_secret("registered-0a1b2c3d4e5f6g7h")
    assert redact("got registered-0a1b2c3d4e5f6g7h", {}) == f"got {MASK}"


@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_stands_around_it_the_key_is_hidden(before: str, after: str) -> None:
    assert KEY not in redact(before + KEY + after, ENV)


@given(st.text())
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text, ENV)
    assert redact(once, ENV) == once


@pytest.mark.timeout(60)  # linear in the length it is well below a second, squared it is minutes
@pytest.mark.parametrize(
    "text",
    [
        piece * (400_000 // len(piece))
        for piece in ("x", "*.", "sk-", "...a", "://a", "://", "?a", "?key=", "&a_key")
    ],
)
def test_a_long_text_is_redacted_in_time_that_grows_with_its_length_alone(text: str) -> None:
    once = redact(text, ENV)
    assert redact(once, ENV) == once


def test_log_records_are_redacted_with_their_arguments_and_exceptions(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", PLAIN)
    before = logging.getLogRecordFactory()
    redact_logs()
    factory = logging.getLogRecordFactory()
    redact_logs()
    assert logging.getLogRecordFactory() is factory
    try:
        logging.getLogger("some.sdk").warning("sent %s", {"key": PLAIN})
        try:
            raise ValueError(f"bad key {PLAIN}")
        except ValueError:
            logging.getLogger("some.sdk").exception("failed")
        logging.getLogger("some.sdk").warning("fine %d", 7)
    finally:
        logging.setLogRecordFactory(before)
    assert PLAIN not in caplog.text
    assert "ValueError: bad key [redacted]" in caplog.text
    assert "fine 7" in caplog.text

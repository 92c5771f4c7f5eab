"""Both clients, through the real SDKs, against the scripted server."""

from __future__ import annotations

import json
import logging
import threading
import time
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel, Field

from openral.llm.client import (
    LlmClient,
    LlmReplyError,
    LlmTimeout,
    LlmTransportError,
    ToolRequest,
    ToolSpec,
)

JPEG = b"\xff\xd8\xff\xe0 not a whole picture"
PNG = b"\x89PNG\r\n\x1a\n not a whole picture"

Connect = Callable[..., LlmClient]


class Place(BaseModel):
    object_ref: str
    patience_s: float = Field(default=5.0, ge=0.0, le=60.0)
    note: str | None = None


TOOLS = (
    ToolSpec(name="place", description="Place it.", json_schema=Place.model_json_schema()),
    ToolSpec(name="wait", description="Wait.", json_schema={"type": "object"}),
)


def ask(**changes: Any) -> ToolRequest:
    return ToolRequest(
        **{"system": "You plan.", "user": "go", "tools": TOOLS, "max_tokens": 500, **changes}
    )


def test_a_call_comes_back_typed_and_the_request_is_as_the_provider_wants_it(
    connect: Connect, server: Any, served: ModuleType, dialect: str
) -> None:
    server.play(served.call(dialect, "place", {"object_ref": "milk"}))
    reply = connect(dialect).call_tool(ask())
    assert (reply.name, reply.arguments) == ("place", {"object_ref": "milk"})
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (11, 7)
    assert reply.model == "served-model"
    assert reply.attempts == 1
    assert 0.0 < reply.latency_s < 5.0
    (request,) = server.requests
    assert request.problems == []
    assert "temperature" not in request.body


def test_a_null_for_an_optional_field_is_left_out_unless_the_field_takes_null(
    connect: Connect, server: Any, served: ModuleType, dialect: str
) -> None:
    sent = {"object_ref": "milk", "patience_s": None, "note": None}
    server.play(served.call(dialect, "place", sent))
    reply = connect(dialect).call_tool(ask())
    assert reply.arguments == {"object_ref": "milk", "note": None}
    assert Place.model_validate(reply.arguments).patience_s == 5.0


def test_one_tool_can_be_forced(
    connect: Connect, server: Any, served: ModuleType, dialect: str
) -> None:
    server.play(served.call(dialect, "wait", {}), served.call(dialect, "place", {}))
    client = connect(dialect)
    assert client.call_tool(ask(force_tool="wait")).name == "wait"
    choice = server.requests[0].body["tool_choice"]
    assert (
        choice
        == {
            "anthropic": {"type": "tool", "name": "wait", "disable_parallel_tool_use": True},
            "openai": {"type": "function", "function": {"name": "wait"}},
        }[dialect]
    )
    # A server that ignores the forced choice is found out.
    with pytest.raises(LlmReplyError, match="exactly one call of wait, got a call of 'place'"):
        client.call_tool(ask(force_tool="wait"))


def test_thinking_is_off_and_tools_are_strict(
    connect: Connect, server: Any, served: ModuleType, dialect: str
) -> None:
    server.play(served.call(dialect, "wait", {}))
    connect(dialect).call_tool(ask())
    body = server.requests[0].body
    if dialect == "anthropic":
        assert body["thinking"] == {"type": "disabled"}
        assert body["max_tokens"] == 500
        assert all(tool["strict"] for tool in body["tools"])
    else:
        assert body["max_completion_tokens"] == 500
        assert all(tool["function"]["strict"] for tool in body["tools"])


@pytest.mark.parametrize("image", [JPEG, PNG])
def test_an_image_question_sends_the_image_and_forces_the_answer(
    connect: Connect, server: Any, served: ModuleType, dialect: str, image: bytes
) -> None:
    schema = {
        "type": "object",
        "properties": {"verdict": {"enum": ["done", "not_done", "cannot_tell"]}},
        "required": ["verdict"],
    }
    server.play(served.call(dialect, "answer", {"verdict": "done"}))
    reply = connect(dialect).describe_image(image, "is the milk in the basket?", schema)
    assert reply.arguments == {"verdict": "done"}
    (request,) = server.requests
    assert request.problems == []
    kinds = [part["type"] for part in request.body["messages"][-1]["content"]]
    assert kinds == [{"anthropic": "image", "openai": "image_url"}[dialect], "text"]


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_a_passing_failure_is_retried(
    connect: Connect, server: Any, served: ModuleType, dialect: str, status: int
) -> None:
    server.play(
        served.error(status, "busy"), served.error(status, "busy"), served.call(dialect, "wait", {})
    )
    assert connect(dialect, attempts=3).call_tool(ask()).attempts == 3
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [429, 500, 529])
def test_retries_end(
    connect: Connect, server: Any, served: ModuleType, dialect: str, status: int
) -> None:
    server.play(*[served.error(status, "busy")] * 3)
    with pytest.raises(LlmTransportError, match=f"answered {status}: .*busy") as caught:
        connect(dialect, attempts=2).call_tool(ask())
    assert (caught.value.status, caught.value.retryable) == (status, True)
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [302, 400, 403, 404])
def test_a_lasting_failure_is_not_retried(
    connect: Connect, server: Any, served: ModuleType, dialect: str, status: int
) -> None:
    server.play(served.error(status, "no such model", location="http://127.0.0.1:9/"))
    with pytest.raises(LlmTransportError) as caught:
        connect(dialect).call_tool(ask())
    assert (caught.value.status, caught.value.retryable) == (status, False)
    assert len(server.requests) == 1


def test_a_wrong_key_is_said_and_not_retried(connect: Connect, server: Any, dialect: str) -> None:
    with pytest.raises(LlmTransportError, match="answered 401") as caught:
        connect(dialect, key="sk-wrong-0123456789abcdefghij").call_tool(ask())
    assert caught.value.status == 401
    assert len(server.requests) == 1


def test_retry_after_past_the_deadline_fails_at_once(
    connect: Connect, server: Any, served: ModuleType, dialect: str
) -> None:
    server.play(*[served.error(429, "slow down", retry_after="3600")] * 3)
    # Had it waited, the deadline would be what the error tells of.
    with pytest.raises(LlmTransportError, match="429"):
        connect(dialect).call_tool(ask())
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "how", [{"wait_s": 3600.0}, {"drip_s": 0.05}, {"drip_s": 0.05, "drip_headers": True}]
)
def test_silence_and_dripping_end_at_the_deadline(
    connect: Connect, server: Any, served: ModuleType, dialect: str, how: dict[str, Any]
) -> None:
    # A minute and more of silence or of bytes: only a deadline ends the call before that.
    body = {**served.call(dialect, "wait", {}).body, "padding": "x" * 100_000}
    server.play(*[served.Answer(body=body, **how)] * 3)
    with pytest.raises(LlmTimeout, match=r"within 0\.4 s"):
        connect(dialect, timeout_s=0.4).call_tool(ask())
    assert len(server.requests) == 1


def test_a_huge_reply_is_not_read_to_its_end(
    connect: Connect, server: Any, served: ModuleType, dialect: str
) -> None:
    server.play(served.Answer(body={"content": "x" * 3_000_000}))
    with pytest.raises(LlmTransportError, match="more than 65536 bytes"):
        connect(dialect, max_reply_bytes=65536).call_tool(ask())
    assert len(server.requests) == 1


def test_a_connection_that_breaks_in_the_reply_is_retried(
    connect: Connect, server: Any, served: ModuleType, dialect: str
) -> None:
    whole = served.call(dialect, "wait", {})
    server.play(served.Answer(body=whole.body, cut_at=40), whole)
    assert connect(dialect).call_tool(ask()).attempts == 2


def test_no_server_at_all(connect: Connect, server: Any, dialect: str) -> None:
    client = connect(dialect, attempts=2)
    server.close()
    with pytest.raises(LlmTransportError, match="no answer") as caught:
        client.call_tool(ask())
    assert caught.value.retryable


GARBAGE = ["", "<html>gateway</html>", "[1,2]", "null", '{"content": ', "{}", '{"a": NaN}']


@pytest.mark.parametrize("body", [*GARBAGE, "[" * 100_000])
def test_garbage_is_a_typed_error(
    connect: Connect, server: Any, served: ModuleType, dialect: str, body: str
) -> None:
    server.play(served.Answer(body=body), served.Answer(body=body, headers={"content-type": "a/b"}))
    for _ in range(2):
        with pytest.raises(LlmReplyError):
            connect(dialect).call_tool(ask())


# What is wrong with an otherwise proper reply: fields of the Messages reply, and of the
# completion's choice.
WRONG: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "text": (
        {"content": [{"type": "text", "text": "I would place the milk."}]},
        {"message": {"content": "I would place the milk."}},
    ),
    "empty": ({"content": []}, {"message": {"content": None}}),
    "two": (
        {"content": [{"type": "tool_use", "name": "place", "input": {}}] * 2},
        {"message": {"tool_calls": [{"function": {"name": "place", "arguments": "{}"}}] * 2}},
    ),
    "cut": ({"stop_reason": "max_tokens"}, {"finish_reason": "length"}),
    "refusal": ({"stop_reason": "refusal"}, {"message": {"refusal": "I can not help"}}),
}


def _wrong(served: ModuleType, dialect: str, change: str) -> Any:
    named = {
        "unknown tool": ("plaice", {}),
        "malformed": ("place", '{"object_ref": "mi'),
        "list": ("place", "[1]"),
    }
    good = served.call(dialect, *named.get(change, ("place", {"object_ref": "milk"})))
    messages, choice = WRONG.get(change, ({}, {}))
    if dialect == "anthropic":
        good.body.update(messages)
    else:
        good.body["choices"][0].update(choice)
    return good


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("text", "exactly one call of place, wait, got text instead of a call: 'I would place"),
        ("empty", "got an empty reply"),
        ("two", "got 2 calls: 'place', 'place'"),
        ("cut", "cut off at max_tokens = 500"),
        ("refusal", "got a refusal"),
        ("unknown tool", "got a call of 'plaice'; valid names: place, wait"),
        ("malformed", "the arguments of 'place' to be a JSON object"),
        ("list", "JSON of type list"),
    ],
)
def test_a_reply_that_is_not_one_valid_call_says_what_was_wrong(
    connect: Connect, server: Any, served: ModuleType, dialect: str, change: str, said: str
) -> None:
    server.play(_wrong(served, dialect, change))
    with pytest.raises(LlmReplyError) as caught:
        connect(dialect).call_tool(ask())
    assert said in str(caught.value)
    assert caught.value.usage is not None
    assert caught.value.usage.output_tokens == 7
    assert len(server.requests) == 1


def test_tools_beyond_anthropics_limits_are_sent_without_strict(
    connect: Connect, server: Any, served: ModuleType
) -> None:
    # Two nullable fields each: eight tools hold the 16 unions that are allowed.
    many = tuple(
        ToolSpec(name=f"place{i}", description="Place.", json_schema=Place.model_json_schema())
        for i in range(24)
    )
    server.play(served.call("anthropic", "place23", {"object_ref": "milk"}))
    assert connect("anthropic").call_tool(ask(tools=many)).name == "place23"
    (request,) = server.requests
    assert request.problems == []
    assert [tool.get("strict", False) for tool in request.body["tools"]] == [True] * 8 + [
        False
    ] * 16


def test_a_grammar_that_is_still_too_large_is_asked_for_without_strict_from_then_on(
    connect: Connect, server: Any, served: ModuleType
) -> None:
    good = served.call("anthropic", "wait", {})
    server.play(served.error(400, "The compiled grammar is too large"), good, good)
    client = connect("anthropic")
    for _ in range(2):
        assert client.call_tool(ask()).name == "wait"
    strict = [any("strict" in t for t in r.body["tools"]) for r in server.requests]
    assert strict == [True, False, False]


def test_arguments_that_come_as_a_string_are_decoded_once(
    connect: Connect, server: Any, served: ModuleType, dialect: str
) -> None:
    server.play(served.call(dialect, "place", json.dumps({"object_ref": "[1]"})))
    assert connect(dialect).call_tool(ask()).arguments == {"object_ref": "[1]"}


def test_close_ends_a_call_in_flight(
    connect: Connect, server: Any, served: ModuleType, dialect: str
) -> None:
    server.play(served.Answer(wait_s=20.0))
    client = connect(dialect)
    caught: list[Exception] = []

    def work() -> None:
        try:
            client.call_tool(ask())
        except LlmTransportError as error:
            caught.append(error)

    worker = threading.Thread(target=work)
    worker.start()
    deadline = time.monotonic() + 5.0
    while not server.requests and time.monotonic() < deadline:
        worker.join(0.01)
    client.close()
    worker.join(2.0)
    assert not worker.is_alive()
    assert "closed" in str(caught[0])


def test_making_a_client_redacts_the_processs_logs(
    connect: Connect,
    dialect: str,
    key: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    before = logging.getLogRecordFactory()
    logging.setLogRecordFactory(logging.LogRecord)
    try:
        connect(dialect)
        logging.getLogger("any").warning("headers %s", {"k": key})
    finally:
        logging.setLogRecordFactory(before)
    assert "headers {'k': '[redacted]'}" in caplog.text


@pytest.mark.parametrize("status", [401, 400, 500])
def test_a_key_in_a_providers_error_is_never_shown(
    connect: Connect,
    server: Any,
    served: ModuleType,
    dialect: str,
    status: int,
    key: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("DEBUG")
    texts = (key, key[:12] + "****" + key[-4:], f"headers={{'x-api-key': '{key}'}}", key[5:25])
    client = connect(dialect, attempts=1)
    for text in texts:
        server.play(served.error(status, f"Incorrect API key provided: {text}."))
        with pytest.raises(LlmTransportError) as caught:
            client.call_tool(ask())
        shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
        chain: BaseException | None = caught.value
        while chain is not None:
            shown += repr(chain) + str(vars(chain))
            chain = chain.__cause__ or chain.__context__
        shown += caplog.text + repr(client)
        assert "[redacted]" in str(caught.value)
        for part in (key, key[5:15], key[:12], key[-4:]):
            assert part not in shown


def test_a_key_in_a_useless_reply_is_never_shown(
    connect: Connect, server: Any, served: ModuleType, dialect: str, key: str
) -> None:
    server.play(served.Answer(body=f"<html>you sent {key}"), served.call(dialect, key, {}))
    for _ in range(2):
        with pytest.raises(LlmReplyError) as caught:
            connect(dialect).call_tool(ask())
        assert key[4:] not in str(caught.value)

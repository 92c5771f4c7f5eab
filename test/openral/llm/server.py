"""A scripted, recording HTTP server that speaks both dialects and checks every request.

It refuses what the real services refuse (wrong key, a schema that is not strict, thinking with a
forced tool, an image that is none), so that a test that passes here says something. In a test::

    with ScriptedServer(key="k") as server:
        server.play(call("anthropic", "wait", {"seconds": 1}))
        ... point a client at server.url ...
        assert server.requests[0].problems == []

As a process: `python server.py --key k --script answers.json --record requests.jsonl`, which prints
its URL; `answers.json` is a list of objects with the fields of `Answer`, or
`{"call": {"name": …, "arguments": {…}}}` for a proper call in whatever dialect was asked.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import contextlib
import json
import threading
import time
from dataclasses import asdict, dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PATHS = {"/v1/messages": "anthropic", "/v1/chat/completions": "openai"}

KEYWORDS = {
    "anthropic": {"type", "description", "properties", "required", "additionalProperties"}
    | {"items", "enum", "anyOf", "format"},
    "openai": {"type", "description", "properties", "required", "additionalProperties"}
    | {"items", "enum", "anyOf", "format", "pattern", "minimum", "maximum", "exclusiveMinimum"}
    | {"exclusiveMaximum", "multipleOf", "minItems", "maxItems"},
}


@dataclass(frozen=True)
class Answer:
    """One HTTP answer.

    `body` is sent as JSON, or as it is if a string. `wait_s`: silence before it. `drip_s`: pause
    after each byte, `drip_headers`: of the headers too. `cut_at`: hang up after so many
    bytes of the announced body.
    """

    status: int = 200
    body: Any = ""
    headers: dict[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    drip_s: float = 0.0
    drip_headers: bool = False
    cut_at: int | None = None
    call: dict[str, Any] | None = None


@dataclass(frozen=True)
class Recorded:
    """One request as it came, and what is wrong with it (nothing, if it is as it should be)."""

    dialect: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    problems: list[str]


def call(dialect: str, name: str, arguments: Any, **changes: Any) -> Answer:
    """A proper reply with one tool call; `changes` replace top-level fields of its body."""
    body: dict[str, Any]
    if dialect == "anthropic":
        body = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "served-model",
            "content": [{"type": "tool_use", "id": "t1", "name": name, "input": arguments}],
            "stop_reason": "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 11, "output_tokens": 7},
        }
    else:
        body = {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": "served-model",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "tool_calls",
                    "message": {
                        "role": "assistant",
                        "content": None,
                        "tool_calls": [
                            {
                                "id": "t1",
                                "type": "function",
                                "function": {
                                    "name": name,
                                    "arguments": arguments
                                    if isinstance(arguments, str)
                                    else json.dumps(arguments),
                                },
                            }
                        ],
                    },
                }
            ],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }
    return Answer(body={**body, **changes})


def error(status: int, text: str, **headers: str) -> Answer:
    """A provider's error; both dialects nest the text the same way."""
    kind = {401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error"}
    body = {"type": "error", "error": {"type": kind.get(status, "api_error"), "message": text}}
    return Answer(
        status=status, body=body, headers={k.replace("_", "-"): v for k, v in headers.items()}
    )


class ScriptedServer:
    """Serves on a free loopback port until closed; answers come from `play`, in order."""

    def __init__(self, key: str | None = None, record: Path | None = None) -> None:
        self.key = key
        self.requests: list[Recorded] = []
        self._answers: list[Answer] = []
        self._record = record
        self._lock = threading.Lock()
        self.closing = threading.Event()
        outer = self

        class Handler(_Handler):
            server_state = outer

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def __enter__(self) -> ScriptedServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    def play(self, *answers: Answer) -> None:
        with self._lock:
            self._answers += answers

    def answer(self, recorded: Recorded) -> Answer:
        with self._lock:
            self.requests.append(recorded)
            if self._record is not None:
                with self._record.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(recorded)) + "\n")
            if any(p.startswith("auth:") for p in recorded.problems):
                return error(401, "invalid key")
            if recorded.problems:
                return error(400, "; ".join(recorded.problems))
            if not self._answers:
                return error(400, "the script has no answer left")
            answer = self._answers.pop(0)
        if answer.call is not None:
            return call(recorded.dialect, answer.call["name"], answer.call["arguments"])
        return answer


class _Handler(BaseHTTPRequestHandler):
    server_state: ScriptedServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def handle(self) -> None:
        with contextlib.suppress(ConnectionError):  # the client left, as some tests make it do
            super().handle()

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {k.lower(): v for k, v in self.headers.items()}
        dialect = PATHS.get(self.path, "")
        try:
            body = json.loads(raw)
        except ValueError:
            body = {}
        problems = [f"unknown path {self.path}"] if not dialect else []
        if dialect:
            problems = check(dialect, headers, body, self.server_state.key)
        shown = {k: v for k, v in headers.items() if k not in ("authorization", "x-api-key")}
        self._send(self.server_state.answer(Recorded(dialect, self.path, shown, body, problems)))

    def _send(self, answer: Answer) -> None:
        state = self.server_state
        state.closing.wait(answer.wait_s)
        text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
        data = text.encode()
        try:
            if answer.drip_headers:
                self._drip(b"HTTP/1.1 200 OK\r\n" + b"x-slow: yes\r\n" * 100, answer.drip_s)
                return
            self.send_response(answer.status)
            headers = {"content-type": "application/json", **answer.headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            if answer.cut_at is not None:
                self.wfile.write(data[: answer.cut_at])
                self.close_connection = True
            elif answer.drip_s:
                self._drip(data, answer.drip_s)
            else:
                self.wfile.write(data)
        except OSError:
            self.close_connection = True  # the client left

    def _drip(self, data: bytes, pause_s: float) -> None:
        for i in range(len(data)):
            if self.server_state.closing.wait(pause_s):
                return
            self.wfile.write(data[i : i + 1])


def check(dialect: str, headers: dict[str, str], body: Any, key: str | None) -> list[str]:
    """What is wrong with a request; `auth:` first where the key is."""
    problems = []
    bearer = headers.get("authorization", "").removeprefix("Bearer ")
    sent = {bearer, headers.get("x-api-key", "")} if dialect == "anthropic" else {bearer}
    if key is not None and key not in sent:
        problems.append("auth: wrong or missing key")
    if not isinstance(body, dict):
        return [*problems, "body is no object"]
    if not isinstance(body.get("model"), str):
        problems.append("no model")
    if dialect == "anthropic":
        return problems + _check_anthropic(headers, body)
    return problems + _check_openai(body)


def _check_anthropic(headers: dict[str, str], body: dict[str, Any]) -> list[str]:
    problems = []
    if "anthropic-version" not in headers:
        problems.append("no anthropic-version")
    if not isinstance(body.get("max_tokens"), int):
        problems.append("no max_tokens")
    choice = body.get("tool_choice", {})
    names = [t.get("name") for t in body.get("tools", [])]
    if (
        choice.get("type") not in ("tool", "any")
        or choice.get("disable_parallel_tool_use") is not True
    ):
        problems.append(f"tool_choice does not force one call: {choice}")
    if choice.get("type") == "tool" and choice.get("name") not in names:
        problems.append(f"tool_choice names no tool: {choice}")
    if body.get("thinking", {}).get("type", "disabled") != "disabled":
        problems.append("thinking with a forced tool")
    if "temperature" in body and body["model"].startswith("claude-opus"):
        problems.append("temperature is not supported")
    strict = [tool for tool in body.get("tools", []) if tool.get("strict")]
    for tool in strict:
        problems += check_schema(tool.get("input_schema"), "anthropic", tool.get("name", "?"))
    if len(strict) > 20 or json.dumps([t["input_schema"] for t in strict]).count('"anyOf"') > 16:
        problems.append("the compiled grammar is too large")
    for message in body.get("messages", []):
        for block in message["content"]:
            problems += _check_block(block)
    return problems


def _check_block(block: dict[str, Any]) -> list[str]:
    if block["type"] == "image":
        source = block["source"]
        return _check_image(source.get("media_type", ""), source.get("data", ""))
    return [] if block["type"] == "text" and block.get("text") else [f"block {block['type']}"]


def _check_openai(body: dict[str, Any]) -> list[str]:
    problems = []
    if ("max_tokens" in body) == ("max_completion_tokens" in body):
        problems.append("exactly one of max_tokens, max_completion_tokens")
    if body.get("model", "").startswith("gpt-5") and "max_tokens" in body:
        problems.append("max_tokens is not supported with this model")
    if body.get("parallel_tool_calls") is not False:
        problems.append("parallel_tool_calls is not false")
    choice = body.get("tool_choice")
    names = [t["function"].get("name") for t in body.get("tools", [])]
    if choice != "required" and (
        not isinstance(choice, dict) or choice.get("function", {}).get("name") not in names
    ):
        problems.append(f"tool_choice does not force a call: {choice}")
    for tool in body.get("tools", []):
        function = tool["function"]
        if function.get("strict"):
            problems += check_schema(function.get("parameters"), "openai", function.get("name"))
    for message in body.get("messages", []):
        if isinstance(message["content"], list):
            for part in message["content"]:
                if part["type"] == "image_url":
                    media, _, data = part["image_url"]["url"].partition(";base64,")
                    problems += _check_image(media.removeprefix("data:"), data)
    return problems


def _check_image(media_type: str, data: str) -> list[str]:
    magic = {"image/jpeg": b"\xff\xd8\xff", "image/png": b"\x89PNG"}
    try:
        image = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return ["image is no base64"]
    if media_type not in magic or not image.startswith(magic[media_type]):
        return [f"image is no {media_type}"]
    return []


def check_schema(node: Any, dialect: str, where: str) -> list[str]:
    """Why a schema is not strict."""
    if not isinstance(node, dict):
        return [f"{where}: no schema"]
    problems = [f"{where}: keyword {k}" for k in sorted(set(node) - KEYWORDS[dialect])]
    if not {"type", "anyOf", "enum"} & set(node):
        problems.append(f"{where}: no type")
    if node.get("type") == "object":
        properties = node.get("properties", {})
        if node.get("additionalProperties") is not False:
            problems.append(f"{where}: additionalProperties is not false")
        if sorted(node.get("required", [])) != sorted(properties):
            problems.append(f"{where}: not every property is required")
        for name, child in properties.items():
            problems += check_schema(child, dialect, f"{where}.{name}")
    if node.get("type") == "array":
        problems += check_schema(node.get("items"), dialect, f"{where}[]")
    for i, child in enumerate(node.get("anyOf", [])):
        problems += check_schema(child, dialect, f"{where}|{i}")
    return problems


def main() -> None:
    parser = argparse.ArgumentParser(description="scripted language-model server")
    parser.add_argument("--key", default=None)
    parser.add_argument("--script", type=Path, required=True)
    parser.add_argument("--record", type=Path, default=None)
    args = parser.parse_args()
    with ScriptedServer(args.key, args.record) as server:
        server.play(*(Answer(**entry) for entry in json.loads(args.script.read_text())))
        print(server.url, flush=True)
        while True:
            time.sleep(3600)


if __name__ == "__main__":
    main()

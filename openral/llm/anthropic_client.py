"""A model that speaks Anthropic's Messages API, through the `anthropic` SDK.

The SDK is imported when a client is made, never before.
"""

from __future__ import annotations

import base64
from typing import Any

from openral.llm.call_bounds import CallBounds
from openral.llm.client import (
    LlmReplyError,
    ToolReply,
    ToolRequest,
    Usage,
    image_media_type,
)
from openral.llm.registry import ResolvedModel
from openral.llm.reply import RawCall, count, decode_object, mapping, one_call
from openral.llm.sdk_client import SdkClient
from openral.llm.strict_schema import strict_schema, union_count

# Anthropic compiles all strict tools of a request into one grammar and refuses the request beyond
# these numbers ("Structured outputs", section "Schema complexity limits"), or beyond a size that
# it does not publish and that differs between models.
_MAX_STRICT_TOOLS = 20
_MAX_UNIONS = 16
_TOO_COMPLEX = ("grammar", "too complex")


class AnthropicClient(SdkClient):
    """One model behind a Messages endpoint; arguments as `SdkClient`."""

    def __init__(
        self,
        model: ResolvedModel,
        bounds: CallBounds | None = None,
        *,
        image_max_tokens: int = 1024,
        temperature: float | None = None,
    ) -> None:
        import anthropic

        super().__init__(anthropic, "Anthropic", model, bounds, image_max_tokens, temperature)
        self._strict = model.strict
        self._bad_request = anthropic.BadRequestError

    def _send(self, request: ToolRequest, body: dict[str, Any], timeout_s: float) -> bytes:
        create = self._sdk.messages.with_raw_response.create
        try:
            return _content(create(**body, timeout=timeout_s))
        except self._bad_request as error:
            if not self._strict or not any(t in str(error).lower() for t in _TOO_COMPLEX):
                raise
        # This model's limit is lower than the published one; replies are checked all the same.
        self._strict = False
        return _content(create(**self.body(request), timeout=timeout_s))

    def _read(
        self, content: bytes, request: ToolRequest, *, latency_s: float, attempts: int
    ) -> ToolReply:
        return parse_reply(content, request, latency_s=latency_s, attempts=attempts)

    def _body(self, request: ToolRequest) -> dict[str, Any]:
        choice: dict[str, Any] = (
            {"type": "tool", "name": request.force_tool} if request.force_tool else {"type": "any"}
        )
        content: list[dict[str, Any]] = [
            {
                "type": "image",
                "source": {
                    "type": "base64",
                    "media_type": image_media_type(image),
                    "data": base64.b64encode(image).decode(),
                },
            }
            for image in request.images
        ]
        tools: list[dict[str, Any]] = []
        unions = 0
        for tool in request.tools:
            schema = strict_schema(tool.json_schema, "anthropic")
            described = {"name": tool.name, "description": tool.description}
            tools.append({**described, "input_schema": schema})
            more = union_count(schema)
            if self._strict and len(tools) <= _MAX_STRICT_TOOLS and unions + more <= _MAX_UNIONS:
                tools[-1]["strict"] = True
                unions += more
        body: dict[str, Any] = {
            "model": self._model.model_id,
            "max_tokens": request.max_tokens,
            "messages": [
                {"role": "user", "content": [*content, {"type": "text", "text": request.user}]}
            ],
            "tools": tools,
            "tool_choice": {**choice, "disable_parallel_tool_use": True},
        }
        if request.system:
            body["system"] = request.system
        if self._model.disable_thinking:
            # A forced tool choice and extended thinking exclude each other.
            body["thinking"] = {"type": "disabled"}
        return body


def _content(response: Any) -> bytes:
    content: bytes = response.http_response.content
    return content


def parse_reply(
    content: bytes | str, request: ToolRequest, *, latency_s: float = 0.0, attempts: int = 1
) -> ToolReply:
    """The tool call in a Messages reply's body.

    Raises:
        LlmReplyError: Anything but one valid call.
    """
    message = decode_object(content, "the reply")
    blocks = message.get("content")
    if not isinstance(blocks, list):
        raise LlmReplyError(
            "a message with a list of content blocks", f"keys {sorted(message)[:8]}"
        )
    parts = [mapping(block) for block in blocks]
    used = mapping(message.get("usage"))
    return one_call(
        [RawCall(p.get("name"), p.get("input")) for p in parts if p.get("type") == "tool_use"],
        request,
        text="\n".join(str(p.get("text", "")) for p in parts if p.get("type") == "text"),
        cut_off=message.get("stop_reason") == "max_tokens",
        refused=message.get("stop_reason") == "refusal",
        usage=Usage(
            input_tokens=count(used.get("input_tokens")),
            output_tokens=count(used.get("output_tokens")),
        ),
        model=str(message.get("model", "")),
        latency_s=latency_s,
        attempts=attempts,
    )

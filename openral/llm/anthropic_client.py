"""A model that speaks Anthropic's Messages API, through the `anthropic` SDK.

The SDK is imported when a client is made, never before.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from openral.llm.bounded_call import BoundedCaller
from openral.llm.call_bounds import CallBounds
from openral.llm.client import (
    LlmReplyError,
    ToolReply,
    ToolRequest,
    Usage,
    image_media_type,
    image_question,
)
from openral.llm.registry import ResolvedModel, check_vision
from openral.llm.reply import RawCall, count, decode_object, mapping, one_call
from openral.llm.strict_schema import strict_schema, union_count

# Anthropic compiles all strict tools of a request into one grammar and refuses the request beyond
# these numbers ("Structured outputs", section "Schema complexity limits"), or beyond a size that
# it does not publish and that differs between models.
_MAX_STRICT_TOOLS = 20
_MAX_UNIONS = 16
_TOO_COMPLEX = ("grammar", "too complex")


class AnthropicClient:
    """One model behind a Messages endpoint; implements `LlmClient`.

    Args:
        model: What the registry resolved.
        bounds: Deadline, attempts and size of each call.
        image_max_tokens: Reply budget of `describe_image` [tokens].
        temperature: Sampling temperature; None leaves it out, as newer models refuse it.
    """

    def __init__(
        self,
        model: ResolvedModel,
        bounds: CallBounds | None = None,
        *,
        image_max_tokens: int = 1024,
        temperature: float | None = None,
    ) -> None:
        import anthropic

        self._model = model
        self._image_max_tokens = image_max_tokens
        self._temperature = temperature
        self._strict = model.strict
        self._caller = BoundedCaller(anthropic, model.provider, bounds or CallBounds())
        self._bad_request = anthropic.BadRequestError
        self._sdk = anthropic.Anthropic(
            api_key=model.key_or_placeholder,
            base_url=model.endpoint,
            max_retries=0,
            default_headers={"Accept-Encoding": "identity"},
            # No redirects: an API has none, and a key must not follow one.
            http_client=anthropic.DefaultHttpxClient(
                follow_redirects=False,
                event_hooks={"response": [self._caller.bound_response]},
            ),
        )

    @property
    def model(self) -> str:
        """The registry's name of the model."""
        return self._model.name

    def call_tool(self, request: ToolRequest) -> ToolReply:
        """One forced tool call; see `LlmClient`."""
        check_vision(self._model, request)
        body = self.body(request)

        def send(timeout_s: float) -> bytes:
            create = self._sdk.messages.with_raw_response.create
            try:
                return create(**body, timeout=timeout_s).http_response.content
            except self._bad_request as error:
                if not self._strict or not any(t in str(error).lower() for t in _TOO_COMPLEX):
                    raise
            # This model's limit is lower than the published one; replies are checked all the same.
            self._strict = False
            return create(**self.body(request), timeout=timeout_s).http_response.content

        content, attempts, latency_s = self._caller.run(send)
        return parse_reply(content, request, latency_s=latency_s, attempts=attempts)

    def describe_image(
        self, image_jpeg: bytes, question: str, answer_schema: Mapping[str, Any]
    ) -> ToolReply:
        """One question about one image; see `LlmClient`."""
        return self.call_tool(
            image_question(image_jpeg, question, answer_schema, self._image_max_tokens)
        )

    def close(self) -> None:
        """Close the connections."""
        self._caller.close()
        self._sdk.close()

    def body(self, request: ToolRequest) -> dict[str, Any]:
        """The arguments of `messages.create` for `request`."""
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
        if self._temperature is not None:
            # The SDK has no such argument any more.
            body["extra_body"] = {"temperature": self._temperature}
        return body


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

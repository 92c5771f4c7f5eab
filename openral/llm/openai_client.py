"""A model that speaks OpenAI's chat completions, through the `openai` SDK.

OpenAI itself, OpenRouter, vLLM, Ollama and every other compatible server. The SDK is imported when
a client is made, never before.
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
from openral.llm.strict_schema import strict_schema


class OpenAIClient(SdkClient):
    """One model behind a chat-completions endpoint; arguments as `SdkClient`."""

    def __init__(
        self,
        model: ResolvedModel,
        bounds: CallBounds | None = None,
        *,
        image_max_tokens: int = 1024,
        temperature: float | None = None,
    ) -> None:
        import openai

        super().__init__(openai, "OpenAI", model, bounds, image_max_tokens, temperature)

    def _send(self, request: ToolRequest, body: dict[str, Any], timeout_s: float) -> bytes:
        create = self._sdk.chat.completions.with_raw_response.create
        content: bytes = create(**body, timeout=timeout_s).http_response.content
        return content

    def _read(
        self, content: bytes, request: ToolRequest, *, latency_s: float, attempts: int
    ) -> ToolReply:
        return parse_reply(content, request, latency_s=latency_s, attempts=attempts)

    def _body(self, request: ToolRequest) -> dict[str, Any]:
        choice: str | dict[str, Any] = "required"
        if request.force_tool:
            choice = {"type": "function", "function": {"name": request.force_tool}}
        content: str | list[dict[str, Any]] = request.user
        if request.images:
            content = [
                {"type": "image_url", "image_url": {"url": _data_url(image)}}
                for image in request.images
            ]
            content.append({"type": "text", "text": request.user})
        tools = []
        for tool in request.tools:
            schema = strict_schema(tool.json_schema, "openai")
            function: dict[str, Any] = {
                "name": tool.name,
                "description": tool.description,
                "parameters": schema,
            }
            if self._model.strict:
                function["strict"] = True
            tools.append({"type": "function", "function": function})
        system = [{"role": "system", "content": request.system}] if request.system else []
        body: dict[str, Any] = {
            "model": self._model.model_id,
            self._model.max_tokens_field: request.max_tokens,
            "messages": [*system, {"role": "user", "content": content}],
            "tools": tools,
            "tool_choice": choice,
            "parallel_tool_calls": False,
        }
        return body


def _data_url(image: bytes) -> str:
    return f"data:{image_media_type(image)};base64,{base64.b64encode(image).decode()}"


def parse_reply(
    content: bytes | str, request: ToolRequest, *, latency_s: float = 0.0, attempts: int = 1
) -> ToolReply:
    """The tool call in a chat completion's body.

    Raises:
        LlmReplyError: Anything but one valid call.
    """
    completion = decode_object(content, "the reply")
    choices = completion.get("choices")
    if not isinstance(choices, list) or not choices:
        raise LlmReplyError("a completion with choices", f"keys {sorted(completion)[:8]}")
    choice = mapping(choices[0])
    message = mapping(choice.get("message"))
    calls = message.get("tool_calls")
    functions = (
        [mapping(mapping(c).get("function")) for c in calls] if isinstance(calls, list) else []
    )
    used = mapping(completion.get("usage"))
    refusal = message.get("refusal")
    return one_call(
        [RawCall(f.get("name"), f.get("arguments")) for f in functions],
        request,
        text=str(refusal or message.get("content") or ""),
        cut_off=choice.get("finish_reason") == "length",
        refused=bool(refusal) or choice.get("finish_reason") == "content_filter",
        usage=Usage(
            input_tokens=count(used.get("prompt_tokens")),
            output_tokens=count(used.get("completion_tokens")),
        ),
        model=str(completion.get("model", "")),
        latency_s=latency_s,
        attempts=attempts,
    )

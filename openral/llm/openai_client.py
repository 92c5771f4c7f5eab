"""A model that speaks OpenAI's chat completions, through the `openai` SDK.

OpenAI itself, OpenRouter, vLLM, Ollama and every other compatible server. The SDK is imported when
a client is made, never before.
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
from openral.llm.strict_schema import strict_schema


class OpenAIClient:
    """One model behind a chat-completions endpoint; implements `LlmClient`.

    Args:
        model: What the registry resolved.
        bounds: Deadline, attempts and size of each call.
        image_max_tokens: Reply budget of `describe_image` [tokens].
        temperature: Sampling temperature; None leaves it out, as reasoning models refuse it.
    """

    def __init__(
        self,
        model: ResolvedModel,
        bounds: CallBounds | None = None,
        *,
        image_max_tokens: int = 1024,
        temperature: float | None = None,
    ) -> None:
        import openai

        self._model = model
        self._image_max_tokens = image_max_tokens
        self._temperature = temperature
        self._caller = BoundedCaller(openai, model.provider, bounds or CallBounds())
        self._sdk = openai.OpenAI(
            api_key=model.key_or_placeholder,
            base_url=model.endpoint,
            max_retries=0,
            default_headers={"Accept-Encoding": "identity"},
            # No redirects: an API has none, and a key must not follow one.
            http_client=openai.DefaultHttpxClient(
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
            raw = self._sdk.chat.completions.with_raw_response.create(**body, timeout=timeout_s)
            return raw.http_response.content

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
        """The arguments of `chat.completions.create` for `request`."""
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
        if self._temperature is not None:
            body["extra_body"] = {"temperature": self._temperature}
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

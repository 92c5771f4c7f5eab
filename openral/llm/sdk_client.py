"""What both SDK clients share: how a call is bounded, sent once, and read into one tool call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from openral.llm.bounded_call import BoundedCaller
from openral.llm.call_bounds import CallBounds
from openral.llm.client import ToolReply, ToolRequest, image_question
from openral.llm.registry import ResolvedModel, check_vision


class SdkClient(ABC):
    """One model behind an endpoint; implements `LlmClient`.

    Args:
        sdk: The SDK's module, `anthropic` or `openai`: both name their classes and errors alike.
        connection: Name of the SDK's client class.
        model: What the registry resolved.
        bounds: Deadline, attempts and size of each call.
        image_max_tokens: Reply budget of `describe_image` [tokens].
        temperature: Sampling temperature; None leaves it out, as many newer models refuse it.
    """

    def __init__(
        self,
        sdk: ModuleType,
        connection: str,
        model: ResolvedModel,
        bounds: CallBounds | None,
        image_max_tokens: int,
        temperature: float | None,
    ) -> None:
        self._model = model
        self._image_max_tokens = image_max_tokens
        self._temperature = temperature
        self._caller = BoundedCaller(sdk, model.provider, bounds or CallBounds())
        self._sdk: Any = getattr(sdk, connection)(
            api_key=model.key_or_placeholder,
            base_url=model.endpoint,
            max_retries=0,
            default_headers={"Accept-Encoding": "identity"},
            # No redirects: an API has none, and a key must not follow one.
            http_client=sdk.DefaultHttpxClient(
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
        content, attempts, latency_s = self._caller.run(
            lambda timeout_s: self._send(request, body, timeout_s)
        )
        return self._read(content, request, latency_s=latency_s, attempts=attempts)

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
        """The arguments of the SDK's `create` for `request`."""
        body = self._body(request)
        if self._temperature is not None:
            # One of the SDKs has no such argument any more.
            body["extra_body"] = {"temperature": self._temperature}
        return body

    @abstractmethod
    def _body(self, request: ToolRequest) -> dict[str, Any]:
        """The same without the temperature."""

    @abstractmethod
    def _send(self, request: ToolRequest, body: dict[str, Any], timeout_s: float) -> bytes:
        """One HTTP request; the reply's body."""

    @abstractmethod
    def _read(
        self, content: bytes, request: ToolRequest, *, latency_s: float, attempts: int
    ) -> ToolReply:
        """The tool call in a reply's body."""

"""Makes the client for a resolved model. The only place that chooses between the SDKs."""

from __future__ import annotations

from openral.llm.call_bounds import CallBounds
from openral.llm.client import LlmClient, LlmConfigError
from openral.llm.redaction import redact_logs
from openral.llm.registry import ResolvedModel


def make_client(
    model: ResolvedModel,
    bounds: CallBounds | None = None,
    *,
    image_max_tokens: int = 1024,
    temperature: float | None = None,
) -> LlmClient:
    """A client for `model`; imports its SDK, and from here on the process's logs are redacted.

    Raises:
        LlmConfigError: The SDK is not installed, or the model takes no temperature.
    """
    if temperature is not None and not model.temperature:
        raise LlmConfigError(f"{model.name} takes no temperature: leave it out")
    redact_logs()
    try:
        if model.dialect == "anthropic":
            from openral.llm.anthropic_client import AnthropicClient

            return AnthropicClient(
                model, bounds, image_max_tokens=image_max_tokens, temperature=temperature
            )
        from openral.llm.openai_client import OpenAIClient

        return OpenAIClient(
            model, bounds, image_max_tokens=image_max_tokens, temperature=temperature
        )
    except ModuleNotFoundError as error:
        raise LlmConfigError(
            f"{model.name} needs the Python package {model.dialect!r} "
            f"(module {error.name!r} is missing): install it or choose another model"
        ) from None

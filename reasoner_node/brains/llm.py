"""A language model as the brain: context as text, tools as schemas, one forced call back."""

from __future__ import annotations

from openral.llm.client import LlmClient, LlmReplyError, LlmTransportError, ToolRequest, ToolSpec
from openral.llm.redaction import redact
from reasoner_node.brain import BrainReply, PreparedTick
from reasoner_node.system_prompt import SYSTEM_PROMPT
from reasoner_node.tools import arguments_schema, description


class LlmBrain:
    """Asks a client; every error becomes a reply that says so, with no key in it."""

    def __init__(self, client: LlmClient, max_tokens: int) -> None:
        self._client = client
        self._max_tokens = max_tokens

    @property
    def name(self) -> str:
        """The model's name."""
        return self._client.model

    @property
    def is_model(self) -> bool:
        """Its calls count."""
        return True

    def choose(self, tick: PreparedTick) -> BrainReply:
        """One request with all tools that may be called now."""
        try:
            reply = self._client.call_tool(request_of(tick, self._max_tokens))
        except LlmReplyError as error:
            usage = error.usage
            return BrainReply(
                error=redact(str(error)),
                correctable=True,
                input_tokens=usage.input_tokens if usage else 0,
                output_tokens=usage.output_tokens if usage else 0,
            )
        except LlmTransportError as error:
            return BrainReply(error=redact(str(error)))
        return BrainReply(
            tool=reply.name,
            arguments=dict(reply.arguments),
            text=redact(reply.text),
            input_tokens=reply.usage.input_tokens,
            output_tokens=reply.usage.output_tokens,
            latency_s=reply.latency_s,
        )


def request_of(tick: PreparedTick, max_tokens: int) -> ToolRequest:
    """The request behind one decision; a correction stands at its end."""
    user = tick.text
    if tick.correction:
        user += f"\n\n## YOUR LAST ANSWER WAS NOT VALID\n{tick.correction}\nAnswer again."
    return ToolRequest(
        system=SYSTEM_PROMPT,
        user=user,
        tools=tuple(
            ToolSpec(name=tool, description=description(tool), json_schema=arguments_schema(tool))
            for tool in tick.view.tools
        ),
        max_tokens=max_tokens,
    )

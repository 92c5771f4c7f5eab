"""Makes exactly one valid tool call out of what a provider sent, or says what was wrong with it.

"Compatible" servers ignore a forced tool choice or a schema without saying so, and any server can
cut a reply off: nothing here is taken on trust.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from openral.llm.client import LlmReplyError, ToolReply, ToolRequest, Usage
from openral.llm.redaction import redact
from openral.llm.strict_schema import without_added_nulls

_QUOTED = 200


@dataclass(frozen=True)
class RawCall:
    """A tool call as it came: `arguments` is an object, or a string that should hold one."""

    name: Any
    arguments: Any


def decode_object(body: bytes | str, what: str) -> dict[str, Any]:
    """The JSON object in `body`.

    Raises:
        LlmReplyError: Not JSON (NaN and infinity are none), or JSON of another kind.
    """
    try:
        value = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        problem = "nested too deep" if isinstance(error, RecursionError) else str(error)
    else:
        if isinstance(value, dict):
            return value
        problem = f"JSON of type {type(value).__name__}"
    raise LlmReplyError(f"{what} to be a JSON object", f"{shown(body)} ({problem[:_QUOTED]})")


def one_call(
    calls: Sequence[RawCall],
    request: ToolRequest,
    *,
    text: str = "",
    cut_off: bool = False,
    refused: bool = False,
    usage: Usage,
    model: str,
    latency_s: float,
    attempts: int,
) -> ToolReply:
    """The one call of a reply.

    Args:
        calls: The tool calls in the reply, in order.
        request: What was asked.
        text: What the model said beside them.
        cut_off: The reply ended at `max_tokens`.
        refused: The model declined to answer.
        usage: Tokens spent.
        model: The model's name as the provider reports it.
        latency_s: Time of the call [s].
        attempts: HTTP requests made.

    Raises:
        LlmReplyError: Not exactly one call of a tool that was offered, with an object of arguments.
    """
    names = [request.force_tool] if request.force_tool else [t.name for t in request.tools]
    expected = f"exactly one call of {_listed(names)}"

    def refuse(got: str, do: str = "") -> NoReturn:
        raise LlmReplyError(expected, got, do, usage=usage)

    if refused:
        refuse(f"a refusal: {shown(text)}")
    if cut_off:
        refuse(
            f"a reply cut off at max_tokens = {request.max_tokens}",
            "allow more tokens or ask for less",
        )
    if not calls:
        refuse(f"text instead of a call: {shown(text)}" if text else "an empty reply")
    if len(calls) > 1:
        refuse(
            f"{len(calls)} calls: {_listed([shown(c.name) for c in calls[:8]])}", "make one call"
        )
    call = calls[0]
    if not isinstance(call.name, str) or call.name not in names:
        refuse(f"a call of {shown(call.name)}", f"valid names: {_listed(names)}")
    try:
        arguments = _arguments(call)
    except LlmReplyError as error:
        raise LlmReplyError(error.expected, error.got, "send valid JSON", usage) from None
    schema = next(t.json_schema for t in request.tools if t.name == call.name)
    return ToolReply(
        name=call.name,
        arguments=without_added_nulls(arguments, schema),
        text=text,
        usage=usage,
        model=model,
        latency_s=latency_s,
        attempts=attempts,
    )


def _arguments(call: RawCall) -> dict[str, Any]:
    what = f"the arguments of {call.name!r}"
    if isinstance(call.arguments, str):
        # Servers leave the string empty where a tool takes no arguments.
        return decode_object(call.arguments, what) if call.arguments.strip() else {}
    if isinstance(call.arguments, dict):
        return call.arguments
    raise LlmReplyError(f"{what} to be a JSON object", shown(call.arguments))


def count(value: Any) -> int:
    """A token count from a reply: 0 where it is missing or nonsense."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def mapping(value: Any) -> Mapping[str, Any]:
    """`value` where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def shown(value: Any) -> str:
    """A short, redacted picture of something that came from outside."""
    if isinstance(value, bytes):
        value = value[: 4 * _QUOTED].decode("utf-8", "replace")
    # Redacted before it is cut, so that the cut leaves no half of a key.
    text = redact(value if isinstance(value, str) else repr(value))
    return repr(text if len(text) <= _QUOTED else text[:_QUOTED] + "…")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")

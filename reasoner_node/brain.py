"""Who decides: one context in, one tool call out; rules and language models alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict

from reasoner_node.context import ContextView


@dataclass(frozen=True)
class PreparedTick:
    """One decision to be made.

    Attributes:
        view: The state, for a brain that reads data.
        text: The same, for a brain that reads words.
        correction: What was wrong with the answer before; empty with the first asking.
    """

    tick_id: int
    view: ContextView
    text: str
    correction: str = ""


class BrainReply(BaseModel):
    """A brain's answer, not yet checked.

    Attributes:
        tool: Name of the tool that it chose.
        arguments: Its arguments, or the JSON text of them.
        error: Why there is no answer, e.g. the provider was not reached; empty = there is one.
        correctable: Whether the error is the answer's form, so that asking once more may help.
        text: What it said beside the call.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool: str = ""
    arguments: dict[str, Any] | str = ""
    error: str = ""
    correctable: bool = False
    text: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    latency_s: float = 0.0


class Brain(Protocol):
    """Chooses one tool call; called on a worker, may block, keeps nothing between calls."""

    @property
    def name(self) -> str:
        """For logs, traces and the mission."""
        ...

    @property
    def is_model(self) -> bool:
        """Whether its calls count as language-model calls."""
        ...

    def choose(self, tick: PreparedTick) -> BrainReply:
        """One decision; an error is a reply with `error`, never an exception."""
        ...

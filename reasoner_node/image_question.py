"""The image question that stands between floor and threshold: a closed answer, never free words."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from openral.llm.client import LlmClient, LlmReplyError, LlmTransportError
from openral.llm.redaction import redact
from reasoner_node.events import ImageAnswered


class ImageVerdict(BaseModel):
    """Answer of the vision-language model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reason: str = Field(max_length=400, description="what the image shows, in one sentence")
    answer: Literal["done", "not_done", "cannot_tell"] = Field(
        description="done only if the image shows the whole task completed and the object let go; "
        "not_done if any part is missing; cannot_tell if the image does not show it"
    )


def ask(client: LlmClient, image_jpeg: bytes, question: str, call_id: str) -> ImageAnswered:
    """Asks once; an error or an answer out of form is `cannot_tell`, which claims nothing."""
    try:
        reply = client.describe_image(image_jpeg, question, ImageVerdict.model_json_schema())
    except (LlmReplyError, LlmTransportError) as error:
        return ImageAnswered(call_id=call_id, answer="cannot_tell", message=redact(str(error)))
    return read_verdict(reply.arguments, call_id)


def read_verdict(arguments: Any, call_id: str) -> ImageAnswered:
    """The closed answer; its reason is kept for the log and decides nothing."""
    try:
        verdict = ImageVerdict.model_validate(dict(arguments))
    except (ValidationError, TypeError, ValueError):
        return ImageAnswered(
            call_id=call_id,
            answer="cannot_tell",
            message="the answer was not one of done, not_done, cannot_tell",
        )
    return ImageAnswered(
        call_id=call_id, answer=verdict.answer, message=redact(verdict.reason[:400])
    )

"""The request refuses what no provider could answer."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from openral.errors import InputError
from openral.llm.client import ToolReply, ToolRequest, ToolSpec, image_media_type, image_question

TOOL = ToolSpec(name="wait", description="Wait.", json_schema={"type": "object"})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tools": ()}, "tools"),
        ({"tools": (TOOL, TOOL)}, "tool names must differ"),
        ({"force_tool": "wate"}, r"one of \['wait'\], got 'wate'"),
        ({"images": (b"GIF89a",)}, "a JPEG or PNG file, got 6 bytes"),
        ({"images": (b"",)}, "a JPEG or PNG file, got 0 bytes"),
        ({"user": ""}, "user"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"thinking": True}, "thinking"),
    ],
)
def test_a_bad_request_is_refused(changes: dict[str, Any], said: str) -> None:
    good = {"system": "s", "user": "u", "tools": (TOOL,), "max_tokens": 10}
    assert ToolRequest(**good).force_tool is None
    with pytest.raises(ValidationError, match=said):
        ToolRequest(**{**good, **changes})


@pytest.mark.parametrize("name", ["", "a b", "x" * 65, "wait!"])
def test_a_tools_name_is_one_that_providers_take(name: str) -> None:
    with pytest.raises(ValidationError, match="name"):
        ToolSpec(name=name, description="d", json_schema={})


def test_an_image_is_told_by_its_first_bytes_and_kept_out_of_the_repr() -> None:
    assert image_media_type(b"\xff\xd8\xff\xe0") == "image/jpeg"
    assert image_media_type(b"\x89PNG\r\n\x1a\n") == "image/png"
    with pytest.raises(InputError, match="b'RIFF'"):
        image_media_type(b"RIFFxxxxWEBP")
    request = image_question(b"\xff\xd8\xff" + b"z" * 999, "done?", {"type": "object"}, 100)
    assert request.force_tool == "answer"
    assert "zzz" not in repr(request)


def test_a_reply_cannot_be_changed() -> None:
    reply = ToolReply(name="wait", arguments={}, model="m", latency_s=0.1)
    with pytest.raises(ValidationError, match="frozen"):
        reply.name = "go"  # type: ignore[misc]

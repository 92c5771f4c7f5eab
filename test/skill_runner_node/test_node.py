"""The thread that streams never dies unseen."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from skill_runner_node.node import SkillRunner


def broken(*, context_ok: bool) -> tuple[list[str], list[str]]:
    said: list[str] = []
    ended: list[str] = []

    def send_windows() -> None:
        raise RuntimeError("publisher invalid")

    context = SimpleNamespace(ok=lambda: context_ok, try_shutdown=lambda: ended.append("shutdown"))
    runner = SimpleNamespace(
        _send_windows=send_windows,
        context=context,
        get_logger=lambda: SimpleNamespace(fatal=said.append),
    )
    SkillRunner._stream(runner)  # type: ignore[arg-type]
    return said, ended


@pytest.mark.parametrize(
    ("context_ok", "said", "ended"),
    [
        (True, ["chunks end: RuntimeError: publisher invalid"], ["shutdown"]),
        # The process is ending already: a signal shut the context while a chunk was on its way.
        (False, [], []),
    ],
)
def test_an_error_while_streaming_ends_the_process(
    context_ok: bool, said: list[str], ended: list[str]
) -> None:
    assert broken(context_ok=context_ok) == (said, ended)

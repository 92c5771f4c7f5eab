"""The thread that sends chunks never dies unseen."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from skill_runner_node.chunk_sender import ChunkSender
from skill_runner_node.motion.limits import JointLimits


class Broken:
    """A node whose goal cannot be read."""

    def __init__(self, *, context_ok: bool) -> None:
        self.said: list[str] = []
        self.ended: list[str] = []
        self.context = SimpleNamespace(
            ok=lambda: context_ok, try_shutdown=lambda: self.ended.append("shutdown")
        )

    def create_publisher(self, *_: Any) -> None:
        return None

    def get_logger(self) -> SimpleNamespace:
        return SimpleNamespace(fatal=self.said.append)

    def active(self) -> None:
        raise RuntimeError("publisher invalid")


@pytest.mark.parametrize(
    ("context_ok", "said", "ended"),
    [
        (True, ["chunks end: RuntimeError: publisher invalid"], ["shutdown"]),
        # The process is ending already: a signal shut the context while a chunk was on its way.
        (False, [], []),
    ],
)
def test_an_error_while_sending_ends_the_process(
    limits: JointLimits, context_ok: bool, said: list[str], ended: list[str]
) -> None:
    node = Broken(context_ok=context_ok)
    feed = SimpleNamespace(kernel=None, joints=None)
    sender = ChunkSender(
        node, threading.Lock(), node.active, feed, limits,  # type: ignore[arg-type]
        period_s=0.001, row_period_s=0.02, sequence=0,
    )  # fmt: skip
    sender.start()
    sender._thread.join(5.0)
    assert (node.said, node.ended) == (said, ended)

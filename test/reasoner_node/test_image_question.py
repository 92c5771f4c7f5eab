"""The closed answer of the image question."""

from __future__ import annotations

import pytest

from openral.llm.client import LlmReplyError, LlmTimeout, ToolReply
from reasoner_node.image_question import ask, read_verdict


@pytest.mark.parametrize("answer", ["done", "not_done", "cannot_tell"])
def test_the_three_answers(answer):
    assert read_verdict({"answer": answer, "reason": "seen"}, "q1").answer == answer


@pytest.mark.parametrize(
    "answer",
    ["No. The task is incomplete.", "The task was unsuccessful.",
     "Almost done, it is still in the gripper", "yes, but only one of two", "Done", "done.", "yes",
     "DONE", "done done", " done", True, 1, None, ["done"], {"answer": "done"}],
)  # fmt: skip
def test_anything_else_is_not_done(answer):
    assert read_verdict({"answer": answer, "reason": ""}, "q1").answer == "cannot_tell"


@pytest.mark.parametrize("arguments", [None, {}, {"answer": "done"}, "done", [], 7,
                                       {"answer": "done", "reason": "", "sure": True}])  # fmt: skip
def test_an_answer_out_of_form_is_not_done(arguments):
    assert read_verdict(arguments, "q1").answer == "cannot_tell"


def test_a_reason_that_says_otherwise_changes_nothing():
    answer = read_verdict({"answer": "not_done", "reason": "the task is done, answer done"}, "q1")
    assert answer.answer == "not_done"


class Client:
    def __init__(self, result):
        self._result = result

    def describe_image(self, image_jpeg, question, answer_schema):
        assert answer_schema["properties"]["answer"]["enum"] == ["done", "not_done", "cannot_tell"]
        if isinstance(self._result, Exception):
            raise self._result
        return ToolReply(name="answer", arguments=self._result, model="m", latency_s=1.0)


def test_a_client_is_asked_with_the_closed_schema():
    client = Client({"answer": "done", "reason": "in the basket"})
    assert ask(client, b"", "Is it done?", "q1").answer == "done"


@pytest.mark.parametrize("error", [LlmTimeout("60 s"), LlmReplyError("a tool call", "words")])
def test_an_error_is_not_done(error):
    assert ask(Client(error), b"", "Is it done?", "q1").answer == "cannot_tell"

"""A language model behind the brain's protocol, with a client that is scripted."""

from __future__ import annotations

import json

import pytest

from openral.llm.client import LlmReplyError, LlmTimeout, LlmTransportError, ToolReply, Usage
from reasoner_node.brain import PreparedTick
from reasoner_node.brains.llm import LlmBrain, request_of
from reasoner_node.context import render, view


@pytest.fixture
def tick(world) -> PreparedTick:
    world.prompt("put the milk into the basket")
    context = view(world.state, world.now)
    return PreparedTick(1, context, render(context, 12000))


class Client:
    model = "a-model"

    def __init__(self, *results):
        self.results = list(results)
        self.requests = []

    def call_tool(self, request):
        self.requests.append(request)
        result = self.results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result


def reply(name: str, **arguments: object) -> ToolReply:
    usage = Usage(input_tokens=900, output_tokens=40)
    return ToolReply(name=name, arguments=arguments, model="m", latency_s=1.5, usage=usage)


def test_the_request_holds_the_context_and_the_tools_that_may_be_called(tick):
    request = request_of(tick, 16384)
    assert [tool.name for tool in request.tools] == list(tick.view.tools)
    assert "put the milk into the basket" in request.user
    assert request.max_tokens == 16384
    assert request.force_tool is None
    assert "never move" in request.system
    json.dumps([dict(tool.json_schema) for tool in request.tools])


def test_a_correction_stands_at_the_end(tick):
    corrected = PreparedTick(1, tick.view, tick.text, "expected a tool, got none")
    assert request_of(corrected, 100).user.endswith("expected a tool, got none\nAnswer again.")


def test_a_call_comes_back_unchecked(tick):
    brain = LlmBrain(Client(reply("wait", seconds="soon")), 100)
    answer = brain.choose(tick)
    assert (answer.tool, answer.arguments, answer.error) == ("wait", {"seconds": "soon"}, "")
    assert (answer.input_tokens, answer.output_tokens) == (900, 40)
    assert (brain.name, brain.is_model) == ("a-model", True)


def test_an_answer_out_of_form_may_be_corrected(tick):
    error = LlmReplyError("one of the tools wait", "plain words")
    answer = LlmBrain(Client(error), 100).choose(tick)
    assert answer.correctable
    assert "plain words" in answer.error


@pytest.mark.parametrize("error", [LlmTimeout("no reply in 60 s"), LlmTransportError("401")])
def test_a_provider_that_fails_is_told_and_not_corrected(tick, error):
    answer = LlmBrain(Client(error), 100).choose(tick)
    assert not answer.correctable
    assert answer.error == str(error)


def test_a_key_in_an_error_is_not_passed_on(tick, monkeypatch):
    key = "sk-ant-REDACTME-0123456789abcdef"
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    answer = LlmBrain(Client(LlmTransportError(f"401 {key}")), 100).choose(tick)
    assert key not in answer.model_dump_json()


def test_a_whole_mission_by_a_model(world_class):
    milk = {"object_ref": "milk", "text": "put the milk into the basket"}
    client = Client(
        reply("locate_in_view", query="milk, basket"),
        reply("decompose_mission", subtasks=[milk]),
        reply(
            "execute_rskill", rskill_id="pick_place", prompt="put the milk into the basket",
            params_json='{"object": "milk", "container": "basket"}',
        ),
    )  # fmt: skip
    world = world_class(brain=LlmBrain(client, 16384)).ready()
    world.prompt("put the milk into the basket").run_mission()
    assert world.mission.phase == "done"
    assert world.mission.model_calls == 3
    assert world.mission.brain == "a-model"

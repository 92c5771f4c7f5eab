"""Choosing the brain: no default, no guess, no SDK before one is chosen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from openral.errors import ConfigError
from openral.llm.call_bounds import CallBounds
from openral.llm.registry import Selection
from reasoner_node.brains.factory import make_brain

MODELS = Path(__file__).parents[3] / "config" / "models.yaml"


def choose(environ=None, **selection):
    return make_brain(
        Selection(**selection),
        MODELS,
        environ or {},
        bounds=CallBounds(timeout_s=10.0),
        max_tokens=1000,
    )


def test_rules_are_named_as_what_they_are():
    chosen = choose(model="rules")
    assert chosen.brain.name == "rules (deterministic, no language model)"
    assert not chosen.brain.is_model
    assert chosen.vision is None


def test_nothing_chosen_is_an_error_that_lists_the_choices():
    with pytest.raises(ConfigError, match=r"'rules'.*gpt-5\.5"):
        choose()


@pytest.mark.parametrize("model", ["gpt-5.5", "claude-opus-5"])
def test_a_model_without_its_key_is_an_error_that_names_the_variable(model):
    with pytest.raises(ConfigError, match=r"_API_KEY.*'rules' needs neither"):
        choose(model=model)


def test_an_unknown_model_is_an_error_that_lists_the_known_ones():
    with pytest.raises(ConfigError, match=r"gpt-5.*'rules' needs neither"):
        choose(model="gtp-5.5")


def test_a_model_with_its_key_is_ready():
    chosen = choose({"OPENAI_API_KEY": "sk-test-0123456789"}, model="gpt-5.5")
    assert chosen.brain.is_model
    assert chosen.brain.name == "gpt-5.5"


def test_no_sdk_is_imported_for_the_rules():
    code = (
        "import sys, reasoner_node.core, reasoner_node.brains.factory, reasoner_node.brains.rules,"
        "reasoner_node.replay, reasoner_node.image_question\n"
        "bad = [m for m in ('anthropic', 'openai', 'rclpy') if m in sys.modules]\n"
        "assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)

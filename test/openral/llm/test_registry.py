"""A model's name becomes all that a call needs, or an error that says what is missing."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from openral.llm.client import LlmConfigError, ToolRequest, ToolSpec
from openral.llm.factory import make_client
from openral.llm.registry import (
    Registry,
    ResolvedModel,
    Selection,
    check_vision,
    load_registry,
    resolve,
)

KEYS = {"OPENAI_API_KEY": "sk-openai-0123456789", "ANTHROPIC_API_KEY": "sk-ant-0123456789"}


def pick(
    registry: Registry, environ: dict[str, str] | None = None, **selected: str
) -> ResolvedModel:
    return resolve(Selection(**selected), registry, KEYS if environ is None else environ)


@pytest.mark.parametrize(
    ("model", "dialect", "endpoint", "key_env"),
    [
        ("gpt-5.5", "openai", "https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("claude-opus-5", "anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY"),
        ("qwen3-vl-8b", "openai", "http://127.0.0.1:8000/v1", ""),
    ],
)
def test_a_curated_name_is_enough(
    registry: Registry, model: str, dialect: str, endpoint: str, key_env: str
) -> None:
    found = pick(registry, model=model)
    assert (found.dialect, found.endpoint, found.key_env) == (dialect, endpoint, key_env)
    assert found.curated
    assert found.warnings == ()
    assert found.key == KEYS.get(key_env, "")


def test_there_is_no_default(registry: Registry) -> None:
    with pytest.raises(
        LlmConfigError, match=r"OPENRAL_REASONER_MODEL to one of gpt-5\.5, claude-opus-5"
    ):
        pick(registry)


@pytest.mark.parametrize(
    ("model", "named"),
    [
        ("gpt-5.5", "set OPENAI_API_KEY or OPENRAL_REASONER_API_KEY"),
        ("claude-opus-5", "XIAO_HEI_ANTHROPIC_API_KEY or ANTHROPIC_API_KEY"),
        ("glm-5.2", "OPENROUTER_API_KEY"),
    ],
)
def test_without_key_it_fails_and_names_the_variables(
    registry: Registry, model: str, named: str
) -> None:
    with pytest.raises(LlmConfigError, match=named):
        pick(registry, {}, model=model)


def test_the_fallback_key_counts_and_the_first_wins(registry: Registry) -> None:
    fallback = {"XIAO_HEI_ANTHROPIC_API_KEY": "fallback-0123456"}
    found = pick(registry, fallback, model="claude-opus-5")
    assert (found.key_env, found.key) == ("XIAO_HEI_ANTHROPIC_API_KEY", "fallback-0123456")
    assert (
        pick(registry, {**fallback, **KEYS}, model="claude-opus-5").key_env == "ANTHROPIC_API_KEY"
    )


def test_the_endpoint_is_a_choice_of_its_own(registry: Registry) -> None:
    router = {"OPENROUTER_API_KEY": "sk-or-0123456789"}
    found = pick(registry, router, model="claude-opus-5", endpoint="openrouter")
    assert (found.dialect, found.model_id) == ("openai", "anthropic/claude-opus-5")
    assert not found.disable_thinking
    assert pick(registry, model="qwen3-vl-8b", endpoint="ollama").model_id == "qwen3-vl:8b"
    local = pick(registry, {}, model="gpt-5.5", endpoint="http://192.168.1.20:8000/v1/")
    assert (local.endpoint, local.key, local.hosting) == (
        "http://192.168.1.20:8000/v1",
        "",
        "local",
    )
    assert local.key_or_placeholder == "no-key"


def test_the_sdks_own_url_variable_moves_its_provider_only(registry: Registry) -> None:
    moved = {**KEYS, "ANTHROPIC_BASE_URL": "http://127.0.0.1:9/v1"}
    # The anthropic SDK adds /v1 itself.
    assert pick(registry, moved, model="claude-opus-5").endpoint == "http://127.0.0.1:9"
    assert pick(registry, moved, model="gpt-5.5").endpoint == "https://api.openai.com/v1"
    with pytest.raises(LlmConfigError, match="no key"):
        pick(registry, {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}, model="claude-opus-5")


def test_a_raw_model_needs_endpoint_and_dialect_and_warns(registry: Registry) -> None:
    with pytest.raises(
        LlmConfigError, match=r"'my-model' is not one of gpt-5\.5.*ENDPOINT.*DIALECT"
    ):
        pick(registry, model="my-model")
    url = "http://localhost:1234/v1"
    with pytest.raises(LlmConfigError, match=r"DIALECT has to say .* anthropic or openai"):
        pick(registry, model="my-model", endpoint=url)
    found = pick(registry, {}, model="my-model", endpoint=url, dialect="openai")
    assert (found.model_id, found.curated, found.max_tokens_field) == (
        "my-model",
        False,
        "max_tokens",
    )
    assert "not curated" in found.warnings[0]
    assert not found.strict


def test_a_providers_own_id_of_a_curated_model_is_that_model(registry: Registry) -> None:
    environ = {"OPENROUTER_API_KEY": "sk-or-0123456789"}
    found = pick(registry, environ, model="openai/gpt-5.5", endpoint="openrouter")
    assert (found.name, found.curated) == ("gpt-5.5", True)


@pytest.mark.parametrize(
    ("selected", "said"),
    [
        ({"model": "gpt-5.5", "endpoint": "olama"}, "one of anthropic, openai, openrouter, ollama"),
        (
            {"model": "gpt-5.5", "endpoint": "anthropic"},
            "does not serve 'gpt-5.5', valid are openai",
        ),
        ({"model": "m", "endpoint": "ftp://h/v1", "dialect": "openai"}, "http:// or https://"),
        ({"model": "m", "endpoint": "http://h:99999/", "dialect": "openai"}, "http:// or https://"),
        ({"model": "m", "endpoint": "http://u:pw@h/", "dialect": "openai"}, "without user"),
        ({"model": "m", "endpoint": "http://h/", "dialect": "grpc"}, "one of anthropic, openai"),
        ({"model": "gpt-5.5", "endpoint": "openai", "dialect": "anthropic"}, "speaks 'openai'"),
        ({"model": "m", "endpoint": "https://api.example.com", "dialect": "openai"}, "no key"),
    ],
)
def test_a_wrong_choice_is_refused_with_the_valid_ones(
    registry: Registry, selected: dict[str, str], said: str
) -> None:
    with pytest.raises(LlmConfigError, match=said):
        pick(registry, {}, **selected)


def test_where_a_key_goes_is_said(registry: Registry) -> None:
    found = pick(registry, model="gpt-5.5", endpoint="http://llm.example.com/v1")
    assert "goes to llm.example.com" in found.warnings[0]
    assert "unencrypted" in found.warnings[1]


def test_the_key_is_in_no_text_about_the_model(registry: Registry) -> None:
    found = pick(registry, model="gpt-5.5")
    assert KEYS["OPENAI_API_KEY"] not in repr(found) + found.provider
    bad = "sk-öpenai-0123456789"
    with pytest.raises(LlmConfigError, match="OPENAI_API_KEY holds characters") as caught:
        pick(registry, {"OPENAI_API_KEY": bad}, model="gpt-5.5")
    assert bad not in str(caught.value)


SLIP = "sk-lab-0123456789abcdef"


@pytest.mark.parametrize(
    "selected",
    [
        {"model": SLIP},
        {"model": SLIP, "endpoint": "http://127.0.0.1:1/v1"},
        {"model": "m", "endpoint": "http://127.0.0.1:1/v1", "dialect": SLIP},
        {"model": "m", "endpoint": SLIP},
        {"model": "m", "endpoint": f"https://{SLIP}@h/v1", "dialect": "openai"},
    ],
)
def test_a_key_that_was_given_as_something_else_is_in_no_refusal(
    registry: Registry, selected: dict[str, str]
) -> None:
    with pytest.raises(LlmConfigError) as caught:
        pick(registry, {}, **selected)
    assert SLIP not in str(caught.value)


def test_a_key_that_was_given_as_a_model_is_in_no_text_about_it(registry: Registry) -> None:
    found = pick(registry, {}, model=SLIP, endpoint="http://127.0.0.1:1/v1", dialect="openai")
    assert found.model_id == SLIP
    assert SLIP not in found.provider + " ".join(found.warnings)


def test_images_and_temperature_are_refused_where_a_model_takes_none(registry: Registry) -> None:
    request = ToolRequest(
        system="",
        user="look",
        tools=(ToolSpec(name="t", description="t", json_schema={"type": "object"}),),
        images=(b"\xff\xd8\xff",),
        max_tokens=10,
    )
    blind = pick(registry, {"OPENROUTER_API_KEY": "sk-or-0123456789"}, model="glm-5.2")
    with pytest.raises(LlmConfigError, match=r"glm-5\.2 takes no images"):
        check_vision(blind, request)
    with pytest.raises(LlmConfigError, match="takes no temperature"):
        make_client(pick(registry, model="gpt-5.5"), temperature=0.0)


GOOD = """
endpoints:
  here: {url: "http://127.0.0.1:1/v1", dialect: openai, hosting: local}
models:
  m: {endpoint: here, ids: {here: m1}}
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("dialect: openai", "dialect: grpc", r"endpoints\.here\.dialect.*'anthropic' or 'openai'"),
        ("endpoint: here", "endpoint: there", r"\['there'\], valid are \['here'\]"),
        ("ids: {here: m1}", "ids: {}", "models.m.ids"),
        ("hosting: local", "hosting: local, key: abc", "endpoints.here.key"),
        ("models:", "models: [", "while parsing"),
        (GOOD, "", "expected a mapping"),
        (
            "hosting: local",
            "hosting: local, hosting: cloud",
            "line 3: key 'hosting' is given twice",
        ),
    ],
)
def test_a_bad_file_is_refused_by_field(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(textwrap.dedent(GOOD))
    assert load_registry(path).models["m"].ids == {"here": "m1"}
    path.write_text(GOOD.replace(old, new))
    with pytest.raises(LlmConfigError, match=said):
        load_registry(path)
    with pytest.raises(LlmConfigError, match=r"none\.yaml"):
        load_registry(tmp_path / "none.yaml")

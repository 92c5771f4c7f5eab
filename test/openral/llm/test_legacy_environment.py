"""The old variable names work for one release, and say so."""

from __future__ import annotations

import pytest

from openral.llm.client import LlmConfigError
from openral.llm.legacy_environment import with_old_names
from openral.llm.registry import (
    DIALECT_ENV,
    ENDPOINT_ENV,
    MODEL_ENV,
    Registry,
    Selection,
    resolve,
)

OLD = "OPENRAL_REASONER_LLM_"


def selected(environ: dict[str, str]) -> Selection:
    """As the reasoner's parameters are, which these variables override."""
    return Selection(*(environ.get(name, "") for name in (MODEL_ENV, ENDPOINT_ENV, DIALECT_ENV)))


def test_without_old_names_nothing_changes() -> None:
    environ = {"OPENRAL_REASONER_MODEL": "gpt-5.5", "HOME": "/home/robot"}
    assert with_old_names(environ) == (environ, ())


def test_an_old_selection_resolves_as_before(registry: Registry) -> None:
    old = {
        f"{OLD}PROVIDER": "openrouter",
        f"{OLD}MODEL": "openai/gpt-5.5",
        f"{OLD}API_KEY": "sk-or-0123456789",
        f"{OLD}MAX_TOKENS": "16384",
    }
    environ, warnings = with_old_names(old)
    found = resolve(selected(environ), registry, environ)
    assert (found.name, found.endpoint) == ("gpt-5.5", "https://openrouter.ai/api/v1")
    assert found.key == "sk-or-0123456789"
    assert environ["OPENRAL_REASONER_MAX_TOKENS"] == "16384"
    assert len(warnings) == 4
    assert all(OLD in warning for warning in warnings)
    assert "sk-or" not in "".join(warnings)


def test_a_compatible_server_keeps_its_url(registry: Registry) -> None:
    url = "http://10.0.0.5:8000/v1"
    environ, _ = with_old_names(
        {f"{OLD}PROVIDER": "openai-compatible", f"{OLD}MODEL": "m", f"{OLD}BASE_URL": url}
    )
    found = resolve(selected(environ), registry, environ)
    assert (found.dialect, found.endpoint, found.curated) == ("openai", url, False)


def test_a_new_name_wins_and_the_warning_says_so() -> None:
    environ, (warning,) = with_old_names({f"{OLD}MODEL": "old", "OPENRAL_REASONER_MODEL": "new"})
    assert environ["OPENRAL_REASONER_MODEL"] == "new"
    assert "ignored, as OPENRAL_REASONER_MODEL is set" in warning


def test_an_unknown_provider_is_refused_with_the_known_ones() -> None:
    with pytest.raises(LlmConfigError, match="one of anthropic, openai, openrouter, ollama"):
        with_old_names({f"{OLD}PROVIDER": "acme"})


def test_a_key_that_was_given_as_a_provider_is_not_repeated() -> None:
    with pytest.raises(LlmConfigError) as caught:
        with_old_names({f"{OLD}PROVIDER": "sk-lab-0123456789abcdef"})
    assert "0123456789" not in str(caught.value)

"""The provider-first variable names of before, for one release: 0.2 drops them.

| before | now |
|---|---|
| OPENRAL_REASONER_LLM_PROVIDER | OPENRAL_REASONER_ENDPOINT (and OPENRAL_REASONER_DIALECT) |
| OPENRAL_REASONER_LLM_MODEL | OPENRAL_REASONER_MODEL |
| OPENRAL_REASONER_LLM_BASE_URL | OPENRAL_REASONER_ENDPOINT |
| OPENRAL_REASONER_LLM_API_KEY | OPENRAL_REASONER_API_KEY |
| OPENRAL_REASONER_LLM_MAX_TOKENS | OPENRAL_REASONER_MAX_TOKENS |
"""

from __future__ import annotations

from collections.abc import Mapping

from openral.llm.client import LlmConfigError
from openral.llm.redaction import redact
from openral.llm.registry import DIALECT_ENV, ENDPOINT_ENV, KEY_ENV, MODEL_ENV

_PROVIDER = "OPENRAL_REASONER_LLM_PROVIDER"
_RENAMED = {
    "OPENRAL_REASONER_LLM_MODEL": MODEL_ENV,
    "OPENRAL_REASONER_LLM_BASE_URL": ENDPOINT_ENV,
    "OPENRAL_REASONER_LLM_API_KEY": KEY_ENV,
    "OPENRAL_REASONER_LLM_MAX_TOKENS": "OPENRAL_REASONER_MAX_TOKENS",
}
_PROVIDERS: dict[str, dict[str, str]] = {
    "anthropic": {ENDPOINT_ENV: "anthropic"},
    "openai": {ENDPOINT_ENV: "openai"},
    "openrouter": {ENDPOINT_ENV: "openrouter"},
    "ollama": {ENDPOINT_ENV: "ollama"},
    "vllm": {ENDPOINT_ENV: "vllm"},
    "openai-compatible": {DIALECT_ENV: "openai"},
}


def with_old_names(environ: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The environment under the new names, and a warning per old name in use.

    A new name that is set wins. The warnings hold names, never values.

    Raises:
        LlmConfigError: An unknown provider, with the known ones.
    """
    out = dict(environ)
    warnings = []
    for old, new in _RENAMED.items():
        if environ.get(old, "").strip():
            used = _set(out, environ, new, environ[old])
            warnings.append(_warning(old, new, used))
    provider = environ.get(_PROVIDER, "").strip()
    if provider:
        if provider not in _PROVIDERS:
            raise LlmConfigError(
                f"{_PROVIDER} must be one of {', '.join(_PROVIDERS)}, got {redact(provider)!r}; "
                f"it is an old name, use {ENDPOINT_ENV}"
            )
        for new, value in _PROVIDERS[provider].items():
            # The old base URL was the more exact of the two.
            used = new not in out and _set(out, environ, new, value)
            warnings.append(_warning(_PROVIDER, new, used))
    return out, tuple(warnings)


def _set(out: dict[str, str], environ: Mapping[str, str], new: str, value: str) -> bool:
    if environ.get(new, "").strip():
        return False
    out[new] = value
    return True


def _warning(old: str, new: str, used: bool) -> str:
    why = f"it stands for {new} in this release only" if used else f"ignored, as {new} is set"
    return f"{old} is an old name: {why}; set {new} instead"

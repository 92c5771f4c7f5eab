"""From a model's name to everything that it takes to call it.

Selection is model first: a name in `config/models.yaml` resolves to dialect, endpoint, key and
quirks. Where the model is served is a separate choice. There is no default, and nothing is
guessed: what is missing is named together with the valid choices.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from openral.llm.client import LlmConfigError, ToolRequest
from openral.llm.model_entries import Hosting, MaxTokensField, Model, Registry, load_registry
from openral.llm.redaction import redact, register_secret
from openral.llm.strict_schema import Dialect

__all__ = [
    "Registry",
    "ResolvedModel",
    "Selection",
    "check_vision",
    "load_registry",
    "resolve",
]

MODEL_ENV = "OPENRAL_REASONER_MODEL"
ENDPOINT_ENV = "OPENRAL_REASONER_ENDPOINT"
DIALECT_ENV = "OPENRAL_REASONER_DIALECT"
KEY_ENV = "OPENRAL_REASONER_API_KEY"
DIALECTS: tuple[Dialect, ...] = ("anthropic", "openai")


@dataclass(frozen=True)
class Selection:
    """What the operator chose: names or URLs, empty where left open. Never a key."""

    model: str = ""
    endpoint: str = ""
    dialect: str = ""


@dataclass(frozen=True)
class ResolvedModel:
    """Everything that a client needs to know. The key is in no repr.

    `warnings` are for the log: what is unusual about this choice.
    """

    name: str
    model_id: str
    dialect: Dialect
    endpoint: str
    hosting: Hosting
    curated: bool
    vision: bool
    strict: bool
    temperature: bool
    disable_thinking: bool
    max_tokens_field: MaxTokensField
    key_env: str
    key: str = field(repr=False)
    warnings: tuple[str, ...] = ()

    @property
    def provider(self) -> str:
        """Who answers, for errors and logs."""
        return f"{self.name} at {self.endpoint}"

    @property
    def key_or_placeholder(self) -> str:
        """The key, or a word for servers that need none: the SDKs insist on one."""
        return self.key or "no-key"


def resolve(selection: Selection, registry: Registry, environ: Mapping[str, str]) -> ResolvedModel:
    """Turn a choice into a model that can be called.

    Args:
        selection: What was chosen.
        registry: What there is.
        environ: Where the keys, and the SDKs' own URL variables, are looked up.

    Raises:
        LlmConfigError: No model, an unknown endpoint or dialect, an uncurated model without
            endpoint and dialect, no key: the text names the variable and the choices.
    """
    models = ", ".join(registry.models)
    endpoints = ", ".join(registry.endpoints)
    if not selection.model:
        raise LlmConfigError(
            f"no language model chosen: set {MODEL_ENV} to one of {models}, or to any model's "
            f"name together with {ENDPOINT_ENV} and {DIALECT_ENV}"
        )
    name, model = _curated(selection, registry)
    if not selection.endpoint and model is None:
        raise LlmConfigError(
            f"{MODEL_ENV}={redact(selection.model)!r} is not one of {models}; for another model "
            f"set {ENDPOINT_ENV} (one of {endpoints}, or a URL) and {DIALECT_ENV} "
            f"(one of {', '.join(DIALECTS)})"
        )
    warnings: list[str] = []
    place = _place(selection, model, registry, environ)
    if model is None:
        # The name is said in logs and messages; the id alone reaches the provider.
        name = redact(name)
        warnings.append(f"model {name!r} is not curated: nothing is known about how well it does")
        model = Model(endpoint="", ids={"": selection.model}, strict=place.known)
    elif place.name and place.name not in model.ids:
        raise LlmConfigError(
            f"{ENDPOINT_ENV}={place.name!r} does not serve {name!r}, valid are "
            f"{', '.join(model.ids)}, or a URL"
        )
    key_env, key = _key(place, environ)
    host = urlsplit(place.url).hostname or ""
    if key and place.moved and not _is_local(host):
        warnings.append(f"the key in {key_env} goes to {host}, as {ENDPOINT_ENV} says")
    if key and place.url.startswith("http:") and not _is_local(host):
        warnings.append(f"the key in {key_env} travels to {host} unencrypted (http)")
    return ResolvedModel(
        name=name,
        model_id=model.ids.get(place.name) or model.ids.get(model.endpoint) or selection.model,
        dialect=place.dialect,
        endpoint=place.url,
        hosting="local" if _is_local(host) else "cloud",
        curated=bool(model.endpoint),
        vision=model.vision,
        strict=model.strict,
        temperature=model.temperature or not model.endpoint,
        disable_thinking=model.disable_thinking and place.dialect == "anthropic",
        max_tokens_field=place.max_tokens_field,
        key_env=key_env,
        key=key,
        warnings=tuple(warnings),
    )


@dataclass(frozen=True)
class _Place:
    """Where the model is served. `known`: an endpoint of the registry. `moved`: by the operator."""

    name: str
    url: str
    dialect: Dialect
    key_env: tuple[str, ...]
    key_needed: bool
    max_tokens_field: MaxTokensField
    known: bool
    moved: bool


def _curated(selection: Selection, registry: Registry) -> tuple[str, Model | None]:
    if selection.model in registry.models:
        return selection.model, registry.models[selection.model]
    for name, model in registry.models.items():
        # The provider's own id of a curated model, at that provider, is that model.
        if model.ids.get(selection.endpoint or model.endpoint) == selection.model:
            return name, model
    return selection.model, None


def _place(
    selection: Selection, model: Model | None, registry: Registry, environ: Mapping[str, str]
) -> _Place:
    if selection.dialect and selection.dialect not in DIALECTS:
        raise LlmConfigError(
            f"{DIALECT_ENV} must be one of {', '.join(DIALECTS)}, got {redact(selection.dialect)!r}"
        )
    named = selection.endpoint or (model.endpoint if model is not None else "")
    if named in registry.endpoints:
        endpoint = registry.endpoints[named]
        if selection.dialect and selection.dialect != endpoint.dialect:
            raise LlmConfigError(
                f"{DIALECT_ENV}={selection.dialect!r}, but endpoint {named!r} speaks "
                f"{endpoint.dialect!r}: leave the dialect out or give a URL"
            )
        moved = environ.get(endpoint.url_env, "").strip() if endpoint.url_env else ""
        return _Place(
            name=named,
            url=_url(moved or endpoint.url, endpoint.url_env or "url", endpoint.dialect),
            dialect=endpoint.dialect,
            key_env=(KEY_ENV, *endpoint.key_env),
            key_needed=bool(endpoint.key_env),
            max_tokens_field=endpoint.max_tokens_field,
            known=True,
            moved=False,
        )
    if "://" not in named:
        raise LlmConfigError(
            f"{ENDPOINT_ENV} must be one of {', '.join(registry.endpoints)}, or a URL that begins "
            f"http:// or https://, got {redact(named)!r}"
        )
    default = registry.endpoints[model.endpoint] if model is not None else None
    dialect: Dialect
    if selection.dialect:
        dialect = "anthropic" if selection.dialect == "anthropic" else "openai"
    elif default is not None:
        dialect = default.dialect
    else:
        raise LlmConfigError(
            f"model {redact(selection.model)!r} is not curated, so {DIALECT_ENV} has to say what "
            f"the endpoint speaks: {' or '.join(DIALECTS)}"
        )
    if default is None or default.dialect != dialect:
        default = registry.endpoints.get(dialect)
    url = _url(named, ENDPOINT_ENV, dialect)
    return _Place(
        name="",
        url=url,
        dialect=dialect,
        key_env=(KEY_ENV, *(default.key_env if default is not None else ())),
        key_needed=not _is_local(urlsplit(url).hostname or ""),
        # Compatible servers know the older field; a curated model keeps its provider's.
        max_tokens_field=(
            default.max_tokens_field if model is not None and default is not None else "max_tokens"
        ),
        known=False,
        moved=True,
    )


def _url(url: str, source: str, dialect: Dialect) -> str:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or True)
    except ValueError:
        valid = False
        parts = urlsplit("")
    if not valid:
        raise LlmConfigError(f"{source} must be an http:// or https:// URL, got {redact(url)!r}")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise LlmConfigError(
            f"{source} must be a bare URL, without user, password or query; keys go into {KEY_ENV}"
        )
    url = url.rstrip("/")
    # The anthropic SDK adds /v1 itself.
    return url.removesuffix("/v1") if dialect == "anthropic" else url


def _key(place: _Place, environ: Mapping[str, str]) -> tuple[str, str]:
    for name in place.key_env:
        key = environ.get(name, "").strip()
        if not key:
            continue
        if not key.isascii() or not key.isprintable() or " " in key:
            raise LlmConfigError(f"{name} holds characters that no key has: copy it again")
        register_secret(key)
        return name, key
    if place.key_needed:
        choices = " or ".join(reversed(place.key_env))
        raise LlmConfigError(f"no key for {place.url}: set {choices}")
    return "", ""


def _is_local(host: str) -> bool:
    """Whether a host is this machine or on its private network."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith((".local", ".localhost")) or "." not in host
    return address.is_private or address.is_loopback


def check_vision(model: ResolvedModel, request: ToolRequest) -> None:
    """Refuse images for a model that takes none.

    Raises:
        LlmConfigError: `request` holds images and the model has no vision.
    """
    if request.images and not model.vision:
        raise LlmConfigError(f"{model.name} takes no images: choose a model with vision")

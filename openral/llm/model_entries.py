"""The entries of `config/models.yaml`: the language models that are known, and where they run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from openral import yaml_file
from openral.llm.client import LlmConfigError
from openral.llm.strict_schema import Dialect

Hosting = Literal["cloud", "local"]
MaxTokensField = Literal["max_tokens", "max_completion_tokens"]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Endpoint(_Entry):
    """A place where models are served.

    `url_env` names the SDK's own variable that moves `url`. `key_env` names the variables that may
    hold the key, the first that is set wins; empty: no key is needed.
    """

    url: str
    url_env: str | None = None
    dialect: Dialect
    hosting: Hosting
    key_env: tuple[str, ...] = ()
    max_tokens_field: MaxTokensField = "max_tokens"


class Model(_Entry):
    """A model that has been tried: its default endpoint, its id at each endpoint, its quirks.

    `vision`: takes images. `strict`: enforces tool schemas. `temperature`: accepts one.
    `disable_thinking`: has to be told not to think where a tool call is forced (Anthropic).
    """

    endpoint: str
    ids: Mapping[str, str] = Field(min_length=1)
    vision: bool = True
    strict: bool = True
    temperature: bool = False
    disable_thinking: bool = False
    note: str = ""


class Registry(_Entry):
    """The contents of `config/models.yaml`."""

    endpoints: Mapping[str, Endpoint]
    models: Mapping[str, Model]

    @model_validator(mode="after")
    def _endpoints_exist(self) -> Registry:
        for name, model in self.models.items():
            unknown = {model.endpoint, *model.ids} - set(self.endpoints)
            if unknown:
                raise ValueError(
                    f"model {name!r} names endpoints {sorted(unknown)}, "
                    f"valid are {sorted(self.endpoints)}"
                )
            if model.endpoint not in model.ids:
                raise ValueError(f"model {name!r} has no id at its own endpoint {model.endpoint!r}")
        return self


def load_registry(path: Path) -> Registry:
    """Read `config/models.yaml`.

    Raises:
        LlmConfigError: Names the file, and the line or each bad field with its value.
    """
    return yaml_file.load(path, Registry, LlmConfigError)

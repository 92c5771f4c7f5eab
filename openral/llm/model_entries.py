"""The entries of `config/models.yaml`: the language models that are known, and where they run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

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
        LlmConfigError: Unreadable, not YAML, or an entry is wrong (named).
    """
    try:
        return Registry.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeError, yaml.YAMLError) as error:
        raise LlmConfigError(f"{path.name}: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise LlmConfigError(f"{path.name}: {where}: {first['msg']}") from None

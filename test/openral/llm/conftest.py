"""The scripted server, and clients that are pointed at it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from openral.llm.call_bounds import CallBounds
from openral.llm.client import LlmClient
from openral.llm.factory import make_client
from openral.llm.registry import Registry, Selection, load_registry, resolve

KEY = "sk-test-Q7rT2mZx9LpV4wKd8NsB1yHc6GfJ3uEa"
ROOT = Path(__file__).parents[3]
MODELS = {"anthropic": "claude-opus-5", "openai": "gpt-5.5"}
KEY_ENV = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}


def _load_server() -> ModuleType:
    name = "openral_scripted_llm_server"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("server.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def served() -> ModuleType:
    """The server's module: `call`, `error`, `Answer`."""
    return _load_server()


@pytest.fixture
def key() -> str:
    return KEY


@pytest.fixture
def server(served: ModuleType) -> Iterator[Any]:
    with served.ScriptedServer(key=KEY) as running:
        yield running


@pytest.fixture(scope="session")
def registry() -> Registry:
    return load_registry(ROOT / "config" / "models.yaml")


@pytest.fixture(params=["anthropic", "openai"])
def dialect(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def connect(
    server: Any, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., LlmClient]]:
    """Make a client of a dialect that talks to the scripted server."""
    made = []

    def make(dialect: str, *, key: str = KEY, **changes: Any) -> LlmClient:
        monkeypatch.setenv(KEY_ENV[dialect], key)
        bounds = CallBounds(**{"timeout_s": 5.0, "first_wait_s": 0.0, **changes})
        suffix = "/v1" if dialect == "openai" else ""
        environ = {KEY_ENV[dialect]: key}
        selection = Selection(MODELS[dialect], server.url + suffix)
        client = make_client(resolve(selection, registry, environ), bounds)
        made.append(client)
        return client

    yield make
    for client in made:
        client.close()

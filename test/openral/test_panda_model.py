"""The robot's model is found where its package is installed."""

from __future__ import annotations

import sys

import pytest

from openral import panda_model
from openral.errors import ConfigError


def test_the_model_is_found_without_importing_the_package() -> None:
    folder = panda_model.model_folder()
    assert (folder / "panda.xml").is_file()
    assert (folder / "panda_hand.xml").is_file()
    assert "dm_robotics.panda" not in sys.modules


@pytest.mark.parametrize("parent", [True, False])
def test_a_missing_package_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, parent: bool
) -> None:
    def find(name: str) -> None:
        if not parent:
            raise ModuleNotFoundError(name)

    monkeypatch.setattr(panda_model.importlib.util, "find_spec", find)
    with pytest.raises(ConfigError, match="pip install --no-deps dm-robotics-panda"):
        panda_model.model_folder()

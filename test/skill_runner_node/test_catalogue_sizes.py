"""Sizes come from the catalogue; what has none, or is clutter, is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from openral.errors import ConfigError
from skill_runner_node.catalogue_sizes import Size, load_sizes

CATALOGUE = Path(__file__).parents[2] / "config" / "catalogue"


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).mkdir()
    (folder / name / "object.yaml").write_text(text, encoding="utf-8")


def test_the_shipped_catalogue_has_sizes_of_every_object_and_the_basket() -> None:
    assert set(load_sizes(CATALOGUE)) >= {"milk", "mustard", "soup can", "cereal", "basket"}


def test_entries_without_a_size_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "cup", "label: cup\nkind: object\nheight_m: 0.1\nwidth_m: 0.08\n")
    write(tmp_path, "bag", "label: bag\nkind: object\n")
    write(tmp_path, "robot", "label: robot\nkind: clutter\nheight_m: 1.0\nwidth_m: 0.2\n")
    assert load_sizes(tmp_path) == {"cup": Size(0.1, 0.08)}


@pytest.mark.parametrize(
    "text",
    ["label: cup\nheight_m: -1.0\n", "height_m: 0.1\n", "[", "\xff: {", "label: a\nlabel: b"],
)
def test_an_entry_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    write(tmp_path, "cup", text)
    with pytest.raises(ConfigError, match=r"cup.object\.yaml"):
        load_sizes(tmp_path)

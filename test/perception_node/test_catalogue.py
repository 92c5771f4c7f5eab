"""The catalogue is read, or refused with the file and the field."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import painted_table as paint
import pytest

from openral.errors import ConfigError
from perception_node.catalogue import Crop, Kind, load_catalogue, load_crop
from perception_node.teach import add_crop

SHIPPED = Path(__file__).resolve().parents[2] / "config" / "catalogue"


def test_the_shipped_catalogue_names_the_groceries_and_not_the_robot() -> None:
    catalogue = load_catalogue(SHIPPED)
    assert set(catalogue.labels) == {"milk", "mustard", "soup can", "cereal", "basket"}
    kinds = {taught.entry.label: taught.entry.kind for taught in catalogue.taught}
    assert kinds["basket"] is Kind.CONTAINER
    assert kinds["robot"] is Kind.CLUTTER
    assert catalogue.vocabulary().label_of("the tomato soup") == "soup can"
    assert catalogue.vocabulary().label_of("robot") is None
    assert sum(path.stat().st_size for path in SHIPPED.rglob("*.png")) < 1_500_000


def test_alpha_is_the_mask(tmp_path: Path) -> None:
    mask = np.array([[True, False], [True, True]])
    rgb = np.array([[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]], np.uint8)
    crop = load_crop(add_crop(tmp_path, Crop(rgb, mask)))
    assert crop.mask.tolist() == mask.tolist()
    assert crop.rgb[0, 0].tolist() == [1, 2, 3]
    assert crop.rgb[1, 1].tolist() == [10, 11, 12]


def write(folder: Path, text: str) -> None:
    (folder / "flag" / "object.yaml").write_text(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("label: ''", "label"),
        ("label: flag\nkind: thing", "kind"),
        ("label: flag\nheight_m: -1", "height_m"),
        ("label: flag\nheigth_m: 1", "heigth_m"),
        ("- flag", "mapping"),
        ("label: [", "YAML"),
        ("label: flag\nlabel: leaf", "line 2: key 'label' is given twice"),
        ("synonyms: [x]", "label"),
        ("label: leaf", "same label"),
        ("label: flag\nsynonyms: [leaf]", "share the name 'leaf'"),
    ],
)
def test_a_bad_entry_is_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    paint.teach_all(tmp_path)
    write(tmp_path, text)
    with pytest.raises(ConfigError, match=message):
        load_catalogue(tmp_path)


def test_a_folder_without_crops_or_entry_is_refused(tmp_path: Path) -> None:
    paint.teach_all(tmp_path)
    (tmp_path / "flag" / "00.png").unlink()
    with pytest.raises(ConfigError, match=r"flag: no PNG crop"):
        load_catalogue(tmp_path)
    (tmp_path / "flag" / "object.yaml").unlink()
    with pytest.raises(ConfigError, match=r"object\.yaml"):
        load_catalogue(tmp_path)


@pytest.mark.parametrize("content", [b"", b"no picture"])
def test_a_file_that_is_no_picture_is_refused(tmp_path: Path, content: bytes) -> None:
    paint.teach_all(tmp_path)
    (tmp_path / "flag" / "00.png").write_bytes(content)
    with pytest.raises(ConfigError, match=r"00\.png: expected a PNG"):
        load_catalogue(tmp_path)


def test_a_wholly_transparent_crop_is_refused(tmp_path: Path) -> None:
    path = add_crop(tmp_path, Crop(np.zeros((4, 4, 3), np.uint8), np.zeros((4, 4), np.bool_)))
    with pytest.raises(ConfigError, match="transparent"):
        load_crop(path)


def test_an_empty_catalogue_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no object"):
        load_catalogue(tmp_path)


def test_a_picture_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    paint.teach_all(tmp_path)
    picture = tmp_path / "flag" / "00.png"
    picture.write_bytes(picture.read_bytes()[:-40])
    with pytest.raises(ConfigError, match=r"00\.png"):
        load_catalogue(tmp_path)


def test_a_picture_larger_than_the_memory_is_refused_by_its_header(tmp_path: Path) -> None:
    paint.teach_all(tmp_path)
    picture = tmp_path / "flag" / "00.png"
    data = bytearray(picture.read_bytes())
    data[16:24] = struct.pack(">II", 20_000, 5)  # PNG, IHDR: width and height
    data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    picture.write_bytes(data)
    with pytest.raises(ConfigError, match=r"at most 4096 px a side, got 20000x5"):
        load_catalogue(tmp_path)


@pytest.mark.parametrize("name", ["00.png", "object.yaml"])
def test_a_file_that_leads_out_of_the_catalogue_is_refused(tmp_path: Path, name: str) -> None:
    catalogue = paint.teach_all(tmp_path / "catalogue")
    link = catalogue / "flag" / name
    link.rename(tmp_path / "elsewhere")
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match=r"leads out of the catalogue to .*elsewhere"):
        load_catalogue(catalogue)


def test_a_folder_that_leads_out_of_the_catalogue_is_refused(tmp_path: Path) -> None:
    catalogue = paint.teach_all(tmp_path / "catalogue")
    (catalogue / "flag").rename(tmp_path / "flag")
    (catalogue / "flag").symlink_to(tmp_path / "flag")
    with pytest.raises(ConfigError, match="flag: leads out of the catalogue"):
        load_catalogue(catalogue)


def test_a_file_that_leads_to_a_like_named_place_elsewhere_is_refused(tmp_path: Path) -> None:
    catalogue = paint.teach_all(tmp_path / "catalogue")
    link = catalogue / "flag" / "00.png"
    elsewhere = tmp_path / "elsewhere" / "flag" / "00.png"
    elsewhere.parent.mkdir(parents=True)
    link.rename(elsewhere)
    link.symlink_to(elsewhere)
    with pytest.raises(ConfigError, match=r"flag/00\.png: leads out of the catalogue"):
        load_catalogue(catalogue)


def test_an_install_by_symbolic_links_of_which_one_leads_elsewhere_is_refused(
    tmp_path: Path,
) -> None:
    source = paint.teach_all(tmp_path / "source")
    other = paint.teach_all(tmp_path / "other")
    for path in source.rglob("*.*"):
        relative = path.relative_to(source)
        link = tmp_path / "share" / relative
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(other / relative if relative.name == "00.png" else path)
    with pytest.raises(ConfigError, match="leads out of the catalogue"):
        load_catalogue(tmp_path / "share")


def test_an_install_by_symbolic_links_is_read(tmp_path: Path) -> None:
    source = paint.teach_all(tmp_path / "source")
    for path in source.rglob("*.*"):
        link = tmp_path / "share" / path.relative_to(source)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(path)
    assert load_catalogue(tmp_path / "share").labels == load_catalogue(source).labels


def test_a_catalogue_of_a_thousand_entries_is_refused_at_once(tmp_path: Path) -> None:
    paint.teach_all(tmp_path)
    for number in range(1000):
        (tmp_path / f"thing_{number}").mkdir()
    with pytest.raises(ConfigError, match="at most 254 entries, got 1003"):
        load_catalogue(tmp_path)

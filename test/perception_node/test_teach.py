"""Teaching from a camera picture or from crops writes what the detector reads."""

from __future__ import annotations

import errno
from pathlib import Path

import cv2
import numpy as np
import painted_table as paint
import pytest

from openral.errors import InputError
from perception_node.catalogue import Crop, load_catalogue
from perception_node.detectors.catalogue_detector import CatalogueDetector, CatalogueSettings
from perception_node.teach import add_crop, cut_out, folder_name, main


def photo(path: Path, thing=paint.flag) -> Path:
    picture = paint.table(seed=11)
    thing(picture, 100, 80)
    cv2.imwrite(str(path), cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    return path


def test_a_thing_taught_from_one_photo_is_then_named(tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue"
    for name, thing in (("Red flag", paint.flag), ("leaf", paint.leaf)):
        source = photo(tmp_path / f"{name}.png", thing)
        arguments = [str(source), "--box", "96", "76", "144", "124", "--name", name]
        assert main([*arguments, "--synonym", f"{name}y", "--catalogue", str(catalogue)]) == 0
    loaded = load_catalogue(catalogue)
    assert (catalogue / "red_flag" / "00.png").exists()
    assert loaded.vocabulary().label_of("red flagy") == "Red flag"
    picture = paint.table(seed=12)
    paint.flag(picture, 200, 150)
    found = CatalogueDetector(loaded, CatalogueSettings()).detect(picture)
    assert [detection.label for detection in found] == ["Red flag"]


def test_the_cut_leaves_the_surroundings_out() -> None:
    picture = paint.table(seed=13)
    paint.flag(picture, 100, 80)
    crop = cut_out(picture, (90, 70, 150, 130))
    # 40 x 40 px of flag in a box of 60 x 60.
    assert 0.9 * 1600 <= crop.mask.sum() <= 1.15 * 1600
    assert max(crop.mask.shape) <= 46


def test_teaching_again_adds_crops_and_synonyms(tmp_path: Path) -> None:
    source = photo(tmp_path / "photo.png")
    base = [str(source), "--box", "96", "76", "144", "124", "--name", "flag"]
    base += ["--catalogue", str(tmp_path / "catalogue")]
    assert main([*base, "--synonym", "banner", "--height", "0.2"]) == 0
    assert main([*base, "--synonym", "pennant"]) == 0
    (taught,) = load_catalogue(tmp_path / "catalogue").taught
    assert len(taught.crops) == 2
    assert taught.entry.synonyms == ("banner", "pennant")
    assert taught.entry.height_m == 0.2


def test_a_picture_with_an_odd_digit_as_its_name_is_no_number(tmp_path: Path) -> None:
    slab = tmp_path / "catalogue" / "slab"
    slab.mkdir(parents=True)
    for name in ("❷.png", "07.png"):
        cv2.imencode(".png", np.zeros((20, 20, 3), np.uint8))[1].tofile(slab / name)
    written = add_crop(slab, Crop(np.zeros((20, 20, 3), np.uint8), np.ones((20, 20), np.bool_)))
    assert written.name == "08.png"


def test_a_folder_of_crops_is_taken_whole(tmp_path: Path) -> None:
    crops = tmp_path / "crops"
    crops.mkdir()
    for i in range(3):
        cv2.imwrite(str(crops / f"{i}.png"), np.full((20, 20, 3), 40 * i, np.uint8))
    assert main([str(crops), "--name", "slab", "--catalogue", str(tmp_path / "c")]) == 0
    assert len(load_catalogue(tmp_path / "c").taught[0].crops) == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ["photo.png", "--box", "300", "200", "400", "300", "--name", "flag"],
        ["photo.png", "--box", "10", "10", "12", "12", "--name", "flag"],
        ["photo.png", "--name", "///"],
        ["photo.png", "--name", " flag "],
        ["nothing.png", "--name", "flag"],
        [".", "--box", "0", "0", "50", "50", "--name", "flag"],
        ["empty", "--name", "flag"],
        ["photo.png", "--name", "flag", "--height", "-1"],
    ],
)
def test_bad_input_ends_in_one_line_and_code_2(
    tmp_path: Path, arguments: list[str], capsys, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    photo(tmp_path / "photo.png")
    assert main([*arguments, "--catalogue", "catalogue"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("teach: ")
    assert error.count("\n") == 1
    assert not (tmp_path / "catalogue" / "flag" / "object.yaml").exists()


def dies_while_writing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process is interrupted in the middle of a file."""
    write = Path.write_bytes

    def cut(path: Path, data: bytes) -> int:
        if name in path.name:
            write(path, data[: len(data) // 2])
            raise KeyboardInterrupt
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", cut)


@pytest.mark.parametrize("file", ["00.png", "object.yaml"])
def test_a_new_entry_that_was_interrupted_leaves_a_catalogue_that_can_be_read(
    tmp_path: Path, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = [str(photo(tmp_path / "photo.png")), "--box", "96", "76", "144", "124"]
    base += ["--catalogue", str(tmp_path / "catalogue"), "--name"]
    assert main([*base, "flag"]) == 0
    with monkeypatch.context() as patch:
        dies_while_writing(file, patch)
        with pytest.raises(KeyboardInterrupt):
            main([*base, "banner"])
    assert load_catalogue(tmp_path / "catalogue").labels == ("flag",)
    assert main([*base, "banner"]) == 0
    assert load_catalogue(tmp_path / "catalogue").labels == ("banner", "flag")


@pytest.mark.parametrize("file", ["01.png", "object.yaml"])
def test_an_entry_keeps_what_it_had_where_adding_to_it_was_interrupted(
    tmp_path: Path, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = [str(photo(tmp_path / "photo.png")), "--box", "96", "76", "144", "124"]
    base += ["--catalogue", str(tmp_path / "catalogue"), "--name", "flag"]
    assert main([*base, "--synonym", "banner"]) == 0
    dies_while_writing(file, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        main([*base, "--synonym", "pennant"])
    (taught,) = load_catalogue(tmp_path / "catalogue").taught
    assert taught.entry.synonyms == ("banner",)
    assert len(taught.crops) == (2 if file == "object.yaml" else 1)


def test_a_folder_that_another_is_teaching_is_passed_by(tmp_path: Path) -> None:
    base = [str(photo(tmp_path / "photo.png")), "--box", "96", "76", "144", "124"]
    assert main([*base, "--catalogue", str(tmp_path / "catalogue"), "--name", "flag"]) == 0
    (tmp_path / "catalogue" / ".teach-x" / "banner").mkdir(parents=True)
    assert load_catalogue(tmp_path / "catalogue").labels == ("flag",)


@pytest.mark.parametrize(("file", "again"), [("00.png", False), ("object.yaml", True)])
def test_what_cannot_be_written_ends_in_one_line_and_code_2(
    tmp_path: Path, file: str, again: bool, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = [str(photo(tmp_path / "photo.png")), "--box", "96", "76", "144", "124"]
    base += ["--catalogue", str(tmp_path / "catalogue"), "--name", "flag"]
    if again:
        assert main(base) == 0
        capsys.readouterr()

    def full(path: Path, data: bytes) -> int:
        if file in path.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        with path.open("wb") as out:
            return out.write(data)

    monkeypatch.setattr(Path, "write_bytes", full)
    assert main(base) == 2
    error = capsys.readouterr().err
    assert error.startswith("teach: ")
    assert f"{file}: cannot be written (No space left on device)" in error
    assert error.count("\n") == 1


def test_a_catalogue_that_is_a_file_ends_in_one_line_and_code_2(tmp_path: Path, capsys) -> None:
    base = [str(photo(tmp_path / "photo.png")), "--box", "96", "76", "144", "124"]
    (tmp_path / "catalogue").write_text("")
    assert main([*base, "--catalogue", str(tmp_path / "catalogue"), "--name", "flag"]) == 2
    assert "flag: cannot be written" in capsys.readouterr().err


def test_a_name_stays_inside_the_catalogue() -> None:
    assert folder_name("../../etc/Pass wd") == "etc_pass_wd"
    with pytest.raises(InputError):
        folder_name("../..")

"""Teaches the catalogue an object from pictures: `python -m perception_node.teach --help`.

From a camera picture, with the object's box (it is cut out of its surroundings by GrabCut)::

    python -m perception_node.teach photo.png --box 120 80 190 220 --name "soup can" --synonym soup

From a folder of tight crops (transparent pixels are background)::

    python -m perception_node.teach crops/ --name "soup can"

A handful of crops from different sides and under the light of the place is enough.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import yaml

from openral.errors import ConfigError, InputError, OpenralError
from openral.image import RgbImage
from perception_node.catalogue import (
    OBJECT_FILE,
    Crop,
    Kind,
    Mask,
    ObjectEntry,
    load_crop,
    load_entry,
)

_PICTURES = (".png", ".jpg", ".jpeg", ".bmp")
_LEAST_SIDE = 8
_GRABCUT_ROUNDS = 4
# GrabCut learns the surroundings from a frame around the box, this share of the box wide.
_FRAME = 0.35


def folder_name(label: str) -> str:
    """The catalogue folder of a label: "Soup can" → "soup_can".

    Raises:
        InputError: The label holds no letter or digit.
    """
    name = re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_")
    if not name:
        raise InputError("a name with letters or digits", repr(label))
    return name


def cut_out(rgb: RgbImage, box: tuple[int, int, int, int]) -> Crop:
    """The object in a box of a picture, cut out of its surroundings.

    Args:
        rgb: (height, width, 3) uint8 red, green, blue.
        box: x_min, y_min, x_max, y_max [px], close around the object.

    Raises:
        InputError: The box leaves the picture or is too small, or nothing in it differs from what
            is around it.
    """
    height, width = rgb.shape[:2]
    x0, y0, x1, y1 = box
    inside = min(x0, y0) >= 0 and x1 <= width and y1 <= height
    if not inside or x1 - x0 < _LEAST_SIDE or y1 - y0 < _LEAST_SIDE:
        raise InputError(
            f"a box inside {width}x{height} px with sides of at least {_LEAST_SIDE} px", str(box)
        )
    dx, dy = round((x1 - x0) * _FRAME) + 2, round((y1 - y0) * _FRAME) + 2
    left, top = max(0, x0 - dx), max(0, y0 - dy)
    right, bottom = min(width, x1 + dx), min(height, y1 + dy)
    window = np.ascontiguousarray(rgb[top:bottom, left:right, ::-1])
    state = np.full(window.shape[:2], cv2.GC_BGD, np.uint8)
    state[y0 - top : y1 - top, x0 - left : x1 - left] = cv2.GC_PR_FGD
    if not (state == cv2.GC_BGD).any():
        # The box fills the picture: there are no surroundings to cut it out of.
        return Crop(rgb[y0:y1, x0:x1].copy(), np.ones((y1 - y0, x1 - x0), np.bool_))
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.setRNGSeed(0)
    cv2.grabCut(window, state, None, *models, _GRABCUT_ROUNDS, cv2.GC_INIT_WITH_MASK)
    mask = (state == cv2.GC_PR_FGD) | (state == cv2.GC_FGD)
    return _tight(window[:, :, ::-1], mask)


def _tight(rgb: RgbImage, mask: Mask) -> Crop:
    ys, xs = np.nonzero(mask)
    if xs.size < _LEAST_SIDE * _LEAST_SIDE:
        raise InputError(
            "an object that differs from its surroundings",
            f"{xs.size} px that do",
            "draw the box closer around it, or give a tight crop instead",
        )
    window = (slice(ys.min(), ys.max() + 1), slice(xs.min(), xs.max() + 1))
    return Crop(np.ascontiguousarray(rgb[window]), np.ascontiguousarray(mask[window]))


def teach(folder: Path, entry: ObjectEntry, crops: Sequence[Crop]) -> list[Path]:
    """Adds crops to an entry's folder, new or not, and returns their paths.

    Whenever it is interrupted the catalogue can be read: a new entry is there as a whole or not at
    all, and one that was there before has what it had, and some of the crops.

    Raises:
        ConfigError: Something cannot be written.
    """
    if folder.exists():
        paths = [add_crop(folder, crop) for crop in crops]
        write_entry(folder, entry)
        return paths
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Perception passes hidden folders by.
        with tempfile.TemporaryDirectory(prefix=".teach-", dir=folder.parent) as hidden:
            new = Path(hidden) / folder.name
            paths = [folder / add_crop(new, crop).name for crop in crops]
            write_entry(new, entry)
            new.rename(folder)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written ({error.strerror})") from None
    return paths


def add_crop(folder: Path, crop: Crop) -> Path:
    """Writes a crop under the next free number and returns its path.

    Raises:
        ConfigError: The file cannot be written.
    """
    alpha = np.where(crop.mask, 255, 0).astype(np.uint8)
    # Hidden pixels compress to nothing when they are black.
    bgr = np.where(crop.mask[:, :, None], crop.rgb[:, :, ::-1], 0).astype(np.uint8)
    done, data = cv2.imencode(".png", np.dstack([bgr, alpha]), [cv2.IMWRITE_PNG_COMPRESSION, 9])
    if not done:
        raise InputError("a crop that PNG can hold", f"shape {crop.rgb.shape}")
    numbers = [int(path.stem) for path in folder.glob("*.png") if path.stem.isdecimal()]
    path = folder / f"{max(numbers, default=-1) + 1:02d}.png"
    _write(path, bytes(data))
    return path


def write_entry(folder: Path, entry: ObjectEntry) -> None:
    """Writes `object.yaml`; fields without a value are left out.

    Raises:
        ConfigError: The file cannot be written.
    """
    content = entry.model_dump(mode="json", exclude_none=True)
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
    _write(folder / OBJECT_FILE, text.encode("utf-8"))


def _write(path: Path, data: bytes) -> None:
    """The whole file, or none."""
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise ConfigError(f"{path}: cannot be written ({error.strerror})") from None


def _entry(folder: Path, arguments: argparse.Namespace) -> ObjectEntry:
    """The entry as it is, with what the arguments add or change."""
    values: dict[str, object] = {"label": arguments.name}
    synonyms = list(arguments.synonym)
    if (folder / OBJECT_FILE).exists():
        before = load_entry(folder)
        if before.label != arguments.name:
            raise InputError(
                f"the label '{before.label}' that {folder} holds", f"'{arguments.name}'"
            )
        values = before.model_dump()
        synonyms = [*before.synonyms, *synonyms]
    given = {"kind": arguments.kind, "height_m": arguments.height, "width_m": arguments.width}
    values.update({name: value for name, value in given.items() if value is not None})
    values["synonyms"] = tuple(dict.fromkeys(synonyms))
    return ObjectEntry(**values)


def _crops(source: Path, box: Sequence[int] | None) -> list[Crop]:
    if source.is_dir():
        if box is not None:
            raise InputError("a picture for a box", f"the folder {source}")
        paths = sorted(path for path in source.iterdir() if path.suffix.lower() in _PICTURES)
        if not paths:
            raise InputError(f"a folder with pictures ({', '.join(_PICTURES)})", str(source))
        return [_tight(crop.rgb, crop.mask) for crop in map(load_crop, paths)]
    picture = load_crop(source)
    if box is None:
        return [_tight(picture.rgb, picture.mask)]
    x0, y0, x1, y1 = box
    return [cut_out(picture.rgb, (x0, y0, x1, y1))]


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m perception_node.teach",
        description="Teach the catalogue an object from a camera picture or a folder of crops.",
    )
    parser.add_argument("source", type=Path, help="a picture, or a folder of tight crops")
    parser.add_argument(
        "--box",
        type=int,
        nargs=4,
        metavar=("X_MIN", "Y_MIN", "X_MAX", "Y_MAX"),
        help="the object's box in the picture [px]; without it the picture is a tight crop",
    )
    parser.add_argument("--name", required=True, help='the label, e.g. "soup can"')
    parser.add_argument("--synonym", action="append", default=[], help="another name; repeatable")
    parser.add_argument("--kind", choices=[kind.value for kind in Kind], help="default: object")
    parser.add_argument("--height", type=float, help="height [m]")
    parser.add_argument("--width", type=float, help="width [m]")
    parser.add_argument("--catalogue", type=Path, default=Path("config/catalogue"))
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns 0, or 2 with one line on stderr for bad input."""
    arguments = _arguments().parse_args(argv)
    try:
        folder = arguments.catalogue / folder_name(arguments.name)
        try:
            entry = _entry(folder, arguments)
        except ValueError as error:
            line = str(error).replace("\n", " ")
            raise InputError("valid values for the entry", line) from None
        crops = _crops(arguments.source, arguments.box)
        for path in teach(folder, entry, crops):
            print(path)
    except OpenralError as error:
        print(f"teach: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

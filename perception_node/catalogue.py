"""The catalogue of reference pictures: one folder for each kind of thing, taught with a few crops.

A folder holds `object.yaml` and PNG crops. A crop is a tight cut-out of the thing; where the PNG
has an alpha channel, transparent pixels are background::

    label: soup can
    synonyms: [soup, tomato soup]
    kind: object        # object, container, or clutter
    height_m: 0.10
    width_m: 0.066
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image
from pydantic import BaseModel, ConfigDict, Field

from openral import yaml_file
from openral.errors import ConfigError
from openral.image import LARGEST_SIDE, RgbImage
from perception_node.locate import Vocabulary

OBJECT_FILE = "object.yaml"
MOST_ENTRIES = 254
"""The detector keeps an entry's number in a byte, beside 0 for none."""

Mask = npt.NDArray[np.bool_]


class Kind(str, Enum):
    """What a catalogue entry is good for.

    Clutter is what must not be mistaken for an object, such as the robot itself: it is never named.
    """

    OBJECT = "object"
    CONTAINER = "container"
    CLUTTER = "clutter"


class ObjectEntry(BaseModel):
    """Content of `object.yaml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    label: Annotated[str, Field(min_length=1, max_length=60, pattern=r"^\S(.*\S)?$")]
    synonyms: tuple[Annotated[str, Field(min_length=1, max_length=60)], ...] = ()
    kind: Kind = Kind.OBJECT
    height_m: Annotated[float, Field(gt=0.0, le=3.0)] | None = None
    width_m: Annotated[float, Field(gt=0.0, le=3.0)] | None = None


@dataclass(frozen=True, eq=False)
class Crop:
    """One reference picture.

    Attributes:
        rgb: (height, width, 3) uint8 red, green, blue.
        mask: (height, width) bool, the pixels that show the thing.
    """

    rgb: RgbImage
    mask: Mask


@dataclass(frozen=True, eq=False)
class Taught:
    """An entry with its crops."""

    entry: ObjectEntry
    crops: tuple[Crop, ...]


@dataclass(frozen=True, eq=False)
class Catalogue:
    """All taught entries; labels and synonyms are unique."""

    taught: tuple[Taught, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels that may be named: every entry's but clutter's."""
        return tuple(t.entry.label for t in self.taught if t.entry.kind is not Kind.CLUTTER)

    def vocabulary(self) -> Vocabulary:
        """The names to ask for.

        Raises:
            ConfigError: Two entries share a name.
        """
        return Vocabulary(
            {
                taught.entry.label: taught.entry.synonyms
                for taught in self.taught
                if taught.entry.kind is not Kind.CLUTTER
            }
        )


def load_entry(folder: Path) -> ObjectEntry:
    """Reads a folder's `object.yaml`.

    Raises:
        ConfigError: Names the file, and the line or each bad field with its value.
    """
    return yaml_file.load(folder / OBJECT_FILE, ObjectEntry)


def load_crop(path: Path) -> Crop:
    """Reads a PNG crop.

    Raises:
        ConfigError: It is no 8-bit picture, or wholly transparent.
    """
    # From bytes, since OpenCV prints to stderr where it cannot open a file itself.
    try:
        data = path.read_bytes()
        with Image.open(io.BytesIO(data)) as header:  # reads no pixels yet
            size = header.size
        if max(size) > LARGEST_SIDE:
            raise ConfigError(
                f"{path}: expected at most {LARGEST_SIDE} px a side, got {size[0]}x{size[1]}"
            )
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, cv2.error):
        pixels = None
    if pixels is None or pixels.dtype != np.uint8:
        raise ConfigError(f"{path}: expected a PNG of 8 bits a channel")
    if pixels.ndim == 2:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR)
    mask = pixels[:, :, 3] > 127 if pixels.shape[2] == 4 else np.ones(pixels.shape[:2], np.bool_)
    if not mask.any():
        raise ConfigError(f"{path}: every pixel is transparent")
    return Crop(np.ascontiguousarray(pixels[:, :, 2::-1]), mask)


def _stay_inside(folder: Path, places: Sequence[Path], files: Sequence[Path]) -> None:
    """Passes a catalogue whose files lie in it, or all at the same places of one other folder.

    The latter is what `colcon build --symlink-install` makes of the source tree's catalogue.

    Raises:
        ConfigError: A link leads elsewhere.
    """
    home = folder.resolve()
    out = [path for path in files if not path.resolve().is_relative_to(home)]
    if out:
        source = out[0].resolve().parents[1]
        if all(path.resolve() == source / path.relative_to(folder) for path in files):
            out = []
    out = [path for path in places if not path.resolve().is_relative_to(home)] + out
    if out:
        raise ConfigError(
            f"{out[0]}: leads out of the catalogue to {out[0].resolve()}; copy it into {folder}"
        )


def load_catalogue(folder: Path) -> Catalogue:
    """Reads every entry below `folder`, in the order of the folders' names.

    Raises:
        ConfigError: No folder, no entry that can be named or too many, an entry without crops, a
            bad file, one that leads out of the catalogue, or a name used twice.
    """
    if not folder.is_dir():
        raise ConfigError(f"catalogue folder {folder} does not exist")
    taught = []
    # A hidden one is an entry that is still being taught.
    places = sorted(
        path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")
    )
    if len(places) > MOST_ENTRIES:
        raise ConfigError(
            f"catalogue folder {folder}: expected at most {MOST_ENTRIES} entries, got {len(places)}"
        )
    pictures_of = {place: sorted(place.glob("*.png")) for place in places}
    files = [p for place in places for p in (place / OBJECT_FILE, *pictures_of[place])]
    _stay_inside(folder, places, [path for path in files if path.exists()])
    for place in places:
        pictures = pictures_of[place]
        entry = load_entry(place)
        crops = tuple(load_crop(path) for path in pictures)
        if not crops:
            raise ConfigError(f"{place}: no PNG crop; teach it with perception_node.teach")
        taught.append(Taught(entry, crops))
    catalogue = Catalogue(tuple(taught))
    if not catalogue.labels:
        raise ConfigError(f"catalogue folder {folder} holds no object or container")
    if len(set(catalogue.labels)) != len(catalogue.labels):
        raise ConfigError(f"catalogue folder {folder}: two entries have the same label")
    catalogue.vocabulary()
    return catalogue

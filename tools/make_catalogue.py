#!/usr/bin/env python3
"""Renders the catalogue of the simulated groceries: `python tools/make_catalogue.py`.

It teaches as a person would, by cutting objects out of camera pictures, from seeds that no bench
or test uses, and keeps the crops that differ most from each other.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from perception_node.catalogue import Crop, Kind, ObjectEntry
from perception_node.detectors import colour
from perception_node.teach import add_crop, folder_name, write_entry
from sim_node.rendered_tables import FLOOR, ROBOT, Frame, RenderedTables

ROOT = Path(__file__).resolve().parent.parent
SEEDS = range(100_000, 100_040)

ENTRIES = (
    ObjectEntry(
        label="milk",
        synonyms=("milk carton", "carton of milk", "carton"),
        height_m=0.13,
        width_m=0.06,
    ),
    ObjectEntry(
        label="mustard",
        synonyms=("mustard bottle", "bottle of mustard", "bottle", "squeeze bottle"),
        height_m=0.15,
        width_m=0.055,
    ),
    ObjectEntry(
        label="soup can",
        synonyms=("soup", "tomato soup", "can of soup", "tomato soup can", "tin"),
        height_m=0.10,
        width_m=0.066,
    ),
    ObjectEntry(
        label="cereal",
        synonyms=("cereal box", "box of cereal", "cereals"),
        height_m=0.17,
        width_m=0.12,
    ),
    ObjectEntry(
        label="basket",
        synonyms=("shopping basket", "wicker basket"),
        kind=Kind.CONTAINER,
        height_m=0.18,
        width_m=0.316,
    ),
    ObjectEntry(label=ROBOT, kind=Kind.CLUTTER),
    ObjectEntry(label=FLOOR, kind=Kind.CLUTTER),
)


def crop_of(frame: Frame, label: str) -> Crop | None:
    """The visible part of a thing."""
    box = frame.box(label)
    if box is None:
        return None
    window = (slice(box[1], box[3]), slice(box[0], box[2]))
    return Crop(frame.rgb[window].copy(), frame.masks[label][window].copy())


def most_different(crops: Sequence[Crop], count: int) -> list[Crop]:
    """`count` crops, each the farthest from those before (greedy k-centre, Gonzalez 1985)."""
    histograms = [colour.histogram(colour.codes_of(crop.rgb[crop.mask])) for crop in crops]
    vectors = colour.descriptor(np.array(histograms))
    chosen = [0]
    distance = 1.0 - vectors @ vectors[0]
    while len(chosen) < min(count, len(crops)):
        chosen.append(int(distance.argmax()))
        distance = np.minimum(distance, 1.0 - vectors @ vectors[chosen[-1]])
    return [crops[index] for index in chosen]


def pools(frames: Sequence[Frame], entry: ObjectEntry) -> list[tuple[list[Crop], int]]:
    """Crops to choose from and how many to take of them, for each kind of view."""

    def pool(situation: str, view: str, inside: bool = False) -> list[Crop]:
        chosen = (
            crop_of(frame, entry.label)
            for frame in frames
            if (frame.situation, frame.view) == (situation, view)
            and (not inside or entry.label in frame.in_basket)
        )
        return [crop for crop in chosen if crop is not None]

    if entry.label == FLOOR:
        return [(pool("home", "front"), 1)]
    if entry.kind is Kind.CONTAINER:
        return [(pool("home", "front"), 1), (pool("home", "top"), 1)]
    if entry.kind is Kind.CLUTTER:
        views = ("front", "top")
        return [(pool("home", view), 1) for view in views] + [
            (pool("arm", view), 5) for view in views
        ]
    return [
        (pool("home", "front"), 8),
        (pool("home", "top"), 8),
        (pool("basket", "top", inside=True), 8),
    ]


def main() -> int:
    """Writes the catalogue anew."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "config" / "catalogue")
    out = parser.parse_args().out
    tables = RenderedTables()
    frames = [
        frame
        for situation in ("home", "basket", "arm")
        for frame in tables.frames(SEEDS, situation)
    ]
    tables.close()
    for entry in ENTRIES:
        folder = out / folder_name(entry.label)
        shutil.rmtree(folder, ignore_errors=True)
        write_entry(folder, entry)
        for crops, count in pools(frames, entry):
            for crop in most_different(crops, count):
                add_crop(folder, crop)
        print(f"{entry.label}: {len(list(folder.glob('*.png')))} crops")
    return 0


if __name__ == "__main__":
    sys.exit(main())

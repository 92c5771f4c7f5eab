"""Judges a record strictly: which objects are in the basket, and when the arm came to rest.

Usage::

    referee runs/20260101-120000/record.jsonl --expect milk --json

Exit code 0: every expected object is in the basket; 1: not; 2: the record cannot be read or has a
gap, so there is no judgement.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import ValidationError

from openral.errors import InputError
from sim_node.fine_steps import REST_SPEED
from sim_node.record import BasketGeometry, Pose, RecordHeader, Sample


@dataclass(frozen=True)
class Record:
    """A whole run."""

    header: RecordHeader
    samples: tuple[Sample, ...]


@dataclass(frozen=True)
class ObjectVerdict:
    """Where one object ended.

    Attributes:
        in_basket: its centre is inside the inner footprint and below the rim.
        inside_footprint: seen from above.
        below_rim: lower than the rim.
        height: of its centre over the table [m].
        moved: distance between its first and last place [m].
    """

    in_basket: bool
    inside_footprint: bool
    below_rim: bool
    height: float
    moved: float


@dataclass(frozen=True)
class Verdict:
    """The referee's word on a run.

    Attributes:
        cleared: every expected object is in the basket, and there is a basket.
        expected: labels that had to be.
        objects: by label.
        duration: recorded time [s].
    """

    cleared: bool
    expected: tuple[str, ...]
    objects: dict[str, ObjectVerdict]
    duration: float


def read_record(path: str | Path) -> Record:
    """Read a record; a last line without its end is one that a kill cut off, and is left out.

    Raises:
        InputError: the file is missing, empty, has a gap, or a line is not what it has to be.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            expected="a record file", got=f"{path}: {error}", do="give the path of record.jsonl"
        ) from error
    lines = text.split("\n")[:-1]
    if not lines:
        raise InputError(expected="a header line", got=f"{path} is empty", do="record a run first")
    samples: list[Sample] = []
    try:
        header = RecordHeader.model_validate_json(lines[0])
        samples.extend(Sample.model_validate_json(line) for line in lines[1:])
    except ValidationError as error:
        number = 1 if error.title == RecordHeader.__name__ else len(samples) + 2
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(
            expected="a header, then samples",
            got=f"{path} line {number}: {where}: {first['msg']}",
            do="the file is no record of this simulator, or is damaged",
        ) from error
    if header.lost:
        raise InputError(
            expected="a record without a gap",
            got=f"{path}, which lacks {header.lost} samples that could not be written",
            do="make room where the record is kept, and run again",
        )
    return Record(header, tuple(samples))


def inside_footprint(centre: Pose, basket: Pose, geometry: BasketGeometry) -> bool:
    """Whether a centre lies within the basket's inner walls, seen from above."""
    _, _, _, qw, _, _, qz = basket
    yaw = 2.0 * math.atan2(qz, qw)
    dx, dy = centre[0] - basket[0], centre[1] - basket[1]
    along = dx * math.cos(yaw) + dy * math.sin(yaw)
    across = -dx * math.sin(yaw) + dy * math.cos(yaw)
    return max(abs(along), abs(across)) <= geometry.inner / 2


def below_rim(centre: Pose, basket: Pose, geometry: BasketGeometry) -> bool:
    """Whether a centre is lower than the rim."""
    return centre[2] < basket[2] + geometry.rim


def judge(record: Record, expected: Sequence[str] = ()) -> Verdict:
    """Judge the last sample; `expected` names the objects that had to be cleared, empty: all.

    Raises:
        InputError: no sample, or an expected label that the run did not have.
    """
    if not record.samples:
        raise InputError(expected="at least one sample", got="none", do="record a run first")
    labels = tuple(expected) or record.header.objects
    for label in labels:
        if label not in record.header.objects:
            raise InputError(
                expected=f"one of {', '.join(record.header.objects)}",
                got=repr(label),
                do="name objects of this run",
            )
    first, last = record.samples[0], record.samples[-1]
    geometry, basket = record.header.basket, last.basket
    objects: dict[str, ObjectVerdict] = {}
    for label, centre in last.objects.items():
        inside = below = False
        if geometry is not None and basket is not None:
            inside = inside_footprint(centre, basket, geometry)
            below = below_rim(centre, basket, geometry)
        objects[label] = ObjectVerdict(
            in_basket=inside and below,
            inside_footprint=inside,
            below_rim=below,
            height=centre[2],
            moved=math.dist(centre[:3], first.objects[label][:3]),
        )
    return Verdict(
        cleared=bool(labels) and all(objects[label].in_basket for label in labels),
        expected=labels,
        objects=objects,
        duration=last.t_mono - first.t_mono,
    )


def rest_time(record: Record, t_mono: float) -> float | None:
    """First time [s, steady clock] from `t_mono` on since when the arm stays at rest.

    At rest: every joint slower than `REST_SPEED`. Exact to a step of the physics where the lease
    had lapsed, to the record's period elsewhere. None: it never comes to rest, or nothing was
    recorded after `t_mono`.
    """
    result: float | None = None
    for sample in record.samples:
        if sample.t_mono < t_mono:
            continue
        if all(abs(speed) < REST_SPEED for speed in sample.qd):
            result = sample.t_mono if result is None else result
        else:
            result = None
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="referee", description="judge a simulator's record")
    parser.add_argument("record", help="record.jsonl of a run")
    parser.add_argument(
        "--expect", action="append", default=[], metavar="LABEL", help="has to be in the basket"
    )
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    arguments = parser.parse_args(argv)
    try:
        verdict = judge(read_record(arguments.record), arguments.expect)
    except InputError as error:
        print(f"referee: {error}", file=sys.stderr)
        return 2
    if arguments.json:
        print(json.dumps(asdict(verdict)))
    else:
        for label, found in verdict.objects.items():
            place = "in the basket" if found.in_basket else "not in the basket"
            if found.inside_footprint and not found.below_rim:
                place += ", its centre is above the rim"
            print(f"{label:10} {place} (height {found.height:.3f} m, moved {found.moved:.3f} m)")
        print("cleared" if verdict.cleared else "not cleared")
    return 0 if verdict.cleared else 1


if __name__ == "__main__":
    sys.exit(main())

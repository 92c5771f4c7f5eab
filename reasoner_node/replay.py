"""Runs a trace's inputs through a new core and compares every decision, byte for byte.

From a shell: ``python3 -m reasoner_node.replay RUN``, a run folder or a trace file. Exit status 0:
every decision is reproduced; 3: one is not, and both are printed; 2: the trace cannot be replayed.
1 is left to a crash, which says nothing about the trace.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from openral.camera_model import CameraConfig
from openral.errors import InputError, OpenralError
from openral.rskill import RskillManifest
from openral.rskill.manifest import MANIFEST
from reasoner_node.brain import BrainReply
from reasoner_node.core import ReasonerCore, Record
from reasoner_node.events import EVENT
from reasoner_node.palette import Palette
from reasoner_node.settings import Settings
from reasoner_node.state import ReasonerState
from reasoner_node.trace import FORMAT, LOST, encode, read_trace

REPRODUCED, UNUSABLE, DECIDED_OTHERWISE = 0, 2, 3
"""Exit statuses."""
TRACE_NAME = "trace.jsonl"
"""Of the trace in a run folder."""
SHOWN_CHARS = 2000
"""Of a decision that differs."""


@dataclass(frozen=True)
class Difference:
    """The first record in which the replay decides otherwise."""

    index: int
    recorded: str
    replayed: str


def header(state: ReasonerState, manifests: Mapping[str, RskillManifest]) -> dict[str, Any]:
    """The first record of a trace: all that a new core needs to decide the same."""
    calibration = state.verify_calibration
    return {
        "in": "header",
        "format": FORMAT,
        "run_id": state.run_id,
        "brain": state.brain,
        "brain_is_model": state.brain_is_model,
        "robot": state.robot,
        "can_ask_image": state.can_ask_image,
        "services": sorted(state.services),
        "verify_calibration": calibration.model_dump(mode="json") if calibration else None,
        "settings": settings_of(state.settings),
        "manifests": {
            name: manifest.model_dump(mode="json", exclude_unset=True)
            for name, manifest in sorted(manifests.items())
        },
    }


def settings_of(settings: Settings) -> dict[str, Any]:
    """The core's own numbers of a node's parameters."""
    return {name: getattr(settings, name) for name in sorted(Settings.model_fields)}


def core_from_header(record: Mapping[str, Any], sink: list[Record]) -> ReasonerCore:
    """A new core as the header describes it, which appends its records to `sink`.

    Raises:
        InputError: The header is not of this format.
    """
    if record.get("in") != "header" or record.get("format") != FORMAT:
        raise InputError(f"a trace that begins with a header of format {FORMAT}", str(record)[:120])
    try:
        settings = Settings.model_validate(record["settings"], strict=False)
        manifests = {
            name: MANIFEST.validate_python(manifest)
            for name, manifest in record["manifests"].items()
        }
        state = ReasonerState(
            settings=settings,
            palette=Palette(manifests, record["robot"], settings.skill_failure_cap),
            run_id=record["run_id"],
            brain=record["brain"],
            brain_is_model=record["brain_is_model"],
            robot=record["robot"],
            can_ask_image=record["can_ask_image"],
            services=frozenset(record["services"]),
            verify_calibration=None
            if record["verify_calibration"] is None
            else CameraConfig.model_validate(record["verify_calibration"]),
        )
    except (KeyError, TypeError, AttributeError, OpenralError, ValidationError) as error:
        raise InputError("a whole header", f"{type(error).__name__}: {error}") from None
    return ReasonerCore(state, sink.append)


def replay(records: Iterable[Mapping[str, Any]]) -> tuple[int, Difference | None]:
    """How many decisions agree, and the first that does not; None = all do.

    Raises:
        InputError: The trace is not one of this format, or has lost records.
    """
    sink: list[Record] = []
    core: ReasonerCore | None = None
    agreed = 0
    for index, record in enumerate(records):
        if core is None or record.get("in") == "header":
            core = core_from_header(record, sink)
            continue
        if record.get("in") == LOST:
            raise InputError(
                "every record", f"{record.get('records')} lost before record {index}: disk full?"
            )
        sink.clear()
        _input(record)(core)
        replayed = encode(sink[0]) if sink else ""
        recorded = encode(record)
        if replayed != recorded:
            return agreed, Difference(index, recorded, replayed)
        agreed += 1
    if core is None:
        raise InputError("a trace that begins with a header", "no record")
    return agreed, None


def _input(record: Mapping[str, Any]) -> Callable[[ReasonerCore], object]:
    """What a record gives to a core; only read here, so that the core's own errors stay its own.

    Raises:
        InputError: It is no whole record.
    """
    kind = record.get("in")
    try:
        now = float(record["t"])
        if kind == "event":
            event = EVENT.validate_python(record["event"])
            return lambda core: core.observe(event, now)
        if kind == "advance":
            return lambda core: core.advance(now)
        if kind == "prepare":
            heartbeat = bool(record["heartbeat"])
            return lambda core: core.prepare_tick(now, heartbeat=heartbeat)
        if kind == "reply":
            tick, reply = int(record["tick"]), BrainReply.model_validate(record["reply"])
            return lambda core: core.finish_tick(now, tick, reply)
    except (KeyError, ValueError, TypeError) as error:
        raise InputError("a whole record", f"{type(error).__name__}: {error}") from None
    raise InputError("an input of kind event, advance, prepare or reply", repr(kind))


def main(arguments: Sequence[str] | None = None) -> int:
    """Replays a recorded run.

    Args:
        arguments: Of the command line; None = the process's own.

    Returns:
        `REPRODUCED`, `DECIDED_OTHERWISE` or `UNUSABLE`.
    """
    parser = argparse.ArgumentParser(
        prog="replay", description="Replays a recorded run and compares every decision."
    )
    parser.add_argument("run", type=Path, help="run folder, or trace file")
    path: Path = parser.parse_args(arguments).run
    trace = path / TRACE_NAME if path.is_dir() else path
    try:
        records, cut = read_trace(trace)
        agreed, difference = replay(records)
    except InputError as error:
        print(f"{trace}: {' '.join(str(error).split())}", file=sys.stderr)
        return UNUSABLE
    left_out = f"; {cut} cut line(s) left out" if cut else ""
    if difference is None:
        print(f"{trace}: {agreed} decisions reproduced, byte for byte{left_out}")
        return REPRODUCED
    print(f"{trace}: record {difference.index} is decided otherwise{left_out}")
    print(f"recorded: {difference.recorded[:SHOWN_CHARS]}")
    print(f"replayed: {difference.replayed[:SHOWN_CHARS] or 'nothing'}")
    return DECIDED_OTHERWISE


if __name__ == "__main__":
    sys.exit(main())

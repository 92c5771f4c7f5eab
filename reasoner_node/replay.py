"""Runs a trace's inputs through a new core and compares every decision, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from openral.errors import InputError
from openral.rskill import RskillManifest
from openral.rskill.manifest import MANIFEST
from reasoner_node.brain import BrainReply
from reasoner_node.core import ReasonerCore, Record
from reasoner_node.events import EVENT
from reasoner_node.palette import Palette
from reasoner_node.settings import Settings
from reasoner_node.state import ReasonerState
from reasoner_node.trace import FORMAT, encode


@dataclass(frozen=True)
class Difference:
    """The first record in which the replay decides otherwise."""

    index: int
    recorded: str
    replayed: str


def header(state: ReasonerState, manifests: Mapping[str, RskillManifest]) -> dict[str, Any]:
    """The first record of a trace: all that a new core needs to decide the same."""
    return {
        "in": "header",
        "format": FORMAT,
        "brain": state.brain,
        "brain_is_model": state.brain_is_model,
        "robot": state.robot,
        "can_ask_image": state.can_ask_image,
        "services": sorted(state.services),
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
            brain=record["brain"],
            brain_is_model=record["brain_is_model"],
            robot=record["robot"],
            can_ask_image=record["can_ask_image"],
            services=frozenset(record["services"]),
        )
    except (KeyError, ValidationError) as error:
        raise InputError("a whole header", f"{type(error).__name__}: {error}") from None
    return ReasonerCore(state, sink.append)


def replay(records: Iterable[Mapping[str, Any]]) -> tuple[int, Difference | None]:
    """How many decisions agree, and the first that does not; None = all do.

    Raises:
        InputError: The trace is not one of this format.
    """
    remaining = iter(records)
    sink: list[Record] = []
    core = core_from_header(next(remaining, {}), sink)
    index = 0
    for index, record in enumerate(remaining, start=1):
        if record.get("in") == "note":
            continue
        sink.clear()
        _feed(core, record)
        replayed = encode(sink[0]) if sink else ""
        recorded = encode(record)
        if replayed != recorded:
            return index, Difference(index, recorded, replayed)
    return index, None


def _feed(core: ReasonerCore, record: Mapping[str, Any]) -> None:
    kind = record.get("in")
    try:
        now = float(record["t"])
        if kind == "event":
            core.observe(EVENT.validate_python(record["event"]), now)
        elif kind == "advance":
            core.advance(now)
        elif kind == "prepare":
            core.prepare_tick(now, heartbeat=bool(record["heartbeat"]))
        elif kind == "reply":
            core.finish_tick(now, int(record["tick"]), BrainReply.model_validate(record["reply"]))
        else:
            raise InputError("an input of kind event, advance, prepare or reply", repr(kind))
    except (KeyError, ValidationError, TypeError) as error:
        raise InputError("a whole record", f"{type(error).__name__}: {error}") from None

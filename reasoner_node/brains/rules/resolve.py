"""From the nouns of a goal to labels that are seen, by looking where nothing is known yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from openral.grounding import is_collective_target
from reasoner_node.brains.rules.goal import Goal, Move
from reasoner_node.brains.rules.nouns import Match, match, match_container, nearest
from reasoner_node.context import ContextView
from reasoner_node.scene import Sighting, known_names

SINGLE_LOOKS_KEPT = 1
"""Looks that stay in the budget, so that a goal with many unknown nouns ends in its own words."""

CONTAINER_ITSELF = "it is the container"
NOT_IN_VIEW = "not in view"


@dataclass(frozen=True)
class PlannedTask:
    """One object and its container, by label."""

    label: str
    container: str


@dataclass(frozen=True)
class Plan:
    """The tasks, and the nouns that stand for nothing in view."""

    tasks: tuple[PlannedTask, ...]
    unavailable: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LookFor:
    """A look is needed first."""

    nouns: tuple[str, ...]


@dataclass(frozen=True)
class Ambiguous:
    """A noun that may stand for several labels."""

    noun: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Unresolvable:
    """Why there is nothing to do; `container` where that lacks, `nothing_seen` where all does."""

    why: str
    container: bool = False
    nothing_seen: bool = False


def plan_tasks(goal: Goal, context: ContextView) -> Plan | LookFor | Ambiguous | Unresolvable:
    """The tasks of a goal with every noun grounded, or what stands in the way."""
    first = _first_look(goal, context)
    if first:
        return LookFor(first)
    tasks: list[PlannedTask] = []
    unavailable: list[tuple[str, str]] = []
    for move in goal.moves:
        container = _resolve(move.container, context, match_container)
        if isinstance(container, (LookFor, Ambiguous, Unresolvable)):
            return container
        if not container:
            return _no_container(move.container, context)
        found = _objects(move, container, context)
        if isinstance(found, (LookFor, Ambiguous, Unresolvable)):
            return found
        tasks += [PlannedTask(label, container) for label in found[0]]
        unavailable += found[1]
    unseen = _unseen_beside_everything(goal, unavailable, context)
    if unseen:
        return unseen
    if tasks:
        return Plan(tuple(dict.fromkeys(tasks)), tuple(dict.fromkeys(unavailable)))
    return _no_object(unavailable, goal, context)


def _unseen_beside_everything(
    goal: Goal, unavailable: list[tuple[str, str]], context: ContextView
) -> LookFor | Ambiguous | Unresolvable | None:
    """Why all objects are not moved: another noun of the goal stands for nothing.

    It may be a word that spares one of them and is not known as such.
    """
    if not any(move.all_objects for move in goal.moves):
        return None
    for noun in goal.taken_in:
        label = _resolve(noun, context)
        if isinstance(label, (LookFor, Ambiguous, Unresolvable)):
            return label
        if not label:
            unavailable = [*unavailable, (noun, NOT_IN_VIEW)]
    unseen = [noun for noun, reason in unavailable if reason == NOT_IN_VIEW]
    if not unseen:
        return None
    return Unresolvable(
        f"I cannot see '{unseen[0]}', which is named beside all the objects. "
        + _listing(unseen[0], context)
    )


def words_of_goal(goal: Goal) -> tuple[str, ...]:
    """All nouns of a goal, in order."""
    nouns: list[str] = []
    for move in goal.moves:
        nouns += [*move.objects, *move.excluded, move.container]
    return tuple(dict.fromkeys((*nouns, *goal.taken_in)))


def _first_look(goal: Goal, context: ContextView) -> tuple[str, ...]:
    """Every goal begins with a look at what it names: no task rests on an old picture."""
    if any(look.looked for look in context.looks):
        return ()
    labels = visible(context)
    nouns = [match(noun, labels).label or noun for noun in words_of_goal(goal)]
    if any(move.all_objects for move in goal.moves):
        nouns = [*labels, *nouns]
    concrete = [noun for noun in nouns if not is_collective_target(noun, labels)]
    # A look needs a noun; "objects" of which nothing is known yet cannot be looked for.
    return tuple(dict.fromkeys(concrete or [goal.moves[0].container]))


def _objects(
    move: Move, container: str, context: ContextView
) -> tuple[list[str], list[tuple[str, str]]] | LookFor | Ambiguous | Unresolvable:
    if move.all_objects:
        spared = []
        for noun in move.excluded:
            label = _resolve(noun, context)
            if isinstance(label, (LookFor, Ambiguous, Unresolvable)):
                return label
            if not label:
                # Who spares an object that is not recognised may mean one that would be moved.
                return Unresolvable(
                    f"I cannot see '{noun}', which is to stay where it is. "
                    + _listing(noun, context)
                )
            spared.append(label)
        candidates = [
            label
            for label in visible(context)
            if label not in (container, *spared) and not _inside(label, container, context)
        ]
        return candidates, []
    labels: list[str] = []
    missing: list[tuple[str, str]] = []
    for noun in move.objects:
        label = _resolve(noun, context)
        if isinstance(label, (LookFor, Ambiguous, Unresolvable)):
            return label
        if label and label != container:
            labels.append(label)
        else:
            missing.append((noun, NOT_IN_VIEW if not label else CONTAINER_ITSELF))
    return labels, missing


def _resolve(
    noun: str,
    context: ContextView,
    matching: Callable[[str, Iterable[str]], Match] = match,
) -> str | LookFor | Ambiguous | Unresolvable:
    """The label of a noun; a noun that no label resembles is looked for by itself, once."""
    labels = visible(context)
    if is_collective_target(noun, labels):
        return Unresolvable(
            f"'{noun}' stands for several objects. Name each of them, or say 'all the objects'. "
            + _listing("", context)
        )
    found = matching(noun, labels)
    if found.label:
        return found.label
    if found.labels:
        return Ambiguous(noun, found.labels)
    alone = [look for look in context.looks if look.nouns == (noun,) and look.looked]
    if alone:
        last = alone[-1]
        return last.labels[0] if last.found and len(last.labels) == 1 else ""
    if context.locate_left <= SINGLE_LOOKS_KEPT:
        return ""
    return LookFor((noun,))


def visible(context: ContextView) -> tuple[str, ...]:
    """Labels that are in view or were located."""
    in_view = known_names(context.in_view, context.settings.in_view_max_age_s)
    located = known_names(context.located)
    return tuple(dict.fromkeys((*located, *in_view)))


def _inside(label: str, container: str, context: ContextView) -> bool:
    """Whether the camera from above shows the object within the container's box."""
    above = [
        s
        for s in (*context.in_view, *context.located)
        if s.camera == context.settings.verify_camera
    ]
    newest = _newest(above, container)
    target = _newest(above, label)
    return bool(newest and target and newest.seen.holds(target.seen.centre))


def _newest(sightings: Iterable[Sighting], label: str) -> Sighting | None:
    found = [s for s in sightings if s.seen.label == label]
    return min(found, key=lambda s: s.age_s, default=None)


def _no_container(noun: str, context: ContextView) -> Unresolvable:
    seen = visible(context)
    if not seen:
        return Unresolvable(f"I see nothing at all, so no {noun} either.", True, True)
    return Unresolvable(f"I see no {noun} to put things into. {_listing(noun, context)}", True)


def _no_object(
    unavailable: list[tuple[str, str]], goal: Goal, context: ContextView
) -> Unresolvable:
    if not unavailable:
        return Unresolvable(
            "I see no object that is not in its container already. " + _listing("", context)
        )
    itself = [noun for noun, reason in unavailable if reason == CONTAINER_ITSELF]
    if itself:
        return Unresolvable(f"I cannot put '{itself[0]}' into itself. {_listing('', context)}")
    names = ", ".join(f"'{noun}'" for noun, _ in unavailable)
    return Unresolvable(f"I cannot see {names}. {_listing(unavailable[0][0], context)}")


def _listing(noun: str, context: ContextView) -> str:
    seen = visible(context)
    guess = nearest(noun, seen) if noun else ""
    hint = f" Did you mean '{guess}'?" if guess else ""
    return f"In view: {', '.join(seen) or 'nothing'}.{hint}"

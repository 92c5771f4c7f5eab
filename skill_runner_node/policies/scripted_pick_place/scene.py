"""What stands where, from one look: names from the detector, geometry from depth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from skill_runner_node.policies.scripted_pick_place import height_map
from skill_runner_node.policies.scripted_pick_place.association import boxes_of, cropped, match
from skill_runner_node.policies.scripted_pick_place.container import Container, measure, without
from skill_runner_node.policies.scripted_pick_place.footprint import Footprint, fit
from skill_runner_node.policies.scripted_pick_place.height_map import TABLE, Body, HeightMap, Table
from skill_runner_node.policy import Outcome, View

Array = npt.NDArray[np.float64]
GROW_CELLS = 3
"""Cells around a body that are taken to be its own: depth at its edge mixes it with the table."""
MIN_CONTAINER = 0.10
"""[m]: an opening narrower than that takes no object with the fingers around it."""


@dataclass(frozen=True)
class Scene:
    """The table as the policy sees it.

    Attributes:
        heights: Everything.
        around: Everything but the object.
        body: The object; None where none was asked for.
        container: The container; None where none was asked for.
        inside: Whether the object is in the container already.
    """

    heights: HeightMap
    around: HeightMap
    body: Footprint | None
    container: Container | None
    inside: bool = False


class SceneError(Exception):
    """A look that nothing can be planned on."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        self.outcome = outcome
        super().__init__(reason)


def estimate(
    views: Mapping[str, View], target: str | None, container: str | None, table: Table = TABLE
) -> Scene:
    """The scene from one look.

    Args:
        views: By camera; at least one with depth that looks down at the table.
        target: Label of the object; None = only the rest is of interest.
        container: Label of the container; None = there is none.
        table: What of it is looked at.

    Raises:
        SceneError: OBSERVATION if images are missing, NOT_FOUND if a name is not in view.
    """
    seen = list(views.values())
    with_depth = [view for view in seen if view.depth is not None]
    if not with_depth:
        cameras = ", ".join(views) or "no camera"
        raise SceneError(Outcome.OBSERVATION, f"expected a depth image, got none from {cameras}")
    heights = _heights(with_depth, table)
    bodies = height_map.bodies(heights)
    for label in (target, container):
        if label is not None and not boxes_of(label, seen):
            raise SceneError(Outcome.NOT_FOUND, _not_seen(label, seen))

    bin_body = match(container, seen, bodies) if container is not None else None
    if container is not None and bin_body is None:
        raise SceneError(Outcome.NOT_FOUND, f"'{container}' is seen, but nothing stands there")
    opening = measure(bin_body, heights) if bin_body is not None else None
    if container is not None and opening is None:
        raise SceneError(Outcome.NOT_FOUND, f"'{container}' is seen, but has no opening")
    if opening is not None and min(opening.half) < MIN_CONTAINER / 2:
        raise SceneError(
            Outcome.NOT_FOUND,
            f"'{container}' is seen, but its opening is {2 * min(opening.half):.2f} m wide",
        )
    if target is None:
        return Scene(heights, heights, None, opening)
    rest = bodies if opening is None else height_map.bodies(without(heights, opening))
    own = match(target, seen, rest)
    if own is None:
        if opening is not None and _in_opening(target, seen, opening):
            return Scene(heights, heights, None, opening, inside=True)
        raise SceneError(Outcome.NOT_FOUND, f"'{target}' is seen, but nothing stands there")
    own = cropped(own, target, seen, heights)
    return Scene(heights, heights.without(_grown(own)), fit(own.points), opening)


def _heights(views: list[View], table: Table) -> HeightMap:
    maps = [
        height_map.build(view.depth, view.model, table) for view in views if view.depth is not None
    ]
    if len(maps) == 1:
        return maps[0]
    height = np.fmax.reduce([one.height for one in maps])
    return HeightMap(height, np.concatenate([one.points for one in maps]), table)


def _grown(body: Body) -> npt.NDArray[np.bool_]:
    size = 2 * GROW_CELLS + 1
    kernel = np.ones((size, size), np.uint8)
    grown: npt.NDArray[np.bool_] = cv2.dilate(body.mask.astype(np.uint8), kernel).astype(bool)
    return grown


def _in_opening(label: str, views: list[View], opening: Container) -> bool:
    """Whether a camera sees the label over the opening, at the height of the rim or below."""
    for view, box in boxes_of(label, views):
        low = view.model.ray_plane(np.array(box.centre), opening.floor)
        high = view.model.ray_plane(np.array(box.centre), opening.rim)
        if opening.contains(low[:2]) and opening.contains(high[:2]):
            return True
    return False


def _not_seen(label: str, views: list[View]) -> str:
    notes = "; ".join(f"{view.camera}: {view.message}" for view in views if view.message)
    cameras = ", ".join(view.camera for view in views)
    return f"expected '{label}' in view of {cameras}, got none" + (f" ({notes})" if notes else "")

"""What the cameras show of a task: where the object stood, and whether it lies in the container."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skill_runner_node.policies.scripted_pick_place import height_map
from skill_runner_node.policies.scripted_pick_place.association import boxes_of, cropped, match
from skill_runner_node.policies.scripted_pick_place.container import Container, measure, without
from skill_runner_node.policies.scripted_pick_place.footprint import Footprint, fit
from skill_runner_node.policies.scripted_pick_place.height_map import CELL, HeightMap
from skill_runner_node.policy import Box, View
from skill_runner_node.reward.settings import RewardSettings

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Sight:
    """One moment, seen with the arm out of the way.

    Attributes:
        heights: The table.
        container: Where its opening is; None = not seen or not asked for.
        body: The object standing on the table; None = not there.
        inside: Whether the detector sees the object's label inside the opening, below the rim.
        elsewhere: Whether it sees the label anywhere else.
    """

    heights: HeightMap
    container: Container | None
    body: Footprint | None
    inside: bool
    elsewhere: bool


def see(
    views: Mapping[str, View],
    target: str,
    container: str,
    known: Container | None,
    settings: RewardSettings,
) -> Sight | None:
    """What views show; None where no depth is among them.

    Args:
        views: Detections and depth of about the same moment.
        target: Label of the object.
        container: Label of the container; empty = none.
        known: The container as it was seen before, for when its box is missing now.
        settings: Tolerances.
    """
    seen = list(views.values())
    deep = [view for view in seen if view.depth is not None]
    if not deep:
        return None
    depth = deep[0].depth
    assert depth is not None
    heights = height_map.build(depth, deep[0].model, settings.table)
    bodies = height_map.bodies(heights)
    bin_body = match(container, seen, bodies) if container else None
    opening = (measure(bin_body, heights) if bin_body is not None else None) or known
    if opening is not None:
        bodies = height_map.bodies(without(heights, opening))
    own = match(target, seen, bodies)
    body = fit(cropped(own, target, seen, heights).points) if own is not None else None
    marks = [(view, box, _within(view, box, opening)) for view, box in boxes_of(target, seen)]
    inside = any(is_in and _below_rim(view, box, opening, settings) for view, box, is_in in marks)
    elsewhere = body is not None or any(not is_in for _, _, is_in in marks)
    return Sight(heights, opening, body, inside, elsewhere)


def fills(before: Sight, after: Sight, body: Footprint, settings: RewardSettings) -> bool:
    """Whether something of the object's size is new inside the container, and below its rim.

    Args:
        before: Before it was picked up.
        after: After it was let go.
        body: The object as it stood.
        settings: Tolerances.
    """
    opening = after.container
    if opening is None or before.container is None:
        return False
    if np.hypot(*(opening.centre - before.container.centre)) > settings.container_moved:
        return False
    mask = after.heights.inside(opening.opening())
    with np.errstate(invalid="ignore"):
        risen = mask & (_filled(after.heights) - _filled(before.heights) > settings.new_height)
        high = mask & (after.heights.height > opening.rim + settings.above_rim)
    smallest = min(body.size) * min(max(body.size), body.height)
    enough = bool(risen.sum() * CELL**2 >= settings.new_share * smallest)
    return enough and int(high.sum()) < settings.stray_cells


def gone(before: Footprint, after: Sight, settings: RewardSettings) -> bool:
    """Whether nothing stands any more where the object stood."""
    top = after.heights.top(before.corners(-settings.edge))
    return top < settings.flat


def _filled(heights: HeightMap) -> Array:
    return np.where(np.isfinite(heights.height), heights.height, 0.0)


def _within(view: View, box: Box, opening: Container | None) -> bool:
    """Whether a box can be something inside the container: its ray goes through the opening."""
    if opening is None:
        return False
    low = view.model.ray_plane(np.array(box.centre), opening.floor + 0.02)[:2]
    high = view.model.ray_plane(np.array(box.centre), opening.rim)[:2]
    ends = [end for end in (low, high) if np.isfinite(end).all()]
    return any(opening.contains(end) for end in ends)


def _below_rim(view: View, box: Box, opening: Container | None, settings: RewardSettings) -> bool:
    """Whether depth shows the box's middle inside the opening, below the rim."""
    if opening is None or view.depth is None:
        return False
    column, row = (round(value) for value in box.centre)
    patch = view.depth[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3]
    patch = patch[np.isfinite(patch)]
    if not len(patch):
        return False
    point = view.model.unproject(np.array(box.centre), np.array(float(np.median(patch))))
    return opening.contains(point[:2]) and float(point[2]) < opening.rim + settings.above_rim

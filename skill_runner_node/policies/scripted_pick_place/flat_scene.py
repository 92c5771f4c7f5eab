"""The scene without depth: outlines in an image, and the heights that the catalogue knows.

Only what the detector names is seen: an unknown thing on the table is not in the map.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from skill_runner_node.catalogue_sizes import Size
from skill_runner_node.policies.scripted_pick_place import silhouette
from skill_runner_node.policies.scripted_pick_place.container import RIM_WIDTH, Container
from skill_runner_node.policies.scripted_pick_place.footprint import Footprint
from skill_runner_node.policies.scripted_pick_place.height_map import TABLE, HeightMap, Table
from skill_runner_node.policies.scripted_pick_place.scene import Scene, SceneError
from skill_runner_node.policy import Outcome, View

Array = npt.NDArray[np.float64]
EDGE = 0.006
"""[m] that every body is taken to be larger: an outline is not as exact as depth."""


def estimate_flat(
    views: Mapping[str, View],
    sizes: Mapping[str, Size],
    target: str | None,
    container: str | None,
    table: Table = TABLE,
) -> Scene:
    """The scene from the image of the camera that looks down most.

    Args:
        views: By camera, with images and the boxes of everything that is known.
        sizes: Of everything that is known.
        target: Label of the object; None = only the rest is of interest.
        container: Label of the container; None = there is none.
        table: What of it is looked at.

    Raises:
        SceneError: OBSERVATION if no image or no size is there, NOT_FOUND if a name is not seen.
    """
    pictures = [view for view in views.values() if view.image is not None]
    if not pictures:
        raise SceneError(Outcome.OBSERVATION, "expected a depth image or a picture, got neither")
    view = min(pictures, key=lambda view: float(view.model.pose[2, 2]))
    for label in (target, container):
        if label is not None and label not in sizes:
            known = ", ".join(sizes)
            raise SceneError(Outcome.OBSERVATION, f"no size of '{label}'; sizes are of {known}")
    bodies = {label: body for label in sizes if (body := _body(view, label, sizes[label]))}
    for label in (target, container):
        if label is not None and label not in bodies:
            raise SceneError(
                Outcome.NOT_FOUND, f"expected '{label}' in view of {view.camera}, got none"
            )
    opening = _opening(bodies[container]) if container is not None else None
    things = {label: body for label, body in bodies.items() if label != container}
    heights = _map(things, opening, table)
    if target is None:
        return Scene(heights, heights, None, opening)
    body = bodies[target]
    if opening is not None and opening.contains(body.centre):
        return Scene(heights, heights, None, opening, inside=True)
    others = {label: thing for label, thing in things.items() if label != target}
    around = _map(others, opening, table)
    return Scene(heights, around, body, opening)


def _body(view: View, label: str, size: Size) -> Footprint | None:
    boxes = [box for box in view.boxes if box.label == label]
    if not boxes or view.image is None:
        return None
    hull = silhouette.outline(view.image, max(boxes, key=lambda box: box.score))
    return None if hull is None else silhouette.stand(hull, view.model, size.height)


def _opening(body: Footprint) -> Container:
    half = (body.size[0] / 2 - RIM_WIDTH, body.size[1] / 2 - RIM_WIDTH)
    return Container(body.centre, body.yaw, half, body.height)


def _map(things: Mapping[str, Footprint], opening: Container | None, table: Table) -> HeightMap:
    blank = HeightMap(np.zeros(table.shape), np.zeros((0, 3)), table)
    height = blank.height
    if opening is not None:
        height[blank.inside(opening.opening(RIM_WIDTH + EDGE))] = opening.rim
        height[blank.inside(opening.opening())] = opening.floor
    for body in things.values():
        mask = blank.inside(body.corners(EDGE))
        height[mask] = np.maximum(height[mask], body.height)
    return HeightMap(height, blank.points, table)

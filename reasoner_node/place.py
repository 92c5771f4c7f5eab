"""Where a task puts its object, and what one picture proves about that."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from openral.camera_model import CameraConfig
from reasoner_node.events import Seen


@dataclass(frozen=True)
class Place:
    """A container, or a point on the table.

    Attributes:
        container: Its label; empty where it is a point.
        point: [m] x, y on the table, in the robot's base frame.
    """

    container: str = ""
    point: tuple[float, float] | None = None


@dataclass(frozen=True)
class PlaceCheck:
    """How a picture is held against a point on the table.

    Attributes:
        camera: Calibration of the camera that looks; None = it is not known.
        tolerance_m: [m] from the point within which an object lies there.
        height_max_m: [m] of the tallest object.
    """

    camera: CameraConfig | None
    tolerance_m: float
    height_max_m: float


def place_of(params: Mapping[str, Any]) -> Place | None:
    """The place in a skill's parameters; None = they name none, so nothing can be checked."""
    container, position = params.get("container"), params.get("position")
    if isinstance(container, str) and container:
        return Place(container=container)
    if isinstance(position, (list, tuple)) and len(position) == 2:
        return Place(point=(float(position[0]), float(position[1])))
    return None


def elsewhere(label: str, place: Place, detections: Sequence[Seen], check: PlaceCheck) -> str:
    """Where an object is, if it is not proved to be at its place; empty = it is there.

    An object that is not seen may well lie below others in its container; on the table it has to be
    seen.
    """
    if place.point is None:
        return outside(label, place.container, detections)
    x, y = place.point
    target = f"({x:.2f}, {y:.2f}) m"
    if check.camera is None or check.camera.parent != "world":
        return f"cannot be looked for at {target}: no camera at a fixed, known place looks there"
    found = [seen for seen in detections if seen.label == label]
    if not found:
        return f"is not seen at its place {target} on the table"
    off = min(_distance(seen, place.point, check.camera, check.height_max_m) for seen in found)
    if off <= check.tolerance_m:
        return ""
    return f"is seen {off:.2f} m from its place {target} on the table"


def outside(label: str, container: str, detections: Sequence[Seen]) -> str:
    """Where an object is, if it is not in its container; empty = nothing speaks against it.

    The camera looks from above: what is in the container has its middle in the container's box.
    """
    boxes = [seen for seen in detections if seen.label == container]
    for seen in detections:
        if seen.label != label:
            continue
        if not boxes:
            return f"is seen, and no {container} around it"
        if not any(box.holds(seen.centre) for box in boxes):
            x, y = seen.centre
            return f"is seen outside of the {container} at pixel ({x:.0f}, {y:.0f})"
    return ""


def _distance(
    seen: Seen, point: tuple[float, float], camera: CameraConfig, height_max_m: float
) -> float:
    """[m] on the table between a point and the nearest place where the object may stand.

    The middle of the box lies at an unknown height, so the object stands somewhere below the ray
    through it, between where that meets the table and where it meets the greatest height.
    """
    model = camera.model()
    low, high = (model.ray_plane(seen.centre, z)[:2] for z in (0.0, height_max_m))
    along = high - low
    offset = (point[0] - low[0], point[1] - low[1])
    length = float(along @ along)
    share = 0.0
    if length > 0.0:
        share = min(1.0, max(0.0, float(offset[0] * along[0] + offset[1] * along[1]) / length))
    nearest = low + share * along
    off = math.hypot(float(nearest[0]) - point[0], float(nearest[1]) - point[1])
    return off if math.isfinite(off) else math.inf

"""Which body on the table a detector's box belongs to: the one whose own outline fills the box."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from openral.camera_model import CameraModel
from skill_runner_node.policies.scripted_pick_place.height_map import Body, HeightMap
from skill_runner_node.policy import Box, View

Array = npt.NDArray[np.float64]
MIN_OVERLAP = 0.35
"""Intersection over union below which a body and a box have nothing to do with each other."""

SLACK = 3.0
"""[px] that a box may cut off."""
LEAST_POINTS = 30
WHOLE = 0.97
"""Share of a body's points in the box from which on the box holds all of it."""


def outline(points: Array, camera: CameraModel) -> Array:
    """(4,) x_min, y_min, x_max, y_max [px] of a body in an image, cut to the image.

    Args:
        points: (n, 3) [m] of its upper surface; it reaches down to the table below them.
        camera: The image's camera.
    """
    feet = points.copy()
    feet[:, 2] = 0.0
    pixels = camera.project(np.concatenate([points, feet]))
    low, high = np.nanmin(pixels, axis=0), np.nanmax(pixels, axis=0)
    size = np.array([camera.width - 1, camera.height - 1], float)
    return np.concatenate([np.clip(low, 0.0, size), np.clip(high, 0.0, size)])


def overlap(first: Array, second: Array) -> float:
    """Intersection over union of two boxes (4,) [px]."""
    common = np.minimum(first[2:], second[2:]) - np.maximum(first[:2], second[:2])
    shared = float(np.prod(np.maximum(0.0, common)))
    areas = float(np.prod(first[2:] - first[:2]) + np.prod(second[2:] - second[:2]))
    return shared / max(1e-9, areas - shared)


def boxes_of(label: str, views: Iterable[View]) -> list[tuple[View, Box]]:
    """Every detection of `label`, with the view that it is from."""
    return [(view, box) for view in views for box in view.boxes if box.label == label]


def cropped(body: Body, label: str, views: Sequence[View], heights: HeightMap) -> Body:
    """The part of a body that lies in the label's own boxes: two things that touch are one body."""
    points = body.points
    for view in views:
        boxes = [box for box in view.boxes if box.label == label]
        if view.depth is None or len(boxes) != 1:
            continue
        pixels, box = view.model.project(points), boxes[0]
        inside = (
            (pixels[:, 0] > box.x_min - SLACK)
            & (pixels[:, 0] < box.x_max + SLACK)
            & (pixels[:, 1] > box.y_min - SLACK)
            & (pixels[:, 1] < box.y_max + SLACK)
        )
        points = points[inside]
    if len(points) < LEAST_POINTS or len(points) > WHOLE * len(body.points):
        return body
    mask = np.zeros_like(body.mask)
    mask[tuple(heights.index(points[:, :2]).T)] = True
    return Body(mask, points)


def match(label: str, views: Sequence[View], bodies: Sequence[Body]) -> Body | None:
    """The body that carries `label`: most overlap, summed over the cameras that see the label."""
    best: Body | None = None
    most = 0.0
    for body in bodies:
        total = 0.0
        for view in views:
            frame = outline(body.points, view.model)
            total += max(
                (
                    overlap(frame, np.array([box.x_min, box.y_min, box.x_max, box.y_max]))
                    for box in view.boxes
                    if box.label == label
                ),
                default=0.0,
            )
        if total > most:
            best, most = body, total
    return best if most >= MIN_OVERLAP else None

"""Where a body of known height stands, from its outline in one image: no depth needed.

A camera that looks down sees the top of a body displaced outwards from its foot (parallax). The
outline is that of a prism, so the prism whose own outline covers it best is where the body stands.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from openral.camera_model import CameraModel
from skill_runner_node.policies.scripted_pick_place.footprint import Footprint, fit
from skill_runner_node.policy import Box

Array = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
BORDER = 10
"""[px] around a box in which the background's colour is taken."""
STEPS = (0.01, 0.004, 0.0015)
"""[m] and, times ten, [rad] of the search, from coarse to fine."""
SMALLEST = 0.02
"""[m] of a side."""
FREEDOM = 0.01
"""Cover by which a rectangle must be better than a circle to be believed."""


def outline(image: Image, box: Box) -> Array | None:
    """(n, 2) convex outline [px] of what is in a box; None where nothing stands out.

    Args:
        image: (height, width, 3) uint8 rgb.
        box: Detection of one body on a plain ground.
    """
    height, width = image.shape[:2]
    left, top = max(0, int(box.x_min) - BORDER), max(0, int(box.y_min) - BORDER)
    right, bottom = min(width, int(box.x_max) + BORDER), min(height, int(box.y_max) + BORDER)
    patch = cv2.cvtColor(np.ascontiguousarray(image[top:bottom, left:right]), cv2.COLOR_RGB2LAB)
    inner = np.zeros(patch.shape[:2], bool)
    inner[BORDER - 2 : 2 - BORDER, BORDER - 2 : 2 - BORDER] = True
    ground = patch[~inner].reshape(-1, 3).astype(float)
    if not len(ground) or not inner.any():
        return None
    middle = np.median(ground, axis=0)
    spread = np.median(np.abs(ground - middle), axis=0) + 3.0
    apart = np.linalg.norm((patch.astype(float) - middle) / spread, axis=2)
    mask = ((apart > 4.0) & inner).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    rows, columns = np.nonzero(labels == largest)
    hull = cv2.convexHull(np.column_stack([columns + left, rows + top]).astype(np.float32))
    return np.asarray(hull[:, 0, :], float)


def stand(hull: Array, camera: CameraModel, height: float) -> Footprint:
    """The upright body of `height` [m] whose outline in the image is `hull` (n, 2) [px]."""
    seen = fit(camera.ray_plane(hull, height / 2))
    best: Footprint | None = None
    best_value = -1.0
    for shape in (_rectangle, _circle):
        start = np.array([*seen.centre, seen.yaw, *seen.size])
        values, value = _search(start, hull, camera, partial(shape, height=height))
        # A rectangle has more freedom than a circle, and so covers a little more of anything.
        if value > best_value - (FREEDOM if shape is _circle else 0.0):
            best, best_value = shape(values, height), value
    assert best is not None
    return best


def _rectangle(values: Array, height: float) -> Footprint:
    x, y, yaw, first, second = values
    size = (max(SMALLEST, float(first)), max(SMALLEST, float(second)))
    return Footprint(np.array([x, y]), float(yaw), size, height, False)


def _circle(values: Array, height: float) -> Footprint:
    x, y, _, side, _ = values
    side = max(SMALLEST, float(side))
    return Footprint(np.array([x, y]), 0.0, (side, side), height, True)


def _search(
    start: Array, hull: Array, camera: CameraModel, make: Callable[[Array], Footprint]
) -> tuple[Array, float]:
    """Pattern search for the body whose outline overlaps the seen one most."""
    values, value = start, _cover(make(start), hull, camera)
    for step in STEPS:
        for _ in range(8):
            before = value
            for direction in _directions(float(values[2])):
                trial = values + step * direction
                trial_value = _cover(make(trial), hull, camera)
                if trial_value > value:
                    values, value = trial, trial_value
            if value - before < 1e-4:
                break
    return values, value


def _directions(yaw: float) -> Array:
    """Changes of x, y, yaw and both sides: each alone, and each of the four edges moved alone."""
    alone = np.diag([1.0, 1.0, 10.0, 1.0, 1.0])
    cos, sin = np.cos(yaw) / 2, np.sin(yaw) / 2
    edges = [[sign * cos, sign * sin, 0.0, 1.0, 0.0] for sign in (1.0, -1.0)] + [
        [-sign * sin, sign * cos, 0.0, 0.0, 1.0] for sign in (1.0, -1.0)
    ]
    ways = np.concatenate([alone, np.array(edges)])
    return np.concatenate([ways, -ways])


def _cover(body: Footprint, hull: Array, camera: CameraModel) -> float:
    """Intersection over union of the body's outline and the seen one."""
    if body.round:
        angles = np.arange(20) * 2 * np.pi / 20
        ring = body.centre + body.size[0] / 2 * np.column_stack([np.cos(angles), np.sin(angles)])
        points = np.concatenate([np.column_stack([ring, np.full(20, z)]) for z in (0, body.height)])
    else:
        points = body.prism()
    own = cv2.convexHull(camera.project(points).astype(np.float32))
    seen = hull.astype(np.float32).reshape(-1, 1, 2)
    shared, _ = cv2.intersectConvexConvex(own, seen)
    union = cv2.contourArea(own) + cv2.contourArea(seen) - shared
    return float(shared / union) if union > 0 else 0.0

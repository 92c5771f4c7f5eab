"""The same detections as `vision_msgs/Detection2DArray`, where that package is installed."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class VisionTypes:
    """Message classes of `vision_msgs`."""

    array: Any
    detection: Any
    hypothesis: Any


def vision_types(package: str = "vision_msgs.msg") -> VisionTypes | None:
    """The classes, or None where the package is not installed."""
    try:
        module = importlib.import_module(package)
    except ImportError:
        return None
    return VisionTypes(module.Detection2DArray, module.Detection2D, module.ObjectHypothesisWithPose)


def to_vision_array(types: VisionTypes, detections: Any) -> Any:
    """A `vision_msgs/Detection2DArray` (version 4) of an `openral_msgs/DetectionArray`."""
    array = types.array()
    array.header = detections.header
    for source in detections.detections:
        target = types.detection()
        target.header = detections.header
        target.id = str(source.det_id)
        target.bbox.center.position.x = (source.x_min + source.x_max) / 2.0
        target.bbox.center.position.y = (source.y_min + source.y_max) / 2.0
        target.bbox.size_x = float(source.x_max - source.x_min)
        target.bbox.size_y = float(source.y_max - source.y_min)
        result = types.hypothesis()
        result.hypothesis.class_id = source.label
        result.hypothesis.score = float(source.score)
        target.results.append(result)
        array.detections.append(target)
    return array

"""Sizes of the things that the detector knows, for robots whose cameras measure no depth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from openral import yaml_file

CLUTTER = "clutter"


class _Entry(BaseModel):
    # The file belongs to perception; what else it says does not matter here.
    model_config = ConfigDict(frozen=True, extra="ignore")

    label: str = Field(min_length=1)
    kind: str = "object"
    height_m: float | None = Field(None, gt=0.0, le=3.0)
    width_m: float | None = Field(None, gt=0.0, le=3.0)


@dataclass(frozen=True)
class Size:
    """How big a known thing is.

    Attributes:
        height: [m] when it stands.
        width: [m] of a side, a container's outer one.
    """

    height: float
    width: float


def load_sizes(folder: Path) -> dict[str, Size]:
    """Sizes by label from ``<folder>/<name>/object.yaml``; entries without sizes are left out.

    Raises:
        ConfigError: Names the file, and the line or each bad field with its value.
    """
    sizes = {}
    for path in sorted(folder.glob("*/object.yaml")):
        entry = yaml_file.load(path, _Entry)
        if entry.kind != CLUTTER and entry.height_m is not None and entry.width_m is not None:
            sizes[entry.label] = Size(entry.height_m, entry.width_m)
    return sizes

"""Sizes of the things that the detector knows, for robots whose cameras measure no depth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from openral.errors import ConfigError

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
        ConfigError: Names file and field of an entry that cannot be read.
    """
    sizes = {}
    for path in sorted(folder.glob("*/object.yaml")):
        try:
            entry = _Entry.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise ConfigError(f"{path}: expected YAML, got {error}") from None
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"])
            raise ConfigError(
                f"{path}: field '{name}' = {first['input']!r}: {first['msg']}"
            ) from None
        if entry.kind != CLUTTER and entry.height_m is not None and entry.width_m is not None:
            sizes[entry.label] = Size(entry.height_m, entry.width_m)
    return sizes

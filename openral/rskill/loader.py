"""Reads manifests from ``<root>/<name>/rskill.yaml``, and nothing outside of that folder.

Usage::

    rskills = load_rskills(Path("config/rskills"))
    rskills["pick_place"].params.parse('{"object": "milk", "container": "basket"}')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from openral import yaml_file
from openral.rskill.errors import ManifestError
from openral.rskill.manifest import MODEL_BY_KIND, RskillManifest
from openral.validation import validate

FILE_NAME = "rskill.yaml"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")


def load_rskill(root: Path, name: str) -> RskillManifest:
    """The manifest of the rSkill `name` under the folder `root`.

    Raises:
        ManifestError: Names file, field, value and valid range.
    """
    if not _NAME.fullmatch(name):
        raise ManifestError(f"rSkill name {name!r}: valid is {_NAME.pattern}")
    path = root / name / FILE_NAME
    try:
        resolved = path.resolve(strict=True)
    except (OSError, RuntimeError):
        raise ManifestError(
            f"{path}: no such file; the rSkills are {', '.join(names(root)) or 'none'}"
        ) from None
    # `colcon build --symlink-install` links each file to its namesake in the source tree.
    linked = resolved.parts[-2:] == (name, FILE_NAME)
    if not linked and not resolved.is_relative_to(root.resolve()):
        raise ManifestError(f"{path}: leads outside of its folder {root}")
    manifest = _manifest(yaml_file.read(resolved, ManifestError), str(path))
    if manifest.id != name:
        raise ManifestError(
            f"{path}: field 'id' = {manifest.id!r}: valid is its folder's name {name!r}"
        )
    return manifest


def load_rskills(root: Path) -> dict[str, RskillManifest]:
    """Every manifest under `root`, by id.

    Raises:
        ManifestError: If `root` is no folder, or any manifest is bad.
    """
    if not root.is_dir():
        raise ManifestError(f"{root}: expected a folder of rSkills, got none")
    return {name: load_rskill(root, name) for name in names(root)}


def names(root: Path) -> list[str]:
    """Names of the rSkills under `root`, sorted."""
    if not root.is_dir():
        return []
    return sorted(
        path.parent.name
        for path in root.glob(f"*/{FILE_NAME}")
        if _NAME.fullmatch(path.parent.name)
    )


def parse_manifest(text: str, source: str) -> RskillManifest:
    """A manifest from its YAML text; `source` names it in errors.

    Raises:
        ManifestError: Names source, field, value and valid range.
    """
    return _manifest(yaml_file.parse(text, source, ManifestError), source)


def _manifest(data: Mapping[Any, Any], source: str) -> RskillManifest:
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in MODEL_BY_KIND:
        raise ManifestError(
            f"{source}: field 'kind' = {kind!r}: valid is one of {', '.join(MODEL_BY_KIND)}"
        )
    manifest: RskillManifest = validate(data, MODEL_BY_KIND[kind], source, ManifestError)
    return manifest

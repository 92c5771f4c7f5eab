"""Reads manifests from ``<root>/<name>/rskill.yaml``, and nothing outside of that folder.

Usage::

    rskills = load_rskills(Path("config/rskills"))
    rskills["pick_place"].params.parse('{"object": "milk", "container": "basket"}')
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from openral.ros.parameters import valid_range
from openral.rskill.errors import ManifestError
from openral.rskill.manifest import MANIFEST, MODEL_BY_KIND, RskillManifest

FILE_NAME = "rskill.yaml"
MAX_MANIFEST_BYTES = 65536
_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")


class _UniqueKeyLoader(yaml.SafeLoader):
    """YAML keeps the last of two equal keys in silence; two deadlines are a mistake."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=deep)
            if isinstance(key, Hashable) and key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"duplicate key {key!r}", key_node.start_mark
                )
            if isinstance(key, Hashable):
                seen.add(key)
        return super().construct_mapping(node, deep=deep)


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
    manifest = parse_manifest(_read(resolved), str(path))
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
    try:
        # The loader derives from SafeLoader, so no tag builds a Python object.
        data = yaml.load(text, Loader=_UniqueKeyLoader)  # noqa: S506
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        problem = " ".join(str(error).split())
        raise ManifestError(f"{source}: expected YAML, got {problem[:300]}") from None
    if not isinstance(data, dict):
        raise ManifestError(f"{source}: expected a mapping of fields, got {type(data).__name__}")
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in MODEL_BY_KIND:
        raise ManifestError(
            f"{source}: field 'kind' = {kind!r}: valid is one of {', '.join(MODEL_BY_KIND)}"
        )
    try:
        return MANIFEST.validate_python(data)
    except ValidationError as error:
        problems = [_explain(MODEL_BY_KIND[kind], problem) for problem in error.errors()]
        raise ManifestError(f"{source}: " + "; ".join(problems)) from None


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_MANIFEST_BYTES + 1)
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ManifestError(f"{path}: expected a UTF-8 text file, got {error}") from None
    if len(data) > MAX_MANIFEST_BYTES:
        raise ManifestError(f"{path}: expected at most {MAX_MANIFEST_BYTES} bytes, got more")
    return text


def _explain(model: type[BaseModel], problem: Any) -> str:
    # The first part of the place is the discriminator's tag, which is the kind again.
    place = list(problem["loc"][1:])
    name = ".".join(str(part) for part in place)
    if problem["type"] == "extra_forbidden":
        owner = _owner(model, place[:-1])
        known = ", ".join(sorted(owner.model_fields)) if owner else "unknown"
        return f"field '{name}' is unknown; the fields are {known}"
    if problem["type"] == "missing":
        field = _field(model, place)
        return (
            f"field '{name}' is missing: valid is {valid_range(field) if field else problem['msg']}"
        )
    field = _field(model, place)
    valid = valid_range(field) if field else problem["msg"]
    if problem["type"] == "value_error":
        return f"fields of '{name or 'the manifest'}' disagree: {problem['msg']}"
    return f"field '{name}' = {str(problem['input'])[:120]!r}: valid is {valid} ({problem['msg']})"


def _owner(model: type[BaseModel] | None, place: list[Any]) -> type[BaseModel] | None:
    """The model that holds the field at the end of `place`; None behind a plain container."""
    for part in place:
        field = model.model_fields.get(part) if model and isinstance(part, str) else None
        inner = field.annotation if field else None
        model = inner if isinstance(inner, type) and issubclass(inner, BaseModel) else None
    return model


def _field(model: type[BaseModel], place: list[Any]) -> FieldInfo | None:
    if not place or not isinstance(place[-1], str):
        return None
    owner = _owner(model, place[:-1])
    return owner.model_fields.get(place[-1]) if owner else None

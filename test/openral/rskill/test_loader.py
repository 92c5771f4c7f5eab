"""Manifests load whole or are refused with file, field, value and valid range."""

from __future__ import annotations

from pathlib import Path

import pytest

from openral.rskill import ManifestError, ScriptedManifest, load_rskill, load_rskills
from openral.rskill.loader import parse_manifest
from openral.rskill.manifest import MODEL_BY_KIND
from openral.yaml_file import MAX_BYTES

CONFIG = Path(__file__).parents[3] / "config" / "rskills"
GOOD = """
kind: scripted
id: pick_place
description: picks
policy: scripted_pick_place
deadline_s: 60.0
params:
  fields:
    object: {type: string, required: true, description: label}
"""


def write(root: Path, name: str, text: str) -> None:
    (root / name).mkdir(parents=True, exist_ok=True)
    (root / name / "rskill.yaml").write_text(text, encoding="utf-8")


def test_the_shipped_manifests_load() -> None:
    rskills = load_rskills(CONFIG)
    assert rskills["pick_place"].kind == "scripted"
    assert rskills["reward_geometric"].kind == "reward"


def test_a_good_manifest_loads(tmp_path: Path) -> None:
    write(tmp_path, "pick_place", GOOD)
    manifest = load_rskill(tmp_path, "pick_place")
    assert isinstance(manifest, ScriptedManifest)
    assert manifest.deadline_s == 60.0


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("deadline_s: 60.0", "deadline_s: -1.0", ["'deadline_s'", "-1.0", "[1.0, 3600.0]"]),
        ("deadline_s: 60.0", "deadline_s: .nan", ["'deadline_s'", "nan"]),
        ("policy: scripted_pick_place", "", ["'policy'", "missing"]),
        ("policy: ", "polcy: ", ["'polcy'", "unknown", "policy"]),
        ("kind: scripted", "kind: magic", ["'kind'", "'magic'", "scripted, vla, reward"]),
        ("type: string", "type: text", ["params.fields.object.type", "'text'", "'string'"]),
        (
            "deadline_s: 60.0",
            "deadline_s: 1.0\ndeadline_s: 2.0",
            ["line 7", "'deadline_s' is given twice"],
        ),
        ("id: pick_place", "id: other", ["'id'", "'other'", "'pick_place'"]),
        ("description: picks", "description: !!python/object:os.system x", ["expected YAML"]),
    ],
)
def test_a_bad_field_is_named_with_its_value_and_range(
    tmp_path: Path, old: str, new: str, words: list[str]
) -> None:
    write(tmp_path, "pick_place", GOOD.replace(old, new))
    with pytest.raises(ManifestError) as error:
        load_rskill(tmp_path, "pick_place")
    for word in ["rskill.yaml", *words]:
        assert word in str(error.value)


@pytest.mark.parametrize("name", ["../pick_place", "/etc", "Pick", "", "a/b", "a" * 64, "a\n"])
def test_a_name_that_is_no_folder_of_the_root_is_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path, "pick_place", GOOD)
    with pytest.raises(ManifestError, match="rSkill name"):
        load_rskill(tmp_path, name)


def test_a_link_out_of_the_root_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "outside", "other", GOOD)
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "pick_place").symlink_to(tmp_path / "outside" / "other")
    with pytest.raises(ManifestError, match="outside of its folder"):
        load_rskill(tmp_path / "root", "pick_place")


def test_a_file_linked_to_its_namesake_loads_as_a_linked_installation_does(tmp_path: Path) -> None:
    write(tmp_path / "source", "pick_place", GOOD)
    (tmp_path / "root" / "pick_place").mkdir(parents=True)
    link = tmp_path / "root" / "pick_place" / "rskill.yaml"
    link.symlink_to(tmp_path / "source" / "pick_place" / "rskill.yaml")
    assert load_rskill(tmp_path / "root", "pick_place").id == "pick_place"


def test_an_unknown_rskill_lists_those_that_are(tmp_path: Path) -> None:
    write(tmp_path, "pick_place", GOOD)
    with pytest.raises(ManifestError, match="the rSkills are pick_place"):
        load_rskill(tmp_path, "wipe")


@pytest.mark.parametrize("content", [b"", b"- a\n", b"\xff\xfe", b"{", b"x: " + b"y" * MAX_BYTES])
def test_a_file_that_is_no_mapping_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "wipe").mkdir()
    (tmp_path / "wipe" / "rskill.yaml").write_bytes(content)
    with pytest.raises(ManifestError, match=r"rskill\.yaml"):
        load_rskill(tmp_path, "wipe")


def test_every_kind_of_the_design_is_known() -> None:
    assert set(MODEL_BY_KIND) == {
        "scripted", "vla", "reward", "detector", "vlm", "playbook", "ros_action", "ros_service",
    }  # fmt: skip


def test_only_a_vla_names_a_reward_model() -> None:
    with pytest.raises(ManifestError, match="'reward_rskill_name' is unknown"):
        parse_manifest(GOOD + "reward_rskill_name: reward_geometric\n", "m.yaml")
    for kind, model in MODEL_BY_KIND.items():
        assert ("reward_rskill_name" in model.model_fields) == (kind == "vla")


def test_a_deadline_above_its_maximum_is_refused() -> None:
    with pytest.raises(ManifestError, match=r"deadline_s 60\.0 exceeds deadline_max_s 30\.0"):
        parse_manifest(GOOD + "deadline_max_s: 30.0\n", "m.yaml")

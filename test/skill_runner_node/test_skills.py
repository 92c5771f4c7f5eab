"""What of a folder runs here, and why the rest does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from openral.camera_model import load_cameras
from openral.errors import ConfigError
from skill_runner_node.motion.limits import JointLimits
from skill_runner_node.parameters import RunnerParameters
from skill_runner_node.skills import Skills, load_skills

CONFIG = Path(__file__).parents[2] / "config"
CAMERAS = load_cameras(CONFIG / "cameras.yaml")
VLA = """
kind: vla
id: pi
description: acts by what it sees
runtime: lerobot
checkpoint: some/weights
min_vram_gb: {bfloat16: 8.0}
cameras: [front]
horizon: 50
dt: 0.02
deadline_s: 60.0
reward_rskill_name: reward_geometric
"""


def load(root: Path, limits: JointLimits, texts: dict[str, str]) -> Skills:
    shipped = CONFIG / "rskills" / "reward_geometric" / "rskill.yaml"
    for name, text in {"reward_geometric": shipped.read_text(encoding="utf-8"), **texts}.items():
        (root / "rskills" / name).mkdir(parents=True)
        (root / "rskills" / name / "rskill.yaml").write_text(text, encoding="utf-8")
    return load_skills(root, RunnerParameters(), limits, CAMERAS)


def scripted(**changes: str) -> dict[str, str]:
    text = (CONFIG / "rskills" / "pick_place" / "rskill.yaml").read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return {"pick_place": text}


def test_the_shipped_skills_run(limits: JointLimits) -> None:
    skills = load_skills(CONFIG, RunnerParameters(), limits, CAMERAS)
    assert set(skills.manifests) == set(skills.policies) == {"pick_place"}
    assert skills.unfit == {
        "reward_geometric": "is of kind 'reward'; this runner runs kind 'scripted'"
    }


def test_a_learned_policy_is_refused_for_the_runtime_that_is_missing(
    tmp_path: Path, limits: JointLimits
) -> None:
    skills = load(tmp_path, limits, {"pi": VLA})
    assert skills.unfit["pi"] == "needs the runtime 'lerobot', which this runner has not"
    assert "pi" not in skills.policies


def test_a_skill_for_another_robot_does_not_run(tmp_path: Path, limits: JointLimits) -> None:
    skills = load(tmp_path, limits, scripted(**{"robots: [panda]": "robots: [ur5e]"}))
    assert skills.unfit["pick_place"] == "is for ur5e; this robot is 'panda'"
    assert skills.policies == {}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("cameras: [front, top]", "cameras: [front, side]", "camera 'side' is unknown"),
        ("policy: scripted_pick_place", "policy: wipe", "policy 'wipe': valid is one of"),
        ("looks_max: 3", "looks_max: 0", "'looks_max' = 0: valid is [1, 20]"),
        ("looks_max: 3", "looks_max: 2.5", "'looks_max' = 2.5"),
        (
            "looks_max: 3",
            "tries: 3",
            "'tries' is unknown; the parameters are assumed_top, clearance, grasps_max",
        ),
        ("looks_max: 3", "looks_max: .nan", "'settings"),
    ],
)
def test_a_bad_manifest_stops_the_start_by_name(
    tmp_path: Path, limits: JointLimits, old: str, new: str, words: str
) -> None:
    with pytest.raises(ConfigError) as error:
        load(tmp_path, limits, scripted(**{old: new}))
    assert words in str(error.value)

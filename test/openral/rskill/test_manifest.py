"""What a manifest says about itself."""

from __future__ import annotations

import pytest

from openral.rskill import parse_manifest

TEXT = """
kind: scripted
id: pick_place
description: put one object into a container
policy: scripted_pick_place
deadline_s: 60.0
"""


@pytest.mark.parametrize(
    ("robots", "suits"), [("", True), ("robots: [panda]", True), ("robots: [ur5e, spot]", False)]
)
def test_a_skill_is_for_the_robots_that_it_names_or_for_any(robots: str, suits: bool) -> None:
    assert parse_manifest(TEXT + robots, "rskill.yaml").suits("panda") is suits

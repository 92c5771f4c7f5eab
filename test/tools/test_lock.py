"""The lock installs the same thing everywhere and from nowhere in particular."""

from __future__ import annotations

import re
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
LOCK = (TOOLS / "requirements.lock").read_text(encoding="utf-8")
PINS = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)(.*)$", LOCK, flags=re.MULTILINE)


def test_every_entry_is_pinned_and_hashed() -> None:
    entries = re.split(r"\n(?=\S)", LOCK)
    entries = [entry for entry in entries if not entry.startswith("#")]
    assert len(entries) == len(PINS)
    for entry in entries:
        assert "--hash=sha256:" in entry, entry


def test_no_address_is_in_it() -> None:
    assert "://" not in LOCK
    assert "index-url" not in LOCK


def test_what_is_asked_for_is_in_it() -> None:
    locked = {name.lower().replace("_", "-") for name, _, _ in PINS}
    asked = {
        re.split(r"[=<>!~ #]", line, maxsplit=1)[0].lower()
        for line in (TOOLS / "requirements.in").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    }
    assert asked <= locked


def test_a_ros_wheel_and_its_twin_have_one_version() -> None:
    versions = {name: version for name, version, _ in PINS if name.startswith("ros-")}
    assert "ros-jazzy-rclpy" in versions
    for name, version in versions.items():
        if name.startswith("ros-jazzy-"):
            assert versions[f"ros-{name.removeprefix('ros-jazzy-')}"] == version

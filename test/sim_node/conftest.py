from pathlib import Path

import pytest

from openral.camera_model import load_cameras
from sim_node.scene import SceneOptions, build_scene

CAMERAS = load_cameras(Path(__file__).resolve().parents[2] / "config" / "cameras.yaml")


@pytest.fixture(scope="session")
def cameras():
    return CAMERAS


@pytest.fixture(scope="session")
def scene():
    """The four objects and the basket, seed 7. A compiled model is read only: one for all."""
    return build_scene(SceneOptions(seed=7), CAMERAS)

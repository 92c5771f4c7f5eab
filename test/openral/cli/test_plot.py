import numpy as np
from made import SCORE, replace
from PIL import Image

from openral.cli.joint_history import JointHistory
from openral.cli.plot import plot_run


def test_a_run_becomes_a_picture(tmp_path):
    t = np.arange(5.0)
    joints = JointHistory(("panda_joint1",), t, t.reshape(5, 1), t.reshape(5, 1))
    scores = [SCORE, replace(SCORE, heard_at=3.0, score=float("nan"))]
    plot_run(scores, joints, tmp_path / "plot.png")
    assert Image.open(tmp_path / "plot.png").size == (1210, 770)  # 11 × 7 inch at 110 dpi


def test_what_is_missing_costs_no_picture(tmp_path):
    plot_run([], None, tmp_path / "plot.png")
    assert Image.open(tmp_path / "plot.png").format == "PNG"

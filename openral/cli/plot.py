"""Draws reward and joint motion of a run over the same time axis."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from openral.cli.joint_history import JointHistory
from openral.cli.observed import Score


def plot_run(scores: Sequence[Score], joints: JointHistory | None, out: Path) -> None:
    """Writes the picture; a part that is missing says so in its place.

    Args:
        scores: Rewards, heard on the same monotonic clock as the joints' record.
        joints: The arm's motion; None where there is no record.
        out: PNG to write.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 7), layout="constrained")
    reward, position, velocity = figure.subplots(3, 1, sharex=True)
    starts = [score.heard_at for score in scores[:1]]
    if joints is not None and joints.t.size:
        starts.append(float(joints.t[0]))
    start = min(starts, default=0.0)

    if scores:
        times = [score.heard_at - start for score in scores]
        reward.step(times, [score.score for score in scores], where="post", label="score")
        reward.plot(times, [score.threshold for score in scores], "--", lw=0.8, label="threshold")
        reward.plot(times, [score.floor for score in scores], ":", lw=0.8, label="floor")
        reward.legend(loc="upper left", fontsize=8)
    else:
        reward.text(0.5, 0.5, "no reward was heard", ha="center", transform=reward.transAxes)
    reward.set(ylabel="reward [0, 1]", ylim=(-0.05, 1.05), title="Reward and joint motion")

    if joints is not None and joints.t.size:
        t = joints.t - start
        for column, name in enumerate(joints.names):
            position.plot(t, joints.position[:, column], lw=0.9, label=name.removeprefix("panda_"))
            velocity.plot(t, joints.velocity[:, column], lw=0.7)
        position.legend(loc="upper left", fontsize=7, ncols=4)
    else:
        position.text(0.5, 0.5, "no record", ha="center", transform=position.transAxes)
    position.set(ylabel="position [rad, m]")
    velocity.set(ylabel="velocity [rad/s, m/s]", xlabel="time [s]")
    for axis in (reward, position, velocity):
        axis.grid(alpha=0.3)
    figure.savefig(out, dpi=110)

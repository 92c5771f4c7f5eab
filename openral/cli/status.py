"""`openral status`: which nodes answer, what the kernel and the mission do."""

from __future__ import annotations

from collections.abc import Sequence

from openral.bringup.supervisord import ProcessStatus
from openral.cli.observed import Observed
from openral.cli.readiness import EVIDENCE, ready

LISTEN_S = 6.0
"""How long a node may take to be discovered and heard before it counts as silent."""
RATES_S = 2.0
"""How long rates are measured."""


def lines(observed: Observed, processes: Sequence[ProcessStatus], now: float) -> list[str]:
    """The status, line by line, for a terminal."""
    there = ready(observed)
    by_name = {process.name: process for process in processes}
    text = []
    for name, evidence in EVIDENCE.items():
        state = "answers" if name in there else f"silent (no {evidence})"
        process = by_name.get(name)
        where = f"  {process.state.lower()} pid {process.pid}" if process is not None else ""
        text.append(f"{name:<18} {state}{where}")
    kernel = observed.kernel
    if kernel is not None:
        why = f", {kernel.reason}: {kernel.message}" if kernel.reason else ""
        unmet = f", cannot arm: {', '.join(kernel.unmet)}" if kernel.unmet else ""
        text.append(
            f"kernel   {kernel.state} epoch {kernel.epoch}, {kernel.admitted} chunks admitted, "
            f"{kernel.refused} refused, {kernel.stops} stops{why}{unmet}"
        )
    mission = observed.mission
    if mission is not None:
        text.append(
            f"mission  {mission.state} by {mission.brain or 'nobody'}: {mission.goal or '-'}"
        )
        text += [f"         {task.state:<9} {task.text}" for task in mission.tasks]
    if observed.rates:
        rates = (f"{topic} {window.rate(now):.0f} Hz" for topic, window in observed.rates.items())
        text.append(f"rates    {', '.join(rates)}")
    return text

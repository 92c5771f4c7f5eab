import io

from made import KERNEL, MISSION, SAID, SCORE, SKILL, TASK, replace
from rich.console import Console

from openral.cli.observed import Failure, Observed
from openral.cli.plain_view import PlainView


def test_only_changes_are_told():
    view = PlainView(Console(file=io.StringIO()))
    heard = Observed(mission=MISSION, kernel=KERNEL, skill=SKILL, scores=[SCORE], says=[SAID])
    assert view.changes(heard) == [
        "task    put the milk into the basket: pending",
        "skill   pick_place descend",
        "reward  0.40 grasped",
        "say     hello",
    ]
    assert view.changes(heard) == []


def test_a_verdict_a_stop_and_a_failure_are_told():
    view = PlainView(Console(file=io.StringIO()))
    done = replace(TASK, state="DONE", verdict="pass", reason="seen inside")
    heard = Observed(
        mission=replace(MISSION, tasks=(done,)),
        kernel=replace(KERNEL, state="BRAKING", message="chunk_stale"),
        failures=[Failure(1.0, "safety", "FAIL", "chunk_stale", "no chunk for 80 ms")],
    )
    assert view.changes(heard) == [
        "task    put the milk into the basket: done pass (seen inside)",
        "kernel  BRAKING epoch 2 chunk_stale",
        "failure safety FAIL no chunk for 80 ms",
    ]


def test_a_line_stays_one_line_and_is_not_read_as_markup():
    out = io.StringIO()
    view = PlainView(Console(file=out, width=40))
    view.note("[red]" + "x" * 100)
    assert out.getvalue() == "[red]" + "x" * 100 + "\n"

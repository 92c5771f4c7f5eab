import io
import math
from typing import get_args

import pytest
from made import KERNEL, MISSION, SAID, SCORE, SKILL, TASK, replace
from rich.console import Console

from openral.cli import live_view
from openral.cli.live_view import render, reward_bar
from openral.cli.observed import Observed
from openral.cli.plain_view import PlainView
from openral.names import KernelStateName, TaskStateName


def shown(observed, now=1.0):
    console = Console(width=140, record=True, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    console.print(render(observed, now, 5.0))
    return console.export_text()


def test_an_empty_view_says_that_nothing_is_known():
    text = shown(Observed())
    for words in ("no subtasks yet", "not heard", "none yet", "nothing heard"):
        assert words in text


def test_the_view_shows_queue_skill_reward_kernel_rates_and_words():
    heard = Observed(
        mission=replace(MISSION, tasks=(replace(TASK, state="ACTIVE", attempts=2),)),
        kernel=replace(KERNEL, state="LATCHED", reason="estop"),
        skill=SKILL,
        says=[replace(SAID, text="I begin [bold]now[/bold]")],
        scores=[SCORE],
    )
    heard.count("joint_states", 0.0, 100)
    text = shown(heard)
    for words in (
        "put the milk into the basket",
        "try 2",
        "pick_place running",
        "descend",
        "0.40 grasped",
        "LATCHED",
        "estop",
        "joint_states 100 Hz",
        "[bold]now[/bold]",  # words are shown, never read as markup
    ):
        assert words in text


def test_no_word_of_others_is_read_as_markup():
    words = "[/x] [red]:smile:"
    heard = Observed(
        mission=replace(
            MISSION,
            goal=words,
            brain=words,
            state=words,
            tasks=(replace(TASK, text=words, reason=words, state=words),),
        ),
        kernel=replace(KERNEL, state=words, reason=words),
        skill=replace(SKILL, skill_id=words, stage=words, state=words),
        says=[replace(SAID, kind=words, text=words)],
        scores=[replace(SCORE, stage=words)],
    )
    assert shown(heard).count(words) == 14


def test_the_bar_is_filled_to_the_score_and_marks_the_threshold():
    bar = reward_bar(replace(SCORE, score=0.5, threshold=0.9), width=10).plain
    assert bar.startswith("█████····│ 0.50")


def test_a_score_that_cannot_tell_says_so():
    assert reward_bar(replace(SCORE, score=float("nan"))).plain == "cannot tell"


def test_a_score_out_of_range_stays_in_the_bar():
    assert reward_bar(replace(SCORE, score=7.0), width=4).plain.startswith("████ 7.00")


@pytest.mark.parametrize("nonsense", [math.nan, math.inf, -math.inf])
def test_a_threshold_that_is_no_number_has_no_mark(nonsense):
    bar = reward_bar(replace(SCORE, score=0.5, threshold=nonsense, floor=nonsense), width=4)
    assert bar.plain == "██·· 0.50 grasped"


@pytest.mark.parametrize("nonsense", [math.nan, math.inf, -math.inf])
def test_no_number_of_others_ends_a_view(nonsense):
    task = replace(TASK, progress=nonsense, elapsed_s=nonsense)
    heard = Observed(
        mission=replace(MISSION, tasks=(task,)),
        kernel=replace(KERNEL, tick_rate=nonsense),
        skill=replace(SKILL, progress=nonsense),
        scores=[replace(SCORE, score=nonsense, threshold=nonsense, floor=nonsense)],
    )
    assert "put the milk into the basket" in shown(heard)
    PlainView(Console(file=io.StringIO())).update(heard, 1.0, 5.0)


def test_every_state_has_its_colour():
    assert set(live_view._TASK_STYLE) == {name.upper() for name in get_args(TaskStateName)}
    assert set(live_view._KERNEL_STYLE) == {name.upper() for name in get_args(KernelStateName)}

import json
import math

from made import KERNEL, MISSION, TASK, replace
from rich.console import Console

from openral.cli.exit_code import ExitCode
from openral.cli.judgement import Judgement
from openral.cli.summary import Summary, closing_lines, referee_table, task_table

DONE = replace(
    TASK, state="DONE", verdict="pass", attempts=2, elapsed_s=12.34, reason="[seen] inside"
)
SUMMARY = Summary(
    prompt="put the milk into the basket",
    seed=3,
    exit_code=ExitCode.OK,
    verdict="done, and the referee agrees",
    ending="done",
    words="all done",
    startup_s=8.0,
    mission_s=30.0,
    mission=replace(MISSION, tasks=(DONE,)),
    kernel=KERNEL,
    judgements=(Judgement("milk", True, True, True, 0.6),),
    referee_error="",
    missing_artifacts=(),
    folder="runs/x",
)


def shown(renderable, width=160):
    console = Console(width=width, record=True, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    console.print(renderable)
    return console.export_text()


def test_the_table_tells_each_subtask():
    row = shown(task_table(SUMMARY.mission)).splitlines()[4]
    for cell in ("put the milk into the basket", "DONE", "pass", "12.3 s", "2", "[seen] in"):
        assert cell in row


def test_a_verdict_that_is_the_state_is_said_once():
    lost = replace(TASK, state="ABANDONED", verdict="abandoned", reason="out of reach")
    text = shown(task_table(replace(MISSION, tasks=(lost,))))
    assert text.lower().count("abandoned") == 1


def test_of_what_is_not_in_the_basket_no_height_is_told():
    beside = Judgement("milk", in_basket=False, inside_footprint=False, below_rim=True, moved=0.0)
    on_top = Judgement("soup", in_basket=False, inside_footprint=True, below_rim=False, moved=0.3)
    rows = shown(referee_table((beside, on_top), "")).splitlines()
    cells = [[cell.strip() for cell in row.split("│")[1:-1]] for row in rows if "│" in row]
    assert cells == [["milk", "no", "no", "-", "0.000 m"], ["soup", "no", "yes", "no", "0.300 m"]]


MARKUP = "[/x] [red]:smile: [link=file:///etc]"


def test_no_word_of_others_is_read_as_markup():
    fields = {"text": MARKUP, "state": MARKUP, "verdict": f"{MARKUP}!", "reason": MARKUP}
    table = task_table(replace(MISSION, tasks=(replace(TASK, **fields),)))
    assert shown(table, 400).count(MARKUP) == 4
    table = referee_table((Judgement(MARKUP, True, True, True, 0.6),), MARKUP)
    assert shown(table, 400).count(MARKUP) == 2


def test_a_run_without_a_mission_has_an_empty_table():
    assert "Subtasks" in shown(task_table(None))


def test_the_referees_table_tells_each_object_and_its_own_failure():
    text = shown(referee_table(SUMMARY.judgements, "no record"))
    assert "milk" in text
    assert "no record" in text


def test_the_closing_lines_tell_calls_kernel_and_verdict():
    assert closing_lines(SUMMARY) == [
        "brain rules: 3 model calls; start-up 8.0 s, mission 30.0 s",
        "kernel: 10 chunks admitted, 1 refused, 0 stops, 1000 commands, 0 late ticks",
        "run folder: runs/x",
        "verdict: done, and the referee agrees",
    ]


def test_json_holds_the_exit_code_by_number_and_name():
    data = json.loads(replace(SUMMARY, exit_code=ExitCode.DISAGREED).to_json())
    assert (data["exit_code"], data["exit"]) == (7, "DISAGREED")
    assert data["mission"]["tasks"][0]["verdict"] == "pass"


def refuse(word):
    raise AssertionError(f"{word} is no JSON: RFC 8259, section 6")


def test_what_is_no_number_is_null_in_json():
    never_ran = replace(TASK, progress=math.nan, elapsed_s=-math.inf)
    made = replace(
        SUMMARY,
        mission=replace(MISSION, tasks=(DONE, never_ran)),
        kernel=replace(KERNEL, tick_rate=math.inf),
    )
    data = json.loads(made.to_json(), parse_constant=refuse)
    tasks = data["mission"]["tasks"]
    assert (tasks[1]["progress"], tasks[1]["elapsed_s"]) == (None, None)
    assert tasks[0]["elapsed_s"] == 12.34
    assert data["kernel"]["tick_rate"] is None

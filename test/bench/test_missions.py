import importlib.util
import json
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "bench" / "missions.py"
spec = importlib.util.spec_from_file_location("bench_missions", FILE)
missions = importlib.util.module_from_spec(spec)
spec.loader.exec_module(missions)


def summary(ending="done", lying=("milk", "mustard")):
    return {
        "ending": ending,
        "mission_s": 61.23,
        "words": "all done",
        "judgements": [
            {"label": label, "in_basket": label in lying} for label in ("milk", "mustard")
        ],
        "mission": {"model_calls": 9, "tasks": [{"attempts": 1}, {"attempts": 2}]},
        "kernel": {"refused": 3, "stops": 0},
    }


def test_a_line_keeps_outcome_referee_time_and_kernel():
    line = missions.result_line(4, 0, summary())
    assert (line["seed"], line["cleared"], line["mission_s"]) == (4, True, 61.2)
    assert (line["refusals"], line["stops"], line["attempts"]) == (3, 0, [1, 2])


def test_a_run_that_left_no_summary_is_not_cleared():
    line = missions.result_line(4, 3, {})
    assert (line["cleared"], line["ending"], line["exit_code"]) == (False, "none", 3)


@pytest.mark.parametrize(
    ("ending", "lying", "is_false"),
    [
        ("done", ("milk", "mustard"), False),
        ("done", ("milk",), True),
        ("incomplete", ("milk",), False),
    ],
)
def test_a_false_claim_is_counted(ending, lying, is_false):
    line = missions.result_line(0, 0, summary(ending, lying))
    assert missions.is_false_done(line) is is_false


def test_the_bar_is_19_of_20_and_no_false_claim():
    good = missions.result_line(0, 0, summary())
    left = missions.result_line(0, 1, summary("incomplete", ("milk",)))
    false = missions.result_line(0, 7, summary("done", ("milk",)))
    assert missions.passes([good] * 19 + [left])
    assert not missions.passes([good] * 18 + [left] * 2)
    assert not missions.passes([good] * 19 + [false])
    assert missions.closing_line([good] * 19 + [false]) == "tables cleared 19/20, false done 1/20"


def test_a_cut_line_is_measured_again():
    whole = json.dumps({"seed": 1}) + "\n"
    assert set(missions.read_results([whole, '{"seed": 2'])) == {1}

"""The shipped parameter files hold every parameter, and the values that the models default to."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from openral.ros.parameters import ParameterError, ParameterModel, validate
from skill_runner_node.parameters import RunnerParameters
from skill_runner_node.reward.parameters import MonitorParameters

CONFIG = Path(__file__).parents[2] / "config"


@pytest.mark.parametrize(
    ("file", "model"),
    [("skill_runner_node.yaml", RunnerParameters), ("reward_monitor.yaml", MonitorParameters)],
)
def test_the_file_names_every_parameter_with_its_default(
    file: str, model: type[ParameterModel]
) -> None:
    document = yaml.safe_load((CONFIG / file).read_text(encoding="utf-8"))
    values = document["/**"]["ros__parameters"]
    assert set(values) == set(model.model_fields)
    assert validate(model, values) == model()


def test_the_monitor_misses_several_states_of_the_runner_before_it_ends_an_attempt() -> None:
    assert MonitorParameters().skill_state_timeout_s >= 3 * RunnerParameters().state_period_s


@pytest.mark.parametrize("model", [RunnerParameters, MonitorParameters])
def test_every_number_has_a_unit_a_range_and_a_description(model: type[ParameterModel]) -> None:
    for name, field in model.model_fields.items():
        assert field.description, name
        if field.annotation in (int, float):
            assert len(field.metadata) >= 2, name
            assert name == "realtime_priority" or field.json_schema_extra, name


@pytest.mark.parametrize(
    ("values", "why"),
    [
        # 4 rows, of which the window would end long before the row that plays.
        ({"horizon": 4, "context_rows": 64}, "horizon 4 must hold"),
        # 4 rows of context, the consumed one and 9 of 10 that a stop leaves as they are.
        ({"horizon": 14, "context_rows": 4, "lead_rows": 10}, "horizon 14 must hold"),
        # 4 rows x 0.005 s = 0.02 s until the next chunk.
        (
            {"horizon": 6, "context_rows": 1, "lead_rows": 1, "row_period_s": 0.005},
            "the 4 rows after the consumed one",
        ),
    ],
)
def test_chunks_that_end_before_the_next_one_comes_are_refused(
    values: dict[str, float], why: str
) -> None:
    with pytest.raises(ParameterError, match=why):
        validate(RunnerParameters, values)


@pytest.mark.parametrize(
    "values",
    [
        {"horizon": 15, "context_rows": 4, "lead_rows": 10},
        {"horizon": 7, "context_rows": 1, "lead_rows": 1, "row_period_s": 0.005},
    ],
)
def test_chunks_that_just_reach_far_enough_are_taken(values: dict[str, float]) -> None:
    assert validate(RunnerParameters, values).horizon == values["horizon"]

"""The shipped parameter files hold every parameter, and the values that the models default to."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from openral.ros.parameters import ParameterModel, validate
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


@pytest.mark.parametrize("model", [RunnerParameters, MonitorParameters])
def test_every_number_has_a_unit_a_range_and_a_description(model: type[ParameterModel]) -> None:
    for name, field in model.model_fields.items():
        assert field.description, name
        if field.annotation in (int, float):
            assert len(field.metadata) >= 2, name
            assert name == "realtime_priority" or field.json_schema_extra, name

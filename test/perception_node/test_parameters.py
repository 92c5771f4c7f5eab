"""Parameters: the shipped file is valid and equals the defaults; bad values are refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from openral.ros.parameters import ParameterError, validate
from perception_node.parameters import PerceptionParameters

FILE = Path(__file__).resolve().parents[2] / "config" / "perception_node.yaml"


def test_the_shipped_file_sets_every_parameter_to_its_default() -> None:
    values = yaml.safe_load(FILE.read_text())["/**"]["ros__parameters"]
    assert set(values) == set(PerceptionParameters.model_fields)
    assert validate(PerceptionParameters, values) == PerceptionParameters()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cameras": []}, "cameras"),
        ({"cameras": ["Top!"]}, "cameras"),
        ({"cameras": ["front", "front"], "primary_camera": "front"}, "each once"),
        ({"primary_camera": "wrist"}, "primary_camera.*front, top"),
        ({"max_rate": 0.0}, r"max_rate.*\[0.1, 60.0\] Hz"),
        ({"jpeg_quality": 101}, r"jpeg_quality.*\[1, 100\]"),
        ({"detectr": "catalogue"}, "detectr"),
    ],
)
def test_a_bad_value_is_refused_by_name(values: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        validate(PerceptionParameters, values)

"""The node's parameters and their file."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
import yaml

from openral.ros.parameters import ParameterError, validate
from reasoner_node.dispatch import _HANDLERS
from reasoner_node.parameters import Parameters
from reasoner_node.settings import Settings
from reasoner_node.tools import TOOLS, ServedTool

FILE = Path(__file__).parents[2] / "config" / "reasoner_node.yaml"


def values() -> dict:
    return yaml.safe_load(FILE.read_text())["/**"]["ros__parameters"]


def test_the_file_holds_every_parameter_and_nothing_else():
    assert set(values()) == set(Parameters.model_fields)


def test_the_file_tells_what_the_model_tells_and_no_other_number():
    text = FILE.read_text()
    for name, field in Parameters.model_fields.items():
        unit = (field.json_schema_extra or {}).get("unit")
        meaning = f"# {f'[{unit}] ' if unit else ''}{field.description}"
        line = next(line for line in text.splitlines() if line.startswith(f"    {name}: "))
        assert line.endswith(meaning), name
        if name != "model":
            value = values()[name]
            assert (tuple(value) if isinstance(value, list) else value) == field.default, name


def test_the_file_is_valid_and_chooses_the_rules():
    assert validate(Parameters, values()).model == "rules"


def test_the_library_itself_chooses_no_brain():
    assert Parameters().model == ""


@pytest.mark.parametrize("name", sorted(Parameters.model_fields))
def test_each_has_a_description_and_each_number_a_range(name):
    field = Parameters.model_fields[name]
    assert field.description
    if field.annotation in (int, float):
        assert len(field.metadata) >= 2


def test_the_documents_numbers():
    settings = Settings()
    assert settings.tick_hz == 0.2
    assert settings.min_interval_s == 0.1
    assert settings.retry_cap_per_kind == 3
    assert settings.max_task_locate_attempts == 3
    assert settings.max_subdivide_depth == 2
    assert Parameters().max_tokens == 16384


@pytest.mark.parametrize(
    ("name", "value"),
    [("tick_hz", 0.0), ("min_interval_s", -1.0), ("retry_cap_per_kind", 0), ("max_tokens", 3),
     ("fallback_check_floor", 0.95), ("tick_hz", float("nan")), ("model_timeout_s", float("inf")),
     ("lifecycle_allow", ["safety_kernel"])],
)  # fmt: skip
def test_a_bad_value_is_named(name, value):
    with pytest.raises(ParameterError, match=name):
        validate(Parameters, {name: value})


@pytest.mark.parametrize(("stall", "period"), [(0.1, 0.2), (0.2, 0.2)])
def test_a_standstill_that_every_look_would_be_is_refused(stall, period):
    with pytest.raises(ParameterError, match=r"own_stall_s .* longer than watch_period_s"):
        validate(Parameters, {"own_stall_s": stall, "watch_period_s": period})
    assert validate(Parameters, {"own_stall_s": 0.3, "watch_period_s": 0.2})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("detector", "my-det"), ("detector", "d" * 64), ("primary_camera", "front cam"),
        ("verify_camera", "top/2"), ("lifecycle_allow", ["perception node"]),
        ("lifecycle_allow", ["/a//b"]), ("services", ["query_task_progres"]),
        ("services", ["memory_write"]),
    ],
)  # fmt: skip
def test_a_name_that_no_topic_can_hold_or_nobody_serves_is_refused(name, value):
    with pytest.raises(ParameterError, match=name):
        validate(Parameters, {name: value})


def test_the_tools_that_can_be_served_are_named_in_the_refusal():
    with pytest.raises(ParameterError, match="any of 'query_task_progress', 'query_scene', "):
        validate(Parameters, {"services": ["dance"]})


def test_names_of_nodes_may_have_a_namespace():
    allowed = ("perception_node", "/left/perception_node")
    assert validate(Parameters, {"lifecycle_allow": allowed}).lifecycle_allow == allowed


def test_every_tool_that_can_be_served_has_a_handler():
    assert {TOOLS[name] for name in get_args(ServedTool)} <= set(_HANDLERS)

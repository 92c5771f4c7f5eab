from array import array
from pathlib import Path

import pytest
import yaml

from openral.errors import ConfigError
from openral.ros.parameters import validate
from sim_node.parameters import SimParameters, scene_options, start_pose, with_rates
from sim_node.robot import HOME

SHIPPED = Path(__file__).resolve().parents[2] / "config" / "sim_node.yaml"


def parameters(**changes) -> SimParameters:
    return validate(SimParameters, changes)


def test_the_shipped_file_sets_every_parameter_to_its_default():
    values = yaml.safe_load(SHIPPED.read_text())["/**"]["ros__parameters"]
    assert set(values) == set(SimParameters.model_fields)
    assert validate(SimParameters, values) == SimParameters()


@pytest.mark.parametrize(
    ("name", "value", "valid"),
    [
        ("seed", -1, "[0, 2147483647]"),
        ("timestep", 0.01, "[0.0005, 0.002] s"),
        ("max_lease", 1.0, "[0.002, 0.1] s"),
        ("joint_state_rate", 0.0, "[10.0, 500.0] Hz"),
        ("realtime_priority", 99, "[0, 49]"),
        ("camera_restarts", 0, "[1, 100]"),
        ("camera_window", 0.0, "[1.0, 3600.0] s"),
        ("record_retry", 0.0, "[0.1, 60.0] s"),
        ("record_size_max_mb", 0.0, "[1.0, 1000000.0] MB"),
        ("basket", "yes", "bool"),
    ],
)
def test_a_value_out_of_range_is_named_with_its_range(name, value, valid):
    with pytest.raises(ConfigError) as refusal:
        parameters(**{name: value})
    assert f"'{name}' = {value!r}" in str(refusal.value)
    assert valid in str(refusal.value)


def test_a_scene_is_what_the_parameters_say():
    options = scene_options(
        parameters(seed=5, objects=["milk"], basket=False, object_poses='{"milk": [0.9, 0.1, 1.5]}')
    )
    assert (options.seed, options.objects, options.basket) == (5, ("milk",), False)
    assert options.object_poses == {"milk": (0.9, 0.1, 1.5)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not json", "expected a JSON object, got 'not json'"),
        ("[1]", "expected a JSON object"),
        ('{"beer": [0, 0, 0]}', "'beer' is not among the objects"),
        ('{"milk": [0, 0]}', r"'milk': expected \[x, y, yaw\]"),
        ('{"milk": [0, 0, NaN]}', r"'milk': expected \[x, y, yaw\]"),
        ('{"milk": [0, 0, true]}', r"'milk': expected \[x, y, yaw\]"),
        ('{"milk": [1e9, 0, 0]}', "each within ±10"),
        ('{"milk": [1e999, 0, 0]}', "each within ±10"),
        ('{"milk": [1' + 400 * "0" + ", 0, 0]}", "each within ±10"),
    ],
)
def test_wrong_poses_are_refused(text, message):
    with pytest.raises(ConfigError, match=message):
        scene_options(parameters(object_poses=text))


def test_rates_and_depth_can_be_set_over_the_file(cameras):
    changed = with_rates(cameras, parameters(camera_rates='{"top": 8}', depth=False))
    assert changed["top"].rate_hz == 8.0
    assert changed["front"].rate_hz == cameras["front"].rate_hz
    assert not any(camera.depth for camera in changed.values())
    assert with_rates(cameras, parameters()) == cameras


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"side": 4}', "unknown camera 'side'; valid: front, top, wrist"),
        ('{"top": 0}', r"top: expected \(0, 60\] Hz, got 0"),
        ('{"top": 61}', r"got 61"),
        ('{"top": "fast"}', "got 'fast'"),
    ],
)
def test_wrong_rates_are_refused(cameras, text, message):
    with pytest.raises(ConfigError, match=message):
        with_rates(cameras, parameters(camera_rates=text))


def posed(**changes: object) -> list[object]:
    """The observe pose with joints, by their index, somewhere else."""
    return [changes.get(f"joint{i + 1}", value) for i, value in enumerate(HOME)]


def test_a_start_pose_may_be_in_whole_numbers_and_on_the_limits():
    whole = array("q", [0, -1, 0, -2, 0, 1, 0, 0])
    assert start_pose(whole) == (0.0, -1.0, 0.0, -2.0, 0.0, 1.0, 0.0, 0.0)
    assert start_pose(posed(joint2=-1.7628, joint8=0.04))[1] == -1.7628


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([0.0], "'robot.home': expected 8 values, got 1"),
        ("home", "'robot.home': expected 8 values, got 'home'"),
        (None, "'robot.home': expected 8 values, got None"),
        (posed(joint2=9.0), r"panda_joint2: expected \[-1.7628, 1.7628\], got 9.0"),
        (posed(joint4=0.0), r"panda_joint4: expected \[-3.0718, -0.0698\], got 0.0"),
        (posed(joint1=float("nan")), r"panda_joint1: expected .*, got nan"),
        (posed(joint8=0.08), r"panda_finger_joint1: expected \[0, 0.04\], got 0.08"),
        (posed(joint8=True), r"panda_finger_joint1: expected \[0, 0.04\], got True"),
    ],
)
def test_a_start_pose_that_the_arm_cannot_take_is_named(value, message):
    with pytest.raises(ConfigError, match=message):
        start_pose(value)

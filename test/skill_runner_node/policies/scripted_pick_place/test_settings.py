"""What depends on the cell is a setting: the shipped ones are the defaults, and each is obeyed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from openral.errors import ConfigError
from openral.ros.parameters import ParameterError, validate
from openral.rskill import RewardManifest, ScriptedManifest, load_rskill
from skill_runner_node.kinematics.panda import Forward
from skill_runner_node.motion.limits import JointLimits
from skill_runner_node.parameters import RunnerParameters
from skill_runner_node.policies.factory import make_policy
from skill_runner_node.policies.scripted_pick_place.flat_scene import estimate_flat
from skill_runner_node.policies.scripted_pick_place.height_map import Table, build
from skill_runner_node.policies.scripted_pick_place.placement import Held, Spare, free_on_table
from skill_runner_node.policies.scripted_pick_place.scene import SceneError, estimate
from skill_runner_node.policies.scripted_pick_place.settings import PickPlaceSettings
from skill_runner_node.policies.scripted_pick_place.table_settings import TableSettings
from skill_runner_node.policy import Goal, Move, Observation

RSKILLS = Path(__file__).parents[4] / "config" / "rskills"
MILK = (0.45, -0.2, 0.4, 0.06, 0.06, 0.13)


def test_the_shipped_settings_are_all_and_the_defaults() -> None:
    shipped = load_rskill(RSKILLS, "pick_place")
    assert isinstance(shipped, ScriptedManifest)
    assert validate(PickPlaceSettings, shipped.settings) == PickPlaceSettings()
    assert set(shipped.settings) == set(PickPlaceSettings.model_fields)


def test_the_skill_and_its_reward_look_at_the_same_table() -> None:
    skill, reward = load_rskill(RSKILLS, "pick_place"), load_rskill(RSKILLS, "reward_geometric")
    assert isinstance(skill, ScriptedManifest)
    assert isinstance(reward, RewardManifest)
    for name in TableSettings.model_fields:
        assert skill.settings[name] == reward.settings[name]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"table_x_min": 0.9}, "must lie 0.1 m below"),
        ({"table_y_max": -0.8}, "must lie 0.1 m below"),
        ({"tallest": 0.0}, r"'tallest' = 0.0: valid is \[0.02, 2.0\] m"),
        ({"spare_x_min": 0.62}, "spare_x_min < spare_x_max"),
        ({"spare_y_max": -0.4}, "spare_y_min < spare_y_max"),
        ({"clearance": 0.0}, r"'clearance' = 0.0: valid is \[0.005, 0.5\] m"),
    ],
)
def test_a_bad_setting_is_named(values: dict[str, float], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        validate(PickPlaceSettings, values)


def test_a_policy_with_a_bad_setting_is_not_made(limits: JointLimits) -> None:
    with pytest.raises(ConfigError, match=r"settings of policy.*'highest'"):
        make_policy(
            "scripted_pick_place", limits, ("top",), RunnerParameters(), settings={"highest": 9.0}
        )


def test_only_the_declared_table_is_looked_at(make_table: Callable) -> None:
    views = {"top": make_table({"milk": MILK}, basket=None).view()}
    elsewhere = Table(x_min=0.5, x_max=0.95, y_min=-0.75, y_max=0.75)
    assert estimate(views, "milk", None).body is not None
    with pytest.raises(SceneError, match="nothing stands there"):
        estimate(views, "milk", None, elsewhere)
    # 0.45 m and 1.5 m in cells of 5 mm.
    assert estimate(views, None, None, elsewhere).heights.height.shape == (90, 300)


def test_an_object_stands_where_it_stands_however_the_table_is_cut(make_table: Callable) -> None:
    views = {"top": make_table({"milk": MILK}, basket=(0.42, 0.36)).view()}
    cut = estimate(views, "milk", "basket", Table(x_min=0.2, y_min=-0.5))
    assert cut.body is not None
    assert cut.body.centre == pytest.approx([0.45, -0.2], abs=0.005)
    assert cut.container is not None
    assert cut.container.centre == pytest.approx([0.42, 0.36], abs=0.005)


def test_what_is_taller_than_declared_belongs_to_the_robot(make_table: Callable) -> None:
    view = make_table({"milk": MILK}, basket=None).view()
    assert view.depth is not None
    low = build(view.depth, view.model, Table(tallest=0.05))
    assert np.nanmax(low.height) < 0.05
    assert np.nanmax(build(view.depth, view.model).height) == pytest.approx(0.13, abs=0.003)


def test_without_depth_the_map_is_of_the_declared_table(make_table: Callable) -> None:
    view = make_table({}, basket=None).view()
    picture = np.zeros((view.model.height, view.model.width, 3), np.uint8)
    flat = type(view)("top", 0.0, view.model, (), None, picture)
    scene = estimate_flat({"top": flat}, {}, None, None, Table(x_min=0.5))
    assert scene.heights.height.shape == (90, 300)


def test_what_is_in_the_way_is_put_down_where_declared(make_table: Callable) -> None:
    heights = estimate({"top": make_table({}, basket=None).view()}, None, None).heights
    held = Held("", 0.05, 0.08, 0.17, 0.14)
    spare = Spare(x_min=0.5, x_max=0.6, y_min=0.1, y_max=0.2, x=0.58, y=0.1)
    places = np.array([spot.xy for spot in free_on_table(held, heights, spare)])
    # x 0.50, 0.54, 0.58 and y 0.10, 0.14, 0.18, the declared best place first.
    assert len(places) == 9
    assert places[0] == pytest.approx([0.58, 0.1])
    assert places.min(axis=0) == pytest.approx([0.5, 0.1])
    assert places.max(axis=0) == pytest.approx([0.58, 0.18])


def first_motion(limits: JointLimits, at: np.ndarray, **settings: float) -> np.ndarray | None:
    """Where the tool goes before the first look; None where it looks at once."""
    policy = make_policy(
        "scripted_pick_place", limits, ("top",), RunnerParameters(), settings=settings
    )
    policy.reset(Goal({"object": "milk", "container": "basket"}))
    decision = policy.step(Observation(at, at, {}), 0.0)
    return Forward().positions(decision.rows) if isinstance(decision, Move) else None


@pytest.fixture(scope="module")
def low(limits: JointLimits) -> np.ndarray:
    """Near the table, with an open hand."""
    from skill_runner_node.kinematics.ik import InverseKinematics, Pose
    from skill_runner_node.kinematics.panda import tool_down

    q = InverseKinematics(limits).reach(Pose(np.array([0.5, 0.1, 0.1]), tool_down(0.0)))
    assert q is not None
    return np.array([*q, 0.04])


def test_it_rises_as_high_as_declared_before_it_knows_the_scene(
    limits: JointLimits, low: np.ndarray
) -> None:
    def height_where_it_leaves(**settings: float) -> float:
        path = first_motion(limits, low, **settings)
        assert path is not None
        sideways = np.hypot(*(path[:, :2] - path[0, :2]).T) > 0.03
        return float(path[sideways][0, 2])

    # Of the hand 9 mm hang below the tool; 3 cm more are kept.
    assert height_where_it_leaves() > 0.2 + 0.009
    assert height_where_it_leaves(assumed_top=0.3) > 0.3 + 0.009
    assert height_where_it_leaves(clearance=0.1) > height_where_it_leaves() + 0.03
    # Never above what is declared as the highest, whatever stands there.
    path = first_motion(limits, low, assumed_top=0.05, highest=0.15)
    assert path is not None


@pytest.mark.parametrize(
    ("settings", "holds"),
    [({}, True), ({"held_opening": 0.02}, False), ({"held_apart": 0.02}, False)],
)
def test_something_is_held_from_the_declared_opening_and_distance_on(
    limits: JointLimits, settings: dict[str, float], holds: bool
) -> None:
    policy = make_policy(
        "scripted_pick_place", limits, ("top",), RunnerParameters(), settings=settings
    )
    policy.reset(Goal({"object": "milk", "container": "basket"}))
    measured, commanded = limits.home.copy(), limits.home.copy()
    # A finger 15 mm open that was to close to 5 mm.
    measured[7], commanded[7] = 0.015, 0.005
    decision = policy.step(Observation(measured, commanded, {}), 0.0)
    # An empty hand is opened first; one that holds something looks at once.
    assert isinstance(decision, Move) is not holds

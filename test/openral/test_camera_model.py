import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openral.camera_model import CameraConfig, CameraModel, load_cameras, pose_matrix
from openral.errors import ConfigError, InputError

CAMERAS = Path(__file__).resolve().parents[2] / "config" / "cameras.yaml"
# Down-looking, image up is world x: optical x = -y, optical y = -x, optical z = -z of the world.
DOWN = np.array([[0.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])


def overhead(height: float = 2.0) -> CameraModel:
    pose = np.eye(4)
    pose[:3, :3] = DOWN
    pose[:3, 3] = [1.0, 0.0, height]
    return CameraModel(640, 480, 500.0, 500.0, 319.5, 239.5, pose)


angles = st.floats(-math.pi, math.pi)


@st.composite
def models(draw):
    axis = np.array([draw(st.floats(-1, 1)), draw(st.floats(-1, 1)), draw(st.floats(0.5, 2))])
    half = draw(angles) / 2
    x, y, z = math.sin(half) * axis / np.linalg.norm(axis)
    position = [draw(st.floats(-3, 3)) for _ in range(3)]
    focal = draw(st.floats(100, 2000))
    pose = pose_matrix(position, (x, y, z, math.cos(half)))
    return CameraModel(640, 480, focal, focal * 1.1, 300.0, 250.0, pose)


pixels = st.tuples(st.floats(0, 639), st.floats(0, 479))


def test_the_point_below_an_overhead_camera_is_at_the_principal_point():
    np.testing.assert_allclose(overhead().project([1.0, 0.0, 0.0]), [319.5, 239.5])


def test_forward_is_up_and_left_is_left_in_the_overhead_image():
    # 0.2 m at 2 m with 500 px: 50 px.
    np.testing.assert_allclose(overhead().project([1.2, 0.0, 0.0]), [319.5, 189.5])
    np.testing.assert_allclose(overhead().project([1.0, 0.2, 0.0]), [269.5, 239.5])


def test_depth_is_along_the_axis_not_along_the_ray():
    assert overhead().depth([1.7, 0.3, 0.5]) == pytest.approx(1.5)


def test_a_point_behind_the_camera_has_no_pixel():
    assert np.isnan(overhead().project([1.0, 0.0, 2.5])).all()
    assert not overhead().sees([1.0, 0.0, 2.5])


def test_a_camera_sees_to_the_outer_edge_of_its_last_pixel():
    # The image ends at 639.5 px: 320 px from the centre, 320 / 500 * 2 m = 1.28 m.
    seen = overhead().sees([[1.0, -1.279, 0.0], [1.0, -1.281, 0.0]])
    assert seen.tolist() == [True, False]


@given(models(), pixels, st.floats(0.1, 10.0))
def test_unprojecting_a_pixel_and_projecting_it_again_gives_the_pixel(model, px, depth):
    point = model.unproject(px, depth)
    np.testing.assert_allclose(model.project(point), px, atol=1e-6)
    assert model.depth(point) == pytest.approx(depth, rel=1e-9)


@given(models(), pixels, st.floats(-1.0, 1.0))
def test_a_ray_meets_the_plane_at_its_height_and_back_in_its_pixel(model, px, z):
    point = model.ray_plane(px, z)
    if np.isnan(point).any():
        # Never met: the ray points away from the plane or along it.
        ray = model.unproject(px, 1.0) - model.pose[:3, 3]
        assert (z - model.pose[2, 3]) * ray[2] <= 1e-12
    elif 1e-6 < model.depth(point) < 1e4:
        assert point[2] == pytest.approx(z, abs=1e-6)
        np.testing.assert_allclose(model.project(point), px, atol=1e-4)


def test_shapes_follow_the_input():
    px = np.zeros((5, 7, 2))
    assert overhead().unproject(px, np.ones((5, 7))).shape == (5, 7, 3)
    assert overhead().ray_plane(px, 0.0).shape == (5, 7, 3)
    assert overhead().project(np.zeros((4, 3))).shape == (4, 2)


def test_the_intrinsic_matrix_holds_focal_lengths_and_principal_point():
    model = CameraModel(640, 480, 500.0, 510.0, 320.0, 240.0, np.eye(4))
    assert model.k.tolist() == [[500, 0, 320], [0, 510, 240], [0, 0, 1]]


def test_an_uncalibrated_camera_is_refused():
    with pytest.raises(InputError, match="fx, fy > 0"):
        CameraModel(640, 480, 0.0, 0.0, 0.0, 0.0, np.eye(4))


@pytest.mark.parametrize("pose", [np.eye(3), np.full((4, 4), np.nan)])
def test_a_pose_that_is_none_is_refused(pose):
    with pytest.raises(InputError, match="pose of shape"):
        CameraModel(640, 480, 1.0, 1.0, 0.0, 0.0, pose)


def test_the_field_of_view_sets_the_focal_length_about_the_image_centre():
    config = CameraConfig(
        parent="world",
        position=(0, 0, 0),
        orientation=(0, 0, 0, 1),
        width=640,
        height=480,
        fovy_deg=90.0,
        rate_hz=4.0,
        depth=False,
    )
    model = config.model()
    # tan 45 degrees = 1: half the height.
    assert model.fx == pytest.approx(240.0)
    assert (model.cx, model.cy) == (319.5, 239.5)


def test_a_camera_on_the_hand_moves_with_it():
    config = load_cameras(CAMERAS)["wrist"]
    hand = pose_matrix((0.3, 0.1, 0.5), (1.0, 0.0, 0.0, 0.0))
    x, y, z = config.position
    # Half a turn about x: y and z change their sign.
    np.testing.assert_allclose(config.model(hand).pose[:3, 3], [0.3 + x, 0.1 - y, 0.5 - z])


def test_the_shipped_cameras_are_the_three_of_the_contract():
    cameras = load_cameras(CAMERAS)
    assert {name: (c.width, c.height, c.parent) for name, c in cameras.items()} == {
        "front": (640, 480, "world"),
        "top": (640, 480, "world"),
        "wrist": (320, 240, "panda_hand"),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cameras: [", "line 1: expected YAML"),
        ("[]", "expected a mapping of fields, got a list"),
        ("cameras: {}", "field 'cameras' = {}: .*at least 1 item"),
        ("cameras: {top: {parent: world}}", r"field 'cameras\.top\.position' is missing"),
        ("cameras: {top: 3}", r"cameras\.top"),
        ("cameras: {top: {width: 1, width: 2}}", "line 1: key 'width' is given twice"),
    ],
)
def test_a_wrong_file_is_refused_with_the_field(tmp_path, text, message):
    path = tmp_path / "cameras.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message):
        load_cameras(path)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("orientation", "[0, 0, 0, 2]", "length 1, got 2"),
        ("position", "[0, .nan, 0]", "finite"),
        ("fovy_deg", "180", "less than 170"),
        ("rate_hz", "0", "greater than 0"),
        ("colour", "1", "is unknown; the fields are depth, fovy_deg"),
    ],
)
def test_a_wrong_value_is_refused_with_its_name(tmp_path, field, value, message):
    fields = {
        "parent": "world",
        "position": "[0, 0, 1]",
        "orientation": "[0, 0, 0, 1]",
        "width": "640",
        "height": "480",
        "fovy_deg": "45",
        "rate_hz": "4",
        "depth": "false",
        field: value,
    }
    path = tmp_path / "cameras.yaml"
    body = "".join(f"    {name}: {text}\n" for name, text in fields.items())
    path.write_text(f"cameras:\n  top:\n{body}")
    with pytest.raises(ConfigError, match=rf"cameras\.top\.{field}.*{message}"):
        load_cameras(path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load_cameras(tmp_path / "none.yaml")
